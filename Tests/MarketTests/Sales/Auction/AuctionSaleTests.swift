import BigInt
import Keys
import Market
import Testing
import Texts

struct AuctionSaleTests {
    private let ana = Samples.ana.address
    private let bo = Samples.bo.address
    private let cleo = ItemSamples.cleo
    private let start = Samples.chainNow
    private let terms = AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))

    @Test func `the highest bidder gets the token, and every account its money`() throws {
        var run = try AuctionRun(terms, isMinted: false)
        #expect(run.sale.price == Amount(small: 10_000) && run.sale.buyer == nil)

        try run.make(.bid, by: bo, 10_000, at: later(.days(1)))
        try run.make(.bid, by: cleo, 10_500, at: later(.days(2)))
        #expect(run.sale.highest == AuctionBid(bidder: cleo, amount: Amount(small: 10_500)))
        #expect(run.sale.since == later(.days(1)) && run.sale.lastMover == cleo)
        #expect(run.sale.role(of: bo) == .bidder && run.sale.role(of: cleo) == .buyer)

        try run.make(.end, by: ItemSamples.stranger, at: later(.days(7)))
        #expect(run.sale.status == .sold)
        #expect(!run.sale.isIncomplete && run.sale.outcome == .complete)
        #expect(Set(run.sale.parties) == [ana, bo, cleo] && run.sale.parties.count == 3)
        // ⌊10500 × 2 %⌋ = 210 and ⌊10500 × 1 %⌋ = 105.
        #expect(
            run.sale.payouts == [
                SalePayout(role: "seller", account: ana, amount: Amount(small: 10_185)),
                SalePayout(role: "platform", account: ItemSamples.platform, amount: small(210)),
                SalePayout(role: "maker", account: cleo, amount: small(105)),
            ]
        )
    }

    @Test func `an auction without a bid returns the token and pays no one`() throws {
        var ended = try AuctionRun(terms)
        try ended.make(.end, by: ItemSamples.stranger, at: later(.days(7)))
        #expect(ended.sale.status == .unsold && ended.sale.payouts == [])
        #expect(ended.sale.outcome == nil)

        var aborted = try AuctionRun(terms)
        try aborted.make(.abort, by: ana, at: start)
        #expect(aborted.sale.status == .aborted)
        #expect(aborted.sale.outcome == nil && aborted.sale.minimalBid == nil)
    }

    @Test func `a move at the deadline is one second late`() throws {
        let ready = try AuctionRun(terms)
        let end = ready.sale.ends
        let before = ChainTime(seconds: end.seconds - 1)
        expectFault(.wrongTime, ready, .bid, bo, 10_000, at: end)
        expectFault(.wrongTime, ready, .abort, ana, at: end)
        expectFault(.wrongTime, ready, .end, ana, at: before)
        for (move, account, time) in [
            (.bid, bo, before), (.abort, ana, before), (.end, bo, end),
        ] as [(AuctionMove, Address, ChainTime)] {
            var run = ready
            try run.make(move, by: account, 10_000, at: time)
            #expect(run.sale.status != .ready)
        }
        #expect(ready.sale.isOffered(at: before) && !ready.sale.isOffered(at: end))
        #expect(ready.sale.nextDeadline(after: before)?.at == end)
        #expect(ready.sale.nextDeadline(after: end) == nil)
    }

    @Test func `only entitled accounts can move`() throws {
        var run = try AuctionRun(terms)
        expectFault(.wrongAccount, run, .bid, ana, 10_000, at: start)
        expectFault(.wrongAccount, run, .bid, .zero, 10_000, at: start)
        expectFault(.wrongAccount, run, .abort, bo, at: start)
        try run.make(.bid, by: bo, 10_000, at: start)
        expectFault(.impossible(from: "bid"), run, .abort, ana, at: start)
        try run.make(.end, by: bo, at: run.sale.ends)
        expectFault(.impossible(from: "sold"), run, .end, bo, at: run.sale.ends)
        expectFault(.impossible(from: "sold"), run, .bid, cleo, 20_000, at: run.sale.ends)
        #expect(run.sale.refusal(of: .list, by: ana, at: start) == .listedTwice)
    }

    @Test func `a bid must reach the starting bid, then the highest plus an increment`() throws {
        let tooLow = SaleFault.wrongTerms(TermsFault(term: "amount"))
        var run = try AuctionRun(terms)
        #expect(run.sale.minimalBid == small(10_000))
        expectFault(tooLow, run, .bid, bo, 9_999, at: start)
        expectFault(tooLow, run, .bid, bo, AuctionModel.bidMax + 1, at: start)
        try run.make(.bid, by: bo, 10_000, at: start)
        #expect(run.sale.minimalBid == small(10_500))
        expectFault(tooLow, run, .bid, cleo, 10_499, at: start)
        try run.make(.bid, by: bo, AuctionModel.bidMax, at: start)
        #expect(run.sale.minimalBid == nil && !run.sale.isOffered(at: start))
        #expect(run.sale.actions(for: cleo, at: start).moves.isEmpty)

        let least = AuctionTerms(currency: .native, startingBid: SaleLimits.priceMin)
        var small = try AuctionRun(least)
        try small.make(.bid, by: bo, 10_000, at: start)
        #expect(small.sale.minimalBid == Amount(small: 10_500))
    }

    @Test func `an auction accepts fewer than 10,000 bids`() {
        var terms = AuctionTerms(currency: .native, startingBid: SaleLimits.priceMin)
        terms.minIncrementBasisPoints = 100
        var (bid, count) = (terms.minimalBid(after: nil), 0)
        while let highest = bid { (bid, count) = (terms.minimalBid(after: highest), count + 1) }
        #expect(count == 7_992)
    }

    @Test func `a late bid extends the bidding, up to the latest end`() throws {
        var terms = terms
        (terms.duration, terms.extensionTime) = (.days(1), .days(1))
        var run = try AuctionRun(terms)
        let last = later(.days(31))
        #expect(run.sale.lastEnd == last)
        var amount: BigUInt = 10_000
        for number in 1...30 {
            let time = ChainTime(seconds: run.sale.ends.seconds - 1)
            try run.make(.bid, by: number.isMultiple(of: 2) ? bo : cleo, amount, at: time)
            #expect(run.sale.ends == time.advanced(by: .days(1)))
            amount *= 2
        }
        let time = ChainTime(seconds: run.sale.ends.seconds - 1)
        try run.make(.bid, by: bo, amount, at: time)
        #expect(run.sale.ends == last)
        expectFault(.wrongTime, run, .bid, cleo, amount * 2, at: last)
    }

    @Test func `a bid extends the end only within the last extension period`() throws {
        var run = try AuctionRun(terms)
        let end = run.sale.ends
        let quiet = ChainTime(seconds: end.seconds - 601)
        try run.make(.bid, by: bo, 10_000, at: quiet)
        #expect(run.sale.ends == end)
        try run.make(.bid, by: cleo, 20_000, at: ChainTime(seconds: end.seconds - 599))
        #expect(run.sale.ends == ChainTime(seconds: end.seconds + 1))
    }

    @Test func `reports a bid to all other parties and the end to all parties`() throws {
        var run = try AuctionRun(terms)
        /// The accounts that are told of a move once it is made.
        func told(
            _ move: AuctionMove,
            by account: Address,
            _ amount: BigUInt = 0
        ) throws -> Set<Address> {
            let time = move == .end ? run.sale.ends : start
            let changes = run.model.make(move, by: account, amount: amount, at: time)
            let events = run.model.events(changes, &run.clock, at: time)
            for event in events { try run.sale.apply(event) }
            let reported = try #require(events.first { $0.move != nil })
            return Set(run.sale.audience(of: reported).keys)
        }
        #expect(try told(.bid, by: bo, 10_000) == [ana])
        #expect(try told(.bid, by: cleo, 10_500) == [ana, bo])
        #expect(Set(run.sale.concerned) == [ana, bo, cleo])
        #expect(try told(.end, by: cleo) == [ana, bo, cleo])
    }

    @Test func `an outbid bidder is finished; others are not until the end`() throws {
        var run = try AuctionRun(terms)
        try run.make(.bid, by: bo, 10_000, at: start)
        #expect([ana, bo].allSatisfy(run.sale.isUnfinished))
        try run.make(.bid, by: cleo, 10_500, at: start)
        #expect([ana, bo, cleo].map(run.sale.isUnfinished) == [true, false, true])
        try run.make(.end, by: cleo, at: run.sale.ends)
        #expect(![ana, bo, cleo].contains(where: run.sale.isUnfinished))
        #expect(run.sale.endings == ["sold"])
    }

    @Test func `a bid does not change the possible moves`() throws {
        var run = try AuctionRun(terms)
        let bid = run.model.make(.bid, by: bo, amount: 10_000, at: start)
        let outbid = run.model.make(.bid, by: cleo, amount: 10_500, at: start)
        let end = run.model.make(.end, by: bo, amount: 0, at: run.sale.ends)
        func changes(_ changes: [AuctionEvent.Change]) -> [Bool] {
            run.model.events(changes, &run.clock, at: start).map(\.changesMoves)
        }
        #expect(changes(bid) == [false])
        #expect(changes(outbid) == [false, false, false])
        #expect(changes(end).first == true)
        #expect(changes([.listed(run.model.listing, ends: run.sale.ends)]) == [true])
    }

    @Test func `shows the minimum bid among the moves, not in a bid's proceeds`() throws {
        var run = try AuctionRun(terms)
        #expect(run.sale.consequence(of: .bid).detail.hasPrefix("You send your bid, at least "))
        #expect(run.sale.consequence(of: .bid).detail.hasSuffix(run.sale.bidTerms.detail))
        #expect(!run.sale.bidTerms.detail.contains("at least"))
        try run.make(.bid, by: bo, AuctionModel.bidMax, at: start)
        #expect(run.sale.consequence(of: .bid) == [run.sale.bidTerms])
    }

    @Test func `refuses a false event of an auction without any change`() throws {
        var run = try AuctionRun(terms)
        try run.make(.bid, by: bo, 10_000, at: start)
        let sale = run.sale
        let bid = AuctionBid(bidder: bo, amount: small(10_000))
        let higher = AuctionBid(bidder: cleo, amount: small(20_000))
        let credit = ItemSamples.credit(bo, 10_000, run.model.listing)
        let lies: [(SaleFault, AuctionEvent.Change)] = [
            (.listedTwice, .listed(run.model.listing, ends: sale.ends)),
            (.impossible(from: "bid"), .bidPlaced(higher, ends: sale.ends)),
            (.wrongAccount, .outbid(AuctionBid(bidder: cleo, amount: bid.amount))),
            (.wrongCredit, .outbid(AuctionBid(bidder: bo, amount: small(9_999)))),
            (.wrongCredit, .credited(credit)),
        ]
        for (fault, change) in lies {
            var (sale, clock) = (sale, run.clock)
            let event = run.model.events([change], &clock, at: start)[0]
            #expect(throws: fault) { try sale.apply(event) }
            #expect(sale == run.sale)
        }
        let other = AuctionEvent(
            sale: SaleID(.zero),
            position: run.clock.position(at: start),
            change: .outbid(bid)
        )
        #expect(throws: SaleFault.otherSale) {
            var sale = sale
            try sale.apply(other)
        }
        let early = AuctionEvent(sale: run.model.id, position: sale.listedAt, change: .outbid(bid))
        #expect(throws: SaleFault.outOfOrder) {
            var sale = sale
            try sale.apply(early)
        }
    }

    @Test func `refuses a higher bid outside the transaction of the outbid credit`() throws {
        var run = try AuctionRun(terms)
        try run.make(.bid, by: bo, 10_000, at: start)
        let changes = run.model.make(.bid, by: cleo, amount: 20_000, at: start)
        for split in 1...2 {
            var (sale, clock) = (run.sale, run.clock)
            let first = run.model.events(Array(changes[..<split]), &clock, at: start)
            let second = run.model.events(Array(changes[split...]), &clock, at: start)
            for event in first { try sale.apply(event) }
            #expect(sale.isIncomplete)
            #expect(throws: SaleFault.outOfOrder) { try sale.apply(second[0]) }
        }
    }

    @Test func `a credit pays for a bid once, in its own transaction`() throws {
        var run = try AuctionRun(terms)
        let bid = run.model.make(.bid, by: bo, amount: 10_000, at: start)
        let used = { [listing = run.model.listing] (account: Address, units: BigUInt) in
            AuctionEvent.Change.creditUsed(ItemSamples.credit(account, units, listing))
        }
        let fits = [used(bo, 1), used(bo, 10_000)]
        for credit in fits {
            var (sale, clock) = (run.sale, run.clock)
            for event in run.model.events(bid + [credit], &clock, at: start) {
                try sale.apply(event)
                #expect(event.move?.name == (event.change == credit ? nil : "bid"))
            }
            #expect(sale.highest?.amount == small(10_000) && !sale.isIncomplete)
        }
        let lies: [(SaleFault, [AuctionEvent.Change])] = [
            (.wrongAccount, bid + [used(cleo, 1)]), (.wrongCredit, bid + [used(bo, 10_001)]),
            (.wrongCredit, bid + [used(bo, 0)]),
            (.impossible(from: "bid"), bid + [used(bo, 1), used(bo, 1)]),
            (.impossible(from: "ready"), [used(bo, 1)]),
        ]
        for (fault, changes) in lies {
            var (sale, clock) = (run.sale, run.clock)
            let events = run.model.events(changes, &clock, at: start)
            for event in events.dropLast() { try sale.apply(event) }
            #expect(throws: fault) { try sale.apply(events[events.count - 1]) }
        }
        var (sale, clock) = (run.sale, run.clock)
        for event in run.model.events(bid, &clock, at: start) { try sale.apply(event) }
        let later = run.model.events([used(bo, 1)], &clock, at: start)
        #expect(throws: SaleFault.outOfOrder) { try sale.apply(later[0]) }
    }

    private func small(_ units: UInt64) -> Amount { Amount(small: units) }

    private func later(_ duration: Duration) -> ChainTime { start.advanced(by: duration) }

    private func expectFault(
        _ fault: SaleFault,
        _ run: AuctionRun,
        _ move: AuctionMove,
        _ account: Address,
        _ amount: BigUInt = 0,
        at time: ChainTime,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: fault, sourceLocation: location) {
            var run = run
            try run.make(move, by: account, amount, at: time)
        }
        if move != .bid || fault == .wrongAccount || fault == .wrongTime {
            #expect(run.sale.refusal(of: move, by: account, at: time) == fault)
        }
    }
}
