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
}
