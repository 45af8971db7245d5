import BigInt
import Keys
import Market
import Testing

/// Auctions and direct sales in the ledger of a market's sales.
struct ItemLedgerTests {
    private let ana = Samples.ana.address
    private let bo = Samples.bo.address
    private let cleo = ItemSamples.cleo
    private let start = Samples.chainNow
    private let contract = ItemSamples.contract.address

    @Test func `a contract owes the highest bid and the outbid ones`() throws {
        var ledger = ledger(.auction)
        let terms = AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        var model = AuctionModel(ItemSamples.listing(terms), at: start)
        var clock = EventClock()
        let moves: [(AuctionMove, Address, BigUInt, Duration, owed: UInt64)] = [
            (.list, ana, 0, .zero, 0), (.bid, bo, 10_000, .zero, 10_000),
            (.bid, cleo, 20_000, .days(1), 30_000), (.end, bo, 0, .days(7), 30_000),
        ]
        for (move, account, amount, delay, owed) in moves {
            let time = start.advanced(by: delay)
            let changes = model.make(move, by: account, amount: amount, at: time)
            for event in model.events(changes, &clock, at: time) {
                try ledger.apply(.init(of: contract, .sale(event)))
            }
            #expect(ledger.money[contract]?.owed[.native] ?? .zero == Amount(small: owed))
        }
        let sale = try #require(ledger.sales[model.id])
        #expect(sale.kind == .auction && sale.status.name == "sold" && sale.buyer == cleo)
        #expect(sale.history.map(\.move.name) == ["list", "bid", "bid", "end"])
        #expect(sale.history.map(\.move.account) == [ana, bo, cleo, bo])
        let money = try #require(ledger.money[contract])
        #expect(money.credit(of: bo, in: .native) == Amount(small: 10_000))
        // 2 % to the platform; the seller is the maker too.
        #expect(money.credit(of: ana, in: .native) == Amount(small: 19_600))
        #expect(money.credit(of: ItemSamples.platform, in: .native) == Amount(small: 400))
    }

    @Test func `a contract owes a credit only until it pays a bid`() throws {
        var ledger = ledger(.auction)
        let terms = AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        var model = AuctionModel(ItemSamples.listing(terms), at: start)
        var clock = EventClock()
        let moves: [(AuctionMove, Address, BigUInt, used: BigUInt, owed: UInt64)] = [
            (.list, ana, 0, 0, 0), (.bid, bo, 10_000, 0, 10_000), (.bid, cleo, 20_000, 0, 30_000),
            // 4,000 of Bo's 10,000, then all of Cleo's and of what she bid herself.
            (.bid, bo, 30_000, 4_000, 56_000), (.bid, cleo, 40_000, 20_000, 76_000),
            (.bid, cleo, 50_000, 40_000, 86_000),
        ]
        for (move, account, amount, used, owed) in moves {
            var changes = model.make(move, by: account, amount: amount, at: start)
            if used > 0 {
                changes.append(.creditUsed(ItemSamples.credit(account, used, model.listing)))
            }
            for event in model.events(changes, &clock, at: start) {
                try ledger.apply(.init(of: contract, .sale(event)))
            }
            #expect(ledger.money[contract]?.owed[.native] ?? .zero == Amount(small: owed))
        }
        let money = try #require(ledger.money[contract])
        #expect(money.credit(of: bo, in: .native) == Amount(small: 36_000))
        #expect(money.credit(of: cleo, in: .native) == .zero)
        let more = AuctionEvent.Change.creditUsed(ItemSamples.credit(bo, 36_001, model.listing))
        let bid = model.make(.bid, by: bo, amount: 60_000, at: start)
        let events = model.events(bid + [more], &clock, at: start)
        for event in events.dropLast() { try ledger.apply(.init(of: contract, .sale(event))) }
        #expect(throws: SaleFault.wrongCredit) {
            try ledger.apply(.init(of: contract, .sale(events[events.count - 1])))
        }
    }

    @Test func `a contract owes the money of a direct sale once it is paid`() throws {
        var ledger = ledger(.direct)
        let until = start.advanced(by: .days(1))
        let terms = DirectSaleTerms(
            currency: .native,
            price: Amount(small: 50_000),
            offerUntil: until
        )
        var model = DirectSaleModel(ItemSamples.listing(terms))
        var clock = EventClock()
        for (move, account) in [(.list, ana), (.pay, bo)] as [(DirectSaleMove, Address)] {
            let changes = model.make(move, by: account)
            for (change, position) in zip(changes, clock.positions(changes.count, at: start)) {
                let event = DirectSaleEvent(sale: model.id, position: position, change: change)
                try ledger.apply(.init(of: contract, .sale(event)))
            }
        }
        let sale = try #require(ledger.sales[model.id])
        #expect(sale.kind == .direct && sale.stage == .over && sale.buyer == bo)
        #expect(sale.history.map(\.move.name) == ["list", "pay"])
        #expect(ledger.money[contract]?.owed[.native] == Amount(small: 50_000))
        #expect(sale.role(of: bo) == .buyer && sale.state.outcome == .complete)
    }

    @Test func `refuses an event of another contract's kind`() throws {
        var ledger = ledger(.direct)
        let terms = AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        let model = AuctionModel(ItemSamples.listing(terms), at: start)
        var clock = EventClock()
        let ends = ChainTime(seconds: model.ends)
        let events = model.events([.listed(model.listing, ends: ends)], &clock, at: start)
        #expect(throws: SaleFault.otherKind) {
            try ledger.apply(.init(of: contract, .sale(events[0])))
        }
    }

    private func ledger(_ kind: SaleKind) -> SaleLedger {
        SaleLedger(
            chain: Samples.chain,
            contracts: [contract: .init(kind: kind, fees: ItemSamples.fees)],
            folds: SaleFolds([AuctionSale.self, DirectSale.self])
        )
    }
}
