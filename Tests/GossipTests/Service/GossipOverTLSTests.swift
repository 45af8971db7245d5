import Concurrency
import Gossip
import GossipProtocol
import Market
import Support
import Testing

@Suite(.timeLimit(.minutes(2)))
struct GossipOverTLSTests {
    private var mint = RecordMint(seed: 7)

    @Test mutating func `three nodes with one bootstrap address find each other and converge`()
        async throws
    {
        let links = [try LinkPair.node(), try LinkPair.node(), try LinkPair.node()]
        var addresses: [Multiaddr] = []
        for link in links { addresses += try await link.listen(on: LinkPair.any) }
        let bootstrap = [addresses[0]]
        let ana = GossipNode(links[0], seed: 1)
        let bo = GossipNode(links[1], bootstrap: bootstrap, seed: 2)
        let cy = GossipNode(links[2], bootstrap: bootstrap, seed: 3)
        let records = try mint.take(120)
        for record in records[..<40] { try await ana.box.put(record.bytes, on: GossipNode.topic) }
        for record in records[40..<80] { try await bo.box.put(record.bytes, on: GossipNode.topic) }
        try await GossipNode.with([ana, bo, cy]) {
            await cy.box.wait(for: 80, on: GossipNode.topic)
            await cy.waitForMesh(with: links[1].localPeer)
            for record in records[80...] { try await cy.publish(record) }
            for node in [ana, bo, cy] { await node.box.wait(for: 120, on: GossipNode.topic) }
        }

        let ids = Set(records.map(\.id))
        for node in [ana, bo, cy] {
            #expect(await node.box.all(on: GossipNode.topic) == ids)
            #expect(await node.service.counts().offences == [:])
        }
    }

    @Test mutating func `redials a broken link and catches up`() async throws {
        let links = [try LinkPair.node(), try LinkPair.node()]
        let address = try await links[0].listen(on: LinkPair.any)[0]
        let ana = GossipNode(links[0], seed: 1)
        let bo = GossipNode(links[1], bootstrap: [address], seed: 2)
        let records = try mint.take(30)
        try await GossipNode.with([ana, bo]) {
            await ana.waitForMesh(with: links[1].localPeer)
            await links[0].disconnect(links[1].localPeer, reason: .stopped)
            await ana.wait { $0 == .unlinked(links[1].localPeer) }
            for record in records { try await ana.publish(record) }
            await bo.box.wait(for: 30, on: GossipNode.topic)
        }
        #expect(await bo.box.all(on: GossipNode.topic) == Set(records.map(\.id)))
    }

    @Test mutating func `strangers that send garbage or read nothing delay no other peer`()
        async throws
    {
        let links = [try LinkPair.node(), try LinkPair.node()]
        let silent = try LinkPair.node()
        let garbler = try LinkPair.node()
        let address = try await links[0].listen(on: LinkPair.any)[0]
        let ana = GossipNode(links[0], seed: 1) { $0.outboxFramesMax = 16 }
        let bo = GossipNode(links[1], bootstrap: [address], seed: 2) {
            // Fetches the messages for which the small outbox had no room.
            $0.exchangeInterval = .milliseconds(200)
        }
        await silent.handle(protocol: "/meshsub/1.1.0") { _ in
            for await _ in AsyncStream<Never>(bufferingPolicy: .bufferingOldest(1), { _ in }) {}
        }
        let records = try mint.take(100)
        try await GossipNode.with([ana, bo]) {
            try await withThrowingTaskGroup { group in
                for links in [silent, garbler] {
                    group.addTask { try await links.run() }
                    group.addTask { while await links.events.receive() != nil {} }
                }
                defer { group.cancelAll() }
                let hello = try await Self.stranger(silent, address)
                var rpc = GossipRPC()
                rpc.subscriptions = [.init(topic: GossipNode.topic, isWanted: true)]
                try await hello.writeMessage(rpc.encoded())
                for _ in 0..<5 {
                    let stream = try await Self.stranger(garbler, address)
                    try await stream.write([0x03, 0xFF, 0xFF, 0xFF])
                    // The other side resets the stream, or ends the whole link.
                    _ = try? await stream.read(atMost: 1)
                }
                await ana.wait { $0 == .banned(garbler.localPeer, reason: "malformed_frame") }
                for record in records { try await ana.publish(record) }
                await bo.box.wait(for: 100, on: GossipNode.topic)
            }
        }
        #expect(await bo.box.all(on: GossipNode.topic).count == 100)
    }

    private static func stranger(_ links: Links, _ address: Multiaddr) async throws
        -> any PeerStream
    {
        let peer = try await links.dial(address)
        return try await links.open(protocols: ["/meshsub/1.1.0"], to: peer)
    }
}
