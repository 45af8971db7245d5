import BigInt
import Keys
import Market
import Testing

/// Visits every reachable state of a direct sale, at times before, on and after its deadline.
struct DirectSaleExplorerTests {
    private let ana = Samples.ana.address
    private let bo = Samples.bo.address
    private let terms = DirectSaleTerms(
        currency: .native,
        price: Amount(small: 10_007),
        offerUntil: Samples.chainNow.advanced(by: .days(2))
    )

    private var accounts: [Address] { [ana, bo, ItemSamples.cleo, ItemSamples.stranger] }

    /// The times at which the sale is visited.
    private var times: [ChainTime] {
        let until = terms.offerUntil.seconds
        return [Samples.chainNow] + (until - 1...until + 1).map { ChainTime(seconds: $0) }
    }

    @Test(arguments: [true, false])
    func `one account can end the sale from every state and credit all money`(
        isMinted: Bool
    ) throws {
        let ready = try DirectSaleRun(terms, isMinted: isMinted)
        for account in accounts {
            var run = ready
            try run.make(.abort, by: account, at: terms.offerUntil)
            #expect(run.sale.status == .aborted && run.money.paid == 0)
            #expect(run.sale.ending?.event.tokenTo == ana)
        }
        for account in accounts where account != ana {
            var run = ready
            try run.make(.pay, by: account, at: Samples.chainNow)
            #expect(run.sale.status == .sold && run.sale.ending?.event.tokenTo == account)
            #expect(run.money.paid == 10_007 && run.money.credited == 10_007)
            #expect(run.money.credits[ana] == (isMinted ? 9_807 : 9_707))
            #expect(run.money.credits[ItemSamples.platform] == 200)
        }
    }

    @Test(arguments: [true, false])
    func `accepts exactly the open moves`(isMinted: Bool) throws {
        let ready = try DirectSaleRun(terms, isMinted: isMinted)
        var runs = [ready]
        for (move, account) in [(.pay, bo), (.abort, ana)] as [(DirectSaleMove, Address)] {
            var run = ready
            try run.make(move, by: account, at: Samples.chainNow)
            runs.append(run)
        }
        #expect(Set(runs.map(\.sale.status)) == Set(DirectSaleStatus.allCases))
        for run in runs {
            for (account, time) in accounts.flatMap({ account in times.map { (account, $0) } }) {
                let open = run.sale.actions(for: account, at: time).moves
                for move in open { #expect(!move.consequence.isEmpty) }
                for move in DirectSaleMove.allCases {
                    let isAccepted = run.model.accepts(move, by: account, at: time)
                    #expect(open.contains { $0.move == move } == isAccepted)
                    var next = run
                    do {
                        try next.make(move, by: account, at: time)
                        #expect(isAccepted && next.sale.status == next.model.status)
                        #expect(next.sale.buyer == next.model.buyer && !next.sale.isIncomplete)
                    } catch {
                        #expect(!isAccepted, "\(move) by \(account): \(error)")
                    }
                }
            }
        }
    }

    @Test func `detects a missing, forged or misordered event`() throws {
        let ready = try DirectSaleRun(terms, isMinted: false)
        var model = ready.model
        let changes = model.make(.pay, by: bo)
        #expect(changes.count == 4)
        for index in changes.indices {
            var missing = changes
            missing.remove(at: index)
            expectDetected(missing, ready)
            guard index > 0 else { continue }
            var swapped = changes
            swapped.swapAt(index, index - 1)
            expectDetected(swapped, ready)
        }
        var split = ready
        try split.apply([changes[0]], at: Samples.chainNow)
        #expect(throws: SaleFault.outOfOrder) {
            try split.apply([changes[1]], at: Samples.chainNow)
        }
    }

    private func expectDetected(_ changes: [DirectSaleEvent.Change], _ ready: DirectSaleRun) {
        var run = ready
        do {
            try run.apply(changes, at: Samples.chainNow)
            #expect(run.sale.isIncomplete, "\(changes) is complete")
        } catch {
            // The fault that says so.
        }
    }
}
