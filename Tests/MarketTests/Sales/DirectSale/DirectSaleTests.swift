import BigInt
import Keys
import Market
import Testing
import Texts

struct DirectSaleTests {
    private typealias Case = TermCase<DirectSaleTerms>

    private let ana = Samples.ana.address
    private let bo = Samples.bo.address
    private let cleo = ItemSamples.cleo
    private let start = Samples.chainNow
    private let terms = DirectSaleTerms(
        currency: .native,
        price: Amount(small: 10_007),
        offerUntil: Samples.chainNow.advanced(by: .days(30))
    )

    @Test func `a single payment transfers the token and credits every account`() throws {
        var run = try DirectSaleRun(terms, isMinted: false)
        #expect(run.sale.status == .ready && run.sale.isOffered(at: start))
        try run.make(.pay, by: bo, at: start)
        #expect(run.sale.status == .sold)
        #expect(run.sale.buyer == bo && run.sale.parties == [ana, bo])
        #expect(run.sale.outcome == .complete && !run.sale.isIncomplete)
        // ⌊10007 × 2 %⌋ = 200 and ⌊10007 × 1 %⌋ = 100.
        #expect(run.sale.payouts?.map(\.amount.units) == [9_707, 200, 100])
        #expect(run.sale.payouts?.map(\.account) == [ana, ItemSamples.platform, cleo])
        #expect(run.sale.role(of: bo) == .buyer && run.sale.role(of: cleo) == .stranger)
    }

    @Test func `an aborted offer stays closed`() throws {
        var run = try DirectSaleRun(terms)
        try run.make(.abort, by: ana, at: start)
        #expect(run.sale.status == .aborted)
        #expect(run.sale.outcome == nil && run.sale.payouts == [] && run.sale.buyer == nil)
        expectFault(.impossible(from: "aborted"), run, .pay, bo, at: start)
        expectFault(.impossible(from: "aborted"), run, .abort, ana, at: start)
    }

    @Test func `a move at the deadline is one second late`() throws {
        let run = try DirectSaleRun(terms)
        let end = terms.offerUntil
        let before = ChainTime(seconds: end.seconds - 1)
        expectFault(.wrongTime, run, .pay, bo, at: end)
        expectFault(.wrongAccount, run, .abort, cleo, at: before)
        for (move, account, time) in [
            (.pay, bo, before), (.abort, cleo, end), (.abort, ana, before), (.abort, ana, end),
        ] as [(DirectSaleMove, Address, ChainTime)] {
            var run = run
            try run.make(move, by: account, at: time)
            #expect(run.sale.status.stage == .over)
        }
        #expect(run.sale.nextDeadline(after: before)?.at == end)
        #expect(run.sale.nextDeadline(after: end) == nil && !run.sale.isOffered(at: end))
    }

    @Test func `only entitled accounts can move`() throws {
        let run = try DirectSaleRun(terms)
        expectFault(.wrongAccount, run, .pay, ana, at: start)
        expectFault(.wrongAccount, run, .pay, .zero, at: start)
        expectFault(.wrongAccount, run, .abort, bo, at: start)
        #expect(run.sale.refusal(of: .list, by: bo, at: start) == .listedTwice)
    }

    @Test func `only the account named in the terms can pay`() throws {
        var named = terms
        named.buyer = cleo
        var run = try DirectSaleRun(named)
        expectFault(.wrongAccount, run, .pay, bo, at: start)
        try run.make(.pay, by: cleo, at: start)
        #expect(run.sale.buyer == cleo)
    }

    @Test(
        arguments: [
            Case(
                "price",
                beyond: { $0.price = Amount(small: 9_999) },
                within: { $0.price = Amount(small: 10_000) }
            ),
            Case(
                "price",
                beyond: { $0.price = ItemSamples.amount(BigUInt(1) << 128) },
                within: { $0.price = ItemSamples.amount(BigUInt(1) << 128 - 1) }
            ),
            Case(
                "offerUntil",
                beyond: { $0.offerUntil = Samples.chainNow },
                within: { $0.offerUntil = Samples.chainNow.advanced(by: .seconds(1)) }
            ),
            Case(
                "offerUntil",
                beyond: {
                    $0.offerUntil = Samples.chainNow.advanced(by: .seconds(365 * 86_400 + 1))
                },
                within: { $0.offerUntil = Samples.chainNow.advanced(by: .days(365)) }
            ),
        ]
    )
    func `accepts each term at its limits, not beyond them`(
        term: TermCase<DirectSaleTerms>
    ) throws {
        var (bad, good) = (terms, terms)
        term.beyond(&bad)
        term.within(&good)
        #expect(throws: SaleFault.wrongTerms(TermsFault(term: term.term))) {
            try DirectSaleRun(bad)
        }
        #expect(try DirectSaleRun(good).sale.status == .ready)
    }

    @Test func `refuses a false event of a sale without any change`() throws {
        let run = try DirectSaleRun(terms, isMinted: true)
        let price = BigUInt(10_007)
        func end(
            _ status: DirectSaleStatus = .sold,
            buyer: Address? = nil,
            price: BigUInt = 10_007,
            isMinted: Bool = true
        ) -> DirectSaleEvent.Change {
            let listing = ItemSamples.listing(terms, isMinted: isMinted)
            let buyer = buyer ?? bo
            return .ended(
                ItemSamples.end(status, of: listing, by: bo, buyer: buyer, price: price).0
            )
        }
        let lies: [(SaleFault, DirectSaleEvent.Change)] = [
            (.listedTwice, .listed(run.model.listing)),
            (.wrongCredit, .credited(ItemSamples.credit(ana, price, run.model.listing))),
            (.wrongAccount, end(buyer: cleo)),
            (.wrongAccount, end(isMinted: false)),
            (.wrongPayout, end(price: 10_000)),
            (.impossible(from: "ready"), end(.ready)),
        ]
        for (fault, change) in lies {
            var lied = run
            #expect(throws: fault) { try lied.apply([change], at: start) }
            #expect(lied.sale == run.sale)
        }
    }

    @Test func `pays a resale's royalty to the maker that the offer names`() throws {
        let run = try DirectSaleRun(terms, isMinted: false)
        for (maker, fault) in [
            (cleo, nil), (ana, .wrongAccount), (ItemSamples.stranger, .wrongAccount),
        ] as [(Address, SaleFault?)] {
            let listing = ItemSamples.listing(terms, isMinted: false, maker: maker)
            let end: (ItemSaleEnd<DirectSaleStatus>, [ContractMoney.Credit]) = ItemSamples.end(
                .sold,
                of: listing,
                by: bo,
                buyer: bo,
                price: 10_007
            )
            var paid = run
            if let fault {
                #expect(throws: fault) { try paid.apply([.ended(end.0)], at: start) }
            } else {
                try paid.apply([.ended(end.0)], at: start)
                #expect(paid.sale.payouts?.last?.account == cleo)
            }
        }
    }

    @Test func `states the cost of paying, and that nothing protects the buyer`() throws {
        var priced = terms
        priced.price = Samples.amount("500000000000000000")
        let sale = try DirectSaleRun(priced).sale
        let open = sale.actions(for: bo, at: start)
        #expect(open.moves.map(\.move) == [.pay] && open.moves[0].before == terms.offerUntil)
        #expect(
            open.moves[0].consequence.detail.hasPrefix("You send 0.5 ETH and receive the token")
        )
        #expect(open.moves[0].consequence.detail.contains("credited 0.485 ETH; fees are 0.015 ETH"))
        #expect(open.moves[0].consequence.detail.contains("cannot return your money"))
        #expect(open.next == DirectSaleDeadline(at: terms.offerUntil, effect: .offerEnds))
        #expect(priced.summary(offering: "A", on: Samples.chain) == "Sell 'A' for 0.5 ETH directly")
    }

    private func expectFault(
        _ fault: SaleFault,
        _ run: DirectSaleRun,
        _ move: DirectSaleMove,
        _ account: Address,
        at time: ChainTime,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: fault, sourceLocation: location) {
            var run = run
            try run.make(move, by: account, at: time)
        }
        #expect(run.sale.refusal(of: move, by: account, at: time) == fault)
    }
}
