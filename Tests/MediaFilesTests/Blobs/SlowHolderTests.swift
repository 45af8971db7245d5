import Concurrency
import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Support
import Synchronization
import Testing

@testable import MediaFiles

/// Many pictures that one slow peer alone holds.
@Suite(.timeLimit(.minutes(2)))
struct SlowHolderTests {
    /// Gives its node's files, but each question waits until the test lets it go on.
    private final class HeldBackBlobs: BlobSource {
        private let source: StoredBlobs
        private let signals = BoundedQueue<Bool>(elementsMax: 1)
        private let waiting = Mutex((now: 0, most: 0))

        init(_ source: StoredBlobs) { self.source = source }

        /// The most questions that waited at a time.
        var waitingMost: Int { waiting.withLock { $0.most } }

        func openBlob(_ id: Bytes32) async throws -> (any ServedBlob)? {
            waiting.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            _ = await signals.receive()
            waiting.withLock { $0.now -= 1 }
            return try await source.openBlob(id)
        }

        /// Lets questions go on one by one, once there are so many.
        func letGo(onceThereAre count: Int) async throws {
            try await waitUntil { waitingMost >= count }
            while true {
                try Task.checkCancellation()
                await signals.send(true)
            }
        }
    }

    @Test func `fetches 20 pictures concurrently from one slow holder`() async throws {
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        var limits = BlobFetchLimits()
        (limits.placesMax, limits.openPlacesMax) = (20, 20)
        let asker = try await MediaNode(in: folders[0], fetchLimits: limits)
        let holder = try await MediaNode(in: folders[1])
        var pictures: [Media] = []
        for number in 1...20 as ClosedRange<UInt8> {
            let bytes = [UInt8](repeating: number, count: 70_000)
            let media = try await holder.media.add(bytes, form: .webp, by: testKey(1).address)
            try await holder.name(media, by: number)
            try await asker.name(media, by: number)
            pictures.append(media)
        }
        let source = HeldBackBlobs(StoredBlobs(store: holder.store, files: holder.files))
        await BlobExchange(links: holder.links, source: source, logger: Logger(label: "test"))
            .register()
        let streamsMax = BlobExchangeLimits().ownStreamsPerPeerMax

        try await MediaNode.run([asker, holder]) { [pictures] in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await source.letGo(onceThereAre: streamsMax)
                    return false
                }
                for media in pictures {
                    group.addTask { try await asker.media.file(media.id)?.media == media }
                }
                for _ in pictures {
                    let isHeld = try await group.next()
                    #expect(isHeld == true)
                }
                group.cancelAll()
            }
            #expect(source.waitingMost == streamsMax)
            #expect(asker.offences.names(of: holder.links.localPeer).isEmpty)
        }
    }
}
