import Keys
import Market
import Testing
import Trade

struct SaleTurnsTests {
    private static func ids(_ range: Range<UInt64>) -> [SaleID] {
        range.map { SaleID(Bytes32(words: 0, 0, 0, $0)) }
    }

    private static var limits: SaleAuditLimits {
        var limits = SaleAuditLimits()
        (limits.ownMax, limits.othersMax) = (3, 2)
        limits.ownAgain = .seconds(480)
        return limits
    }

    @Test func `compares each local sale in time, longest waiting first`() {
        var turns = SaleTurns(limits: Self.limits)
        let own = Self.ids(0..<5)
        #expect(turns.due(own: own, others: [], at: .seconds(120)) == Self.ids(0..<3))
        #expect(turns.due(own: own, others: [], at: .seconds(240)) == Self.ids(3..<5))
        #expect(turns.due(own: own, others: [], at: .seconds(360)).isEmpty)
        #expect(turns.due(own: own, others: [], at: .seconds(600)) == Self.ids(0..<3))
        let added = Self.ids(4..<6)
        #expect(turns.due(own: added, others: [], at: .seconds(720)) == added.reversed())
    }

    @Test func `gives every other sale its turn as sales come and go`() {
        var turns = SaleTurns(limits: Self.limits)
        var seen: Set<SaleID> = []
        for look in 0..<8 as Range<UInt64> {
            let due = turns.due(own: [], others: Self.ids(0..<7 + look), at: .seconds(look))
            #expect(due.count == 2)
            seen.formUnion(due)
        }
        #expect(seen.isSuperset(of: Self.ids(0..<7)))
        #expect(turns.due(own: [], others: Self.ids(3..<4), at: .zero) == Self.ids(3..<4))
        #expect(turns.due(own: [], others: [], at: .zero).isEmpty)
    }

    @Test func `the limits match the times in the documents`() {
        let limits = SaleAuditLimits()
        #expect(limits.ownAgain + limits.interval <= .seconds(600))
    }
}
