import GossipProtocol
import Market
import Testing

/// A crowd of one network in the mesh.
struct RouterSubnetTests {
    private let topic = Topic("/stoa/test/1")
    private let limits = GossipLimits()
    private var router = GossipRouter(seed: 1)

    private func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

    /// Links a peer that dialled this node from an address, and wants the topic and its mesh.
    @discardableResult
    private mutating func link(_ number: UInt8, at address: [UInt8]) throws -> Bool {
        let group = AddressGroup(try #require(IPAddress(bytes: address)))
        _ = router.handle(.joined(topic), at: .start)
        _ = router.handle(
            .connected(peer(number), isOutbound: false, group: group),
            at: .start
        )
        var rpc = GossipRPC()
        rpc.subscriptions = [.init(topic: topic, isWanted: true)]
        rpc.meshChanges = [.graft(topic)]
        _ = router.handle(.received(rpc, from: peer(number)), at: .start)
        return router.mesh(of: topic).contains(peer(number))
    }

    @Test mutating func `a crowd from one network fills a mesh only until others connect`() throws {
        for number in 1...31 as ClosedRange<UInt8> { try link(number, at: [21, 150, 1, number]) }
        #expect(router.mesh(of: topic).count == limits.meshSizeHigh)
        for number in 101...105 as ClosedRange<UInt8> {
            let isIn = try link(number, at: [9, number, 1, 1])
            #expect(isIn)
        }
        #expect(router.mesh(of: topic).count == limits.meshSizeHigh)
        // No peer of the crowd comes back in, and nobody of another network leaves for it.
        let isIn = try link(40, at: [21, 150, 1, 40])
        #expect(!isIn)
        for second in 1...100 { _ = router.handle(.heartbeat, at: .start + .seconds(second)) }
        for number in 101...105 as ClosedRange<UInt8> {
            #expect(router.mesh(of: topic).contains(peer(number)))
        }
    }

    @Test mutating func `announces messages outside the mesh to one network after another`()
        throws
    {
        for number in 1...60 as ClosedRange<UInt8> { try link(number, at: [21, 150, 1, number]) }
        let honest = (101...120).map { UInt8($0) }
        for number in honest { try link(number, at: [9, number, 1, 1]) }
        let outside = honest.map(peer).filter { !router.mesh(of: topic).contains($0) }
        #expect(outside.count >= 8)
        var told: Set<PeerID> = []
        for second in 1...2 {
            _ = router.handle(.published([UInt8(second)], on: topic), at: .start + .seconds(second))
            for case .send(let rpc, let peer) in router.handle(
                .heartbeat,
                at: .start + .seconds(second)
            ) where !rpc.announcements.isEmpty {
                told.insert(peer)
            }
        }
        #expect(told.isSuperset(of: outside))
    }

    @Test mutating func `does not treat peers of this machine as a crowd`() throws {
        for number in 1...12 as ClosedRange<UInt8> {
            _ = router.handle(.joined(topic), at: .start)
            _ = router.handle(.connected(peer(number), isOutbound: false), at: .start)
            var rpc = GossipRPC()
            rpc.subscriptions = [.init(topic: topic, isWanted: true)]
            rpc.meshChanges = [.graft(topic)]
            _ = router.handle(.received(rpc, from: peer(number)), at: .start)
        }
        #expect(router.mesh(of: topic).count == limits.meshSizeHigh)
        let isIn = try link(40, at: [9, 1, 1, 1])
        #expect(!isIn)
    }
}
