import Concurrency
import Market
import Support
import Testing

@testable import Gossip
@testable import GossipProtocol

struct BlobStreamsTests {
    private static func group(_ text: String) throws -> AddressGroup {
        let address = try #require(Multiaddr(text: text))
        return try #require(AddressGroup(of: address))
    }

    /// Asks in pieces of 1 MiB until it is refused; returns how many it got.
    private static func drain(_ streams: BlobStreams, _ group: AddressGroup) async throws -> Int {
        var count = 0
        while try await streams.wait(for: 1 << 20, of: PeerID(multihash: [0, 1, 1]), in: group) {
            count += 1
        }
        return count
    }

    /// - From peers: more blob bytes than a subnet's share, from many of its addresses →
    ///   refused; other subnets have their share
    @Test(arguments: ["/ip4/8.8.8.%/tcp/1", "/ip6/2600:1:2:%::1/tcp/1"])
    func `addresses of one subnet share its budget and leave others theirs`(
        pattern: String
    ) async throws {
        var limits = BlobExchangeLimits()
        limits.paceMax = .zero
        // The clock stands, so nothing comes back.
        let streams = BlobStreams(limits: limits, clock: ManualClock())
        var got = 0
        for number in 1...9 {
            let group = try Self.group(pattern.replacing("%", with: "\(number)"))
            got += try await Self.drain(streams, group)
        }
        // New subnets have less than those that are known.
        #expect(got == limits.shares.firstBytes >> 20)
        let other = try Self.group("/ip4/9.9.9.9/tcp/1")
        let others = try await Self.drain(streams, other)
        #expect(others == limits.burstBytes >> 20)
        // So many newcomers find nothing more, and no single one gets more than its own.
        for number in 1...40 {
            let group = try Self.group("/ip4/7.7.\(number).1/tcp/1")
            got += try await Self.drain(streams, group)
        }
        #expect(got + others <= limits.shares.newcomersBytes >> 20)
    }

    private struct Over: Error {}

    @Test func `a wait for a stream delays no other peer and can be cancelled`()
        async throws
    {
        var limits = BlobExchangeLimits()
        limits.streamsPerPeerMax = 3
        #expect(limits.ownStreamsPerPeerMax == 1)
        let streams = OwnBlobStreams(limits: limits)
        let (slow, other) = (PeerID(multihash: [0, 1, 1]), PeerID(multihash: [0, 1, 2]))
        let begun = BoundedQueue<Int>(elementsMax: 1)
        let end = BoundedQueue<Never>(elementsMax: 1)
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await streams.with(slow) {
                    await begun.send(1)
                    _ = await end.receive()
                }
            }
            #expect(await begun.receive() == 1)
            try await streams.with(other) {}
            await #expect(throws: Over.self) {
                try await withTimeLimit(.milliseconds(50), throwing: Over(), clock: .system) {
                    try await streams.with(slow) { Issue.record("it has its stream already") }
                }
            }
            end.finish()
            // It is given back, whether the stream ends well or not.
            for _ in 0..<3 {
                await #expect(throws: Over.self) {
                    try await streams.with(slow) { throw Over() }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `asks useful peers first and slow peers last`() {
        var limits = BlobExchangeLimits()
        limits.slowPeersMax = 2
        let clock = ManualClock()
        let known = KnownBlobPeers(limits: limits, clock: clock)
        let peers = (1...4).map { PeerID(multihash: [0, 1, UInt8($0)]) }
        known.wasSlow(peers[0])
        clock.advance(.seconds(1))
        known.wasSlow(peers[1])
        #expect(known.ordered(peers) == [peers[2], peers[3], peers[0], peers[1]])
        #expect(known.chunkMax(of: peers[0]) == limits.slowChunkMax)
        #expect(known.chunkMax(of: peers[2]) == limits.chunkMax)
        known.wasSlow(peers[2])
        #expect(!known.isSlow(peers[0]) && known.isSlow(peers[2]))
        known.gave(peers[1], 100_000, in: .seconds(1))
        #expect(known.ordered(peers) == [peers[1], peers[0], peers[3], peers[2]])
        // However many unknown peers are linked, who gave something is among the first.
        let crowd = (5...200).map { PeerID(multihash: [0, 1, UInt8($0)]) }
        #expect(known.ordered(crowd + peers).first == peers[1])
        // Of those the quickest is the first.
        known.gave(peers[3], 1_000, in: .milliseconds(1))
        #expect(known.ordered(crowd + peers).prefix(2) == [peers[3], peers[1]])
        known.gave(peers[3], 1_000, in: .seconds(100))
        known.gave(peers[3], 1_000, in: .seconds(100))
        for _ in 0..<4 { known.gave(peers[3], 1_000, in: .seconds(100)) }
        #expect(known.ordered(crowd + peers).prefix(2) == [peers[1], peers[3]])
        known.wasSlow(peers[3])
        known.wasSlow(peers[1])
        #expect(known.ordered(peers).first == peers[0])
        #expect(known.isSlow(peers[1]))
        clock.advance(limits.slownessMax)
        #expect(!known.isSlow(peers[1]))
    }
}
