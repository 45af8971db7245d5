import Concurrency
import Gossip
import GossipProtocol
import Keys
import Market
import Storage
import Support
import Testing

@testable import MediaFiles

/// Pictures that many profiles name and nobody gives.
@Suite(.timeLimit(.minutes(2)))
struct HostileAvatarTests {
    @Test(arguments: [nil, Duration.milliseconds(400)])
    func `12 silent or slow holders delay an avatar only briefly`(
        pause: Duration?
    ) async throws {
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        let (clock, limits) = (SteppedClock(), BlobFetchLimits())
        let asker = try await MediaNode(in: folders[0], fetchClock: clock)
        let other = try await MediaNode(in: folders[1])
        let holder = try await MediaNode(in: folders[2])
        let ana = testKey(1).address
        let bytes = [UInt8](repeating: 7, count: 100_000)
        let honest = try await holder.media.add(bytes, form: .webp, by: ana)
        try await asker.name(honest)
        try await holder.name(honest)
        await holder.exchange.register()
        var hostile: [Media] = []
        for number in 2...13 as ClosedRange<UInt8> {
            let big = [UInt8](repeating: number, count: 2_000_000)
            let media = try await other.media.add(big, form: .webp, by: ana)
            try await asker.name(media, by: number)
            hostile.append(media)
        }
        await other.links.handle(protocol: BlobExchange.protocolID) { stream in
            try await Self.serve(stream, other, pause)
        }
        try await MediaNode.run([asker, other, holder]) { [hostile] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for media in hostile {
                    group.addTask { _ = try await asker.media.file(media.id) }
                }
                // The others have all places before the honest one wants one.
                await clock.untilDue(limits.openPlacesMax, within: limits.placeMax)
                group.addTask {
                    // By the clock the honest one waits for this, and for nothing else.
                    for _ in 0..<hostile.count / limits.openPlacesMax {
                        await clock.untilDue(limits.openPlacesMax, within: limits.placeMax)
                        clock.advance(limits.placeMax)
                    }
                }
                let came = try await asker.media.file(honest.id)
                #expect(came?.bytes == bytes)
                #expect(clock.uptime <= .milliseconds(500))
                group.cancelAll()
            }
        }
    }

    /// Serves a chunk in each `pause`, or nothing if that is `nil`.
    private static func serve(
        _ stream: any PeerStream,
        _ holder: MediaNode,
        _ pause: Duration?
    ) async throws {
        var frames = stream.messages(bytesMax: 64)
        while let frame = try await frames.next() {
            guard let question = BlobQuestion(frame, limits: BlobExchangeLimits()),
                let file = try await holder.files.open(question.id)
            else { continue }
            for index in question.chunks {
                guard let pause else { break }
                try await SystemMonotonicClock().wait(pause)
                let chunk = BlobChunk(
                    length: file.length,
                    index: index,
                    bytes: try file.chunk(index),
                    proof: file.proof(of: index)
                )
                try await stream.writeMessage(BlobAnswer.chunk(chunk).bytes)
            }
        }
    }
}
