import Keys
import Market
import Testing

struct SaleLedgerTests {
    private static let contract = SaleScript.contract.address
    private static let other = SaleScript.stranger

    private var script: SaleScript
    private var ledger: SaleLedger

    init() throws {
        let fees = try #require(SaleScript.fees)
        let escrow = SaleLedger.Contract(kind: .escrow, fees: fees)
        script = SaleScript(terms: try Samples.terms())
        ledger = SaleLedger(
            chain: Samples.chain,
            contracts: [Self.contract: escrow, Self.other: escrow],
            folds: SaleFolds([EscrowSale.self])
        )
    }

    private mutating func apply(_ change: EscrowEvent.Change) throws {
        let event = script.event(change, at: Samples.chainNow)
        try ledger.apply(SaleLedger.Event(of: Self.contract, .sale(event)))
    }

    private mutating func buy() throws {
        try apply(.listed(script.listing))
        let deadline = Samples.chainNow.advanced(by: script.listing.offer.terms.shipWindow)
        let (ana, bo) = (Samples.ana.address, Samples.bo.address)
        try apply(.bought(seller: ana, buyer: bo, deadline: deadline))
    }

    private mutating func propose(_ points: UInt64) throws {
        let proposal = SettlementProposal(
            by: Samples.bo.address,
            share: try #require(SellerShare(basisPoints: points)),
            until: Samples.chainNow.advanced(by: .days(1))
        )
        try apply(.proposed(proposal))
    }

    @Test mutating func `a sale remembers its moves with account, time and transaction`() throws {
        try buy()

        let sale = try #require(ledger.sales[script.id])
        #expect(sale.kind == .escrow && sale.stage == .running)
        #expect(sale.history.map(\.move.name) == ["list", "buy"])
        #expect(sale.history.map(\.move.account) == [Samples.ana.address, Samples.bo.address])
        #expect(sale.history.map(\.time) == [Samples.chainNow, Samples.chainNow])
        #expect(sale.history.map(\.transaction) == [1, 2].map { Bytes32(words: $0, 0, 0, 1) })
    }

    @Test mutating func `keeps the newest of many proposals and every other step`() throws {
        try buy()
        for number in 0..<UInt64(SaleLimits.stepsMax + 40) { try propose(number % 10_000) }

        let history = try #require(ledger.sales[script.id]).history
        #expect(history.count == SaleLimits.stepsMax)
        #expect(history.prefix(2).map(\.move.name) == ["list", "buy"])
        #expect(history.last?.transaction == Bytes32(words: script.height, 0, 0, 1))
        #expect(history.dropFirst(2).allSatisfy { $0.move.name == "propose" })
    }

    @Test mutating func `counts the money of each contract separately`() throws {
        try buy()

        let terms = script.listing.offer.terms
        let taken = try #require(terms.sellerDeposit.adding(terms.buyerSends))
        #expect(ledger.money[Self.contract]?.owed[terms.currency] == taken)
        #expect(ledger.money[Self.other]?.owed.isEmpty == true)
    }

    @Test mutating func `an impossible event changes nothing`() throws {
        try buy()
        let before = ledger.money[Self.contract]
        let stray = script.event(.listed(script.listing), at: Samples.chainNow)
        #expect(throws: SaleFault.otherSale) {
            try ledger.apply(SaleLedger.Event(of: Self.other, .sale(stray)))
        }
        #expect(throws: SaleFault.listedTwice) {
            try ledger.apply(SaleLedger.Event(of: Self.contract, .sale(stray)))
        }
        let credit = ContractMoney.Credit(
            currency: .native,
            account: Samples.ana.address,
            amount: Amount(small: 1)
        )
        #expect(throws: SaleFault.wrongCredit) {
            try ledger.apply(SaleLedger.Event(of: Self.contract, .withdrawn(credit, to: .zero)))
        }
        #expect(ledger.money[Self.contract] == before)
        #expect(ledger.sales[script.id]?.history.count == 2)
    }
    @Test mutating func `a credit can be withdrawn in parts, up to its full amount`() throws {
        try buy()
        let sale = try #require(ledger.sales[script.id]?.state as? EscrowSale)
        let declined = script.change(
            .decline,
            by: Samples.ana.address,
            share: .none,
            in: sale,
            at: Samples.chainNow
        )
        try apply(declined)
        let ana = ContractMoney.Credit(
            currency: .native,
            account: Samples.ana.address,
            amount: sale.terms.sellerDeposit
        )
        try apply(.credited(ana))
        let owed = try #require(ledger.money[Self.contract]?.owed[.native])
        func part(_ amount: Amount) -> SaleLedger.Event {
            let credit = ContractMoney.Credit(
                currency: .native,
                account: ana.account,
                amount: amount
            )
            return SaleLedger.Event(of: Self.contract, .withdrawn(credit, to: Self.other))
        }
        let one = Amount(small: 1)
        let rest = try #require(ana.amount.subtracting(one))

        try ledger.apply(part(one))
        #expect(ledger.money[Self.contract]?.credit(of: ana.account, in: .native) == rest)
        #expect(throws: SaleFault.wrongCredit) { try ledger.apply(part(ana.amount)) }
        #expect(throws: SaleFault.wrongCredit) { try ledger.apply(part(.zero)) }
        #expect(ledger.money[Self.contract]?.openCreditCount == 1)
        try ledger.apply(part(rest))

        let money = try #require(ledger.money[Self.contract])
        #expect(money.credit(of: ana.account, in: .native) == .zero)
        #expect(money.openCreditCount == 0)
        #expect(money.owed[.native] == owed.subtracting(ana.amount))
        #expect(ledger.sales[script.id]?.status.name == "declined")
    }

    @Test func `tracks each credit's sale and collects the oldest credit first`() throws {
        var money = ContractMoney()
        let (ana, sales) = (Samples.ana.address, (1...3).map { SaleID(Bytes32(repeating: $0)) })
        func credit(_ amount: UInt64) -> ContractMoney.Credit {
            ContractMoney.Credit(currency: .native, account: ana, amount: Amount(small: amount))
        }
        func parts() -> [String] {
            money.parts(of: ana, in: .native).map { part in
                "\(part.amount.decimal) of \((sales.firstIndex(of: part.sale) ?? 8) + 1)"
            }
        }
        try money.take(Amount(small: 100), in: .native)
        money.add(credit(5), of: sales[0])
        money.add(credit(0), of: sales[1])
        // As an auction credits one that is outbid twice.
        for amount in [7, 3] as [UInt64] { money.add(credit(amount), of: sales[1]) }
        money.add(credit(2), of: sales[2])
        #expect(parts() == ["5 of 1", "10 of 2", "2 of 3"])
        for (amount, left) in [
            (4, ["1 of 1", "10 of 2", "2 of 3"]), (1, ["10 of 2", "2 of 3"]),
            (11, ["1 of 3"]), (1, []),
        ] as [(UInt64, [String])] {
            try money.withdraw(credit(amount))
            #expect(parts() == left)
            let sum = money.parts(of: ana, in: .native)
                .reduce(Amount.zero) { $0.adding($1.amount) ?? .max }
            #expect(money.credit(of: ana, in: .native) == sum)
        }
        #expect(money.openCreditCount == 0)
    }

    @Test func `a withdrawal of exactly the newest credits leaves the earlier ones`() throws {
        var money = ContractMoney()
        let (ana, sales) = (Samples.ana.address, (1...4).map { SaleID(Bytes32(repeating: $0)) })
        func credit(_ amount: UInt64) -> ContractMoney.Credit {
            ContractMoney.Credit(currency: .native, account: ana, amount: Amount(small: amount))
        }
        func left() -> [SaleID] { money.parts(of: ana, in: .native).map(\.sale) }
        try money.take(Amount(small: 100), in: .native)
        for (sale, amount) in zip(sales, [5, 4, 4, 15] as [UInt64]) {
            money.add(credit(amount), of: sale)
        }
        // The deposit of the last sale is drawn to list its thing again.
        try money.withdraw(credit(15))
        #expect(left() == Array(sales[..<3]))
        try money.withdraw(credit(8))
        #expect(left() == [sales[0]])
        #expect(money.credit(of: ana, in: .native) == Amount(small: 5))
    }
}
