import Concurrency
import Market
import Testing

@testable import Gossip
@testable import GossipProtocol

/// Files that slow peers hold besides an honest one, over real links.
@Suite(.timeLimit(.minutes(3)))
struct SlowBlobPeersTests {
    private static let blob = MemoryBlob(128 * 65_536)

    /// Sends right chunks, one in each interval.
    private static func slow(_ interval: Duration) -> BlobNet.Peer {
        .hostile { stream in
            var frames = stream.messages(bytesMax: 64)
            while let frame = try await frames.next() {
                guard let question = BlobQuestion(frame, limits: BlobExchangeLimits()) else {
                    return
                }
                for index in question.chunks {
                    try await SystemMonotonicClock().wait(interval)
                    try await stream.writeMessage(BlobAnswer.chunk(Self.blob.answer(index)).bytes)
                }
            }
        }
    }

    @Test func `a file arrives despite 24 slow peers that were fast before`() async throws {
        let crowd = [BlobNet.Peer](repeating: Self.slow(.seconds(5)), count: 24)
        try await BlobNet.with(crowd + [.honest(MemoryBlobs([Self.blob]))]) { net in
            // The honest one is asked last.
            for peer in net.peers.dropLast() { net.exchange.knownPeers.gave(peer, 1, in: .zero) }
            let clock = SystemMonotonicClock()
            let start = clock.uptime
            let found = try await net.fetch(Self.blob)
            let time = clock.uptime - start
            print("8 MiB with 24 slow peers: \(time)")
            #expect(found == Self.blob.bytes)
            // The slow ones alone would take half a minute.
            #expect(time < .seconds(20))
            // They were right, and only slow.
            #expect(net.offences.names(of: net.peers[24]).isEmpty)
        }
    }

    @Test func `asks abandoned peers last the next time`() async throws {
        let crowd = [BlobNet.Peer](repeating: Self.slow(.seconds(30)), count: 20)
        try await BlobNet.with(crowd + [.honest(MemoryBlobs([Self.blob]))]) { net in
            for peer in net.peers.dropLast() { net.exchange.knownPeers.gave(peer, 1, in: .zero) }
            let first = try await net.fetch(Self.blob)
            #expect(first == Self.blob.bytes)
            let clock = SystemMonotonicClock()
            let start = clock.uptime
            let again = try await net.fetch(Self.blob)
            #expect(again == Self.blob.bytes)
            #expect(clock.uptime - start < .seconds(5))
        }
    }
}
