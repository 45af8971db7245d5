import Market
import Testing

@testable import Gossip

struct OutboxBudgetTests {
    private static func settings(_ change: (inout GossipSettings) -> Void = { _ in })
        -> GossipSettings
    {
        var settings = GossipSettings()
        change(&settings)
        return settings
    }

    private static func budget(_ settings: GossipSettings) -> OutboxBudget {
        OutboxBudget(settings: settings)
    }

    private static func outbox(
        _ number: Int,
        _ settings: GossipSettings,
        _ budget: OutboxBudget
    ) -> PeerOutbox {
        let peer = PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
        return PeerOutbox(peer: peer, settings: settings, budget: budget)
    }

    /// - From peers: many peers that do not read → they lose messages; their outboxes are bounded
    ///   together
    @Test func `peers that do not read share bounded memory`() {
        let settings = Self.settings()
        let budget = Self.budget(settings)
        let frame = [UInt8](repeating: 7, count: 64 << 10)
        let lines = (0..<200).map { Self.outbox($0, settings, budget) }
        // Each of them alone could hold 4 MiB.
        for outbox in lines { while outbox.offer(frame) {} }
        let balance = budget.balance
        #expect(balance.held <= 128 << 20)
        #expect(balance.held == balance.sum)
        #expect(balance.outboxes == 200)
        // An outbox that comes last still has its share.
        let last = Self.outbox(999, settings, budget)
        #expect((0..<4).map { _ in last.offer(frame) } == [true, true, true, true])
        #expect(!last.offer(frame))
        #expect(last.insist(frame))
    }

    @Test func `a slow peer gets its 4 MiB while there is room`() {
        let settings = Self.settings()
        let outbox = Self.outbox(1, settings, Self.budget(settings))
        let frame = [UInt8](repeating: 7, count: 128 << 10)
        var count = 0
        while outbox.offer(frame) { count += 1 }
        #expect(count == 32)
    }

    @Test func `an outbox releases its bytes however it ends`() async {
        let settings = Self.settings()
        let budget = Self.budget(settings)
        let frame = [UInt8](repeating: 7, count: 1_000)
        let ended = Self.outbox(1, settings, budget)
        #expect(ended.offer(frame))
        do {
            let forgotten = Self.outbox(2, settings, budget)
            #expect(forgotten.offer(frame))
            #expect(budget.balance == (2_000, 2_000, 2))
        }
        #expect(budget.balance == (1_000, 1_000, 1))
        // A frame that is being written counts until it is written.
        let first = await ended.next()
        #expect(budget.balance.held == 1_000)
        ended.written(first ?? [])
        #expect(budget.balance == (0, 0, 1))
        #expect(ended.offer(frame))
        _ = await ended.next()
        ended.end()
        #expect(budget.balance == (0, 0, 0))
        ended.written(frame)
        #expect(!ended.offer(frame))
        #expect(budget.balance == (0, 0, 0))
    }

    @Test func `a full outbox holds no bytes for refused frames`() {
        let settings = Self.settings { $0.outboxFramesMax = 3 }
        let budget = Self.budget(settings)
        let outbox = Self.outbox(1, settings, budget)
        #expect((0..<5).filter { _ in outbox.offer([1, 2]) }.count == 3)
        #expect(budget.balance == (6, 6, 1))
    }
}
