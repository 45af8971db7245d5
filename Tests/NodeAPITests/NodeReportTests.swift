import Client
import Gossip
import Testing

@testable import NodeAPI

struct NodeReportTests {
    @Test func `a node with unaccounted or too many bytes is not ready`() {
        let good = NodeBudget.Audit(unread: 10, unreadOfLinks: 10, links: 1)
        #expect(NodeReport.obstacles(in: good).isEmpty)
        let lost = NodeBudget.Audit(unread: 10, unreadOfLinks: 4, links: 1)
        #expect(NodeReport.obstacles(in: lost).count == 1)
        let wrong = NodeBudget.Audit(unread: 4, unreadOfLinks: 4, links: 1, faults: 1)
        #expect(NodeReport.obstacles(in: wrong).count == 1)
        let full = NodeBudget.Audit(unread: 9, unreadOfLinks: 9, links: 1, isExhausted: true)
        #expect(NodeReport.obstacles(in: full).count == 1)
    }

    @Test func `accounts elsewhere read a chain's health, and no endpoints`() {
        let one = Sentence("chain.oneEndpoint")
        let names = Sentence("chain.endpointsDiffer", ["endpoints": "https://rpc.example/key"])
        let status = ChainStatus(
            chain: 31_337,
            health: "unreachable",
            detail: "https://rpc.example/key answers nothing.",
            reason: [names],
            head: nil,
            headTime: nil,
            item: "0x0f",
            contracts: [],
            warnings: [one, names]
        )
        let shown = status.forAccounts
        #expect(shown.health == "unreachable" && shown.detail == nil && shown.reason == nil)
        #expect(shown.warnings == [one])
    }
}
