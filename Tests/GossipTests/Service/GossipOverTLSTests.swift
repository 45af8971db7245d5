import Gossip
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
            #expect(await node.service.tally().offences == [:])
        }
    }
}
