import Market
import Testing

@testable import Gossip
@testable import GossipProtocol

struct NodeBudgetTests {
    private let limits = LinkLimits()

    /// - From peers: partial messages on many links, to block all other links → each link's share
    ///   still holds the longest message
    @Test func `each link has room for the longest message and a window`() {
        let budget = NodeBudget(limits: limits)
        let greedy = (0..<32).map { _ in budget.openLedger() }
        let taken = greedy.map { ledger in (0..<64).map { _ in ledger.makeEntry(.messages) } }
        // All the room that any link may use, taken by halves of messages that never arrive.
        for entry in taken.joined() { entry.set(48 << 10) }
        #expect(budget.audit.unread > limits.unreadBytesMax / 4)

        let honest = budget.openLedger()
        let message = honest.makeEntry(.messages)
        let stream = honest.makeEntry(.stream)
        #expect(stream.set(limits.yamux.initialWindowBytes))
        #expect(message.set(MessageSplitter.messageBytesMax + MessageSplitter.readBytesMax))
        #expect(!taken[0][0].set(400 << 10))
    }

    /// - From peers: windows driven to grow, to keep others' windows small → each link has a share
    @Test func `each window grows by its share, however much others grew`() {
        let budget = NodeBudget(limits: limits)
        let greedy = (0..<8).map { _ in budget.openLedger() }
        for ledger in greedy {
            guard case .upTo(let room) = ledger.growth else { continue }
            ledger.grow(by: min(room, limits.yamux.grownBytesMax))
        }
        #expect(budget.audit.grown <= limits.grownBytesMax / 4 + 8 * limits.grownShareBytes)
        #expect(budget.openLedger().growth == .upTo(limits.grownShareBytes))
    }

    @Test func `windows shrink while more bytes wait than a link may use`() {
        let budget = NodeBudget(limits: limits)
        let ledger = budget.openLedger()
        let entry = ledger.makeEntry(.stream)
        entry.set(limits.unreadBytesMax / 4 + 1)
        #expect(ledger.growth == .shrink)
        entry.set(0)
        #expect(ledger.growth != .shrink)
    }

    /// - From peers: repeated streams from one address on which no protocol is agreed, with any
    ///   keys → each counts as many openings
    @Test func `streams without an agreed protocol use up their address's allowance`() throws {
        var limits = limits
        limits.openingsOfOneAddressMax = 33
        limits.fruitlessStreamOpenings = 16
        let budget = NodeBudget(limits: limits)
        let group = AddressGroup(try #require(IPAddress(ip4: "9.9.9.9")))
        let opened = (0..<40).count {
            guard budget.takeOpening(from: group, at: .start) else { return false }
            let peer = PeerID(multihash: [0, 1, UInt8($0)])
            #expect(budget.takeFruitlessStream(of: peer, from: group, at: .start))
            return true
        }
        #expect(opened == 3)
        let later = Moment.start + .seconds(1)
        #expect(budget.takeOpening(from: group, at: later))
    }
}
