import Contracts
import Keys
import Market
import Support
import Testing

/// How a trade ends.
enum TradeEnding: CaseIterable {
    case abort, refundBySeller, refundByAnyone, confirm, claim, settle, rule, executeDefault
    case refundOfDispute

    var exit: EscrowExit {
        switch self {
        case .abort: .abort
        case .refundBySeller, .refundByAnyone, .refundOfDispute: .refund
        case .confirm: .confirm
        case .claim: .claim
        case .settle: .settle
        case .rule: .rule
        case .executeDefault: .executeDefault
        }
    }

    var share: SellerShare {
        switch self {
        case .settle: SellerShare(basisPoints: 3_333) ?? .none
        case .rule: SellerShare(basisPoints: 6_667) ?? .none
        case .executeDefault: EscrowLimits.defaultShare
        case .confirm, .claim: .all
        case .abort, .refundBySeller, .refundByAnyone, .refundOfDispute: .none
        }
    }
}

/// The one kind of contract that these tests drive.
let escrowOnly = SaleContracts([EscrowContract.self])

/// A market on a development chain with its people.
struct SaleHarness: Sendable {
    static let seller = testKey(1)
    static let buyer = testKey(2)
    static let arbiter = testKey(3)
    static let stranger = testKey(4)
    static let platform = testKey(5).address

    let dev: DevChain
    let chain: ChainHarness
    let deployment: DeployedMarket

    static func client(_ dev: DevChain, _ transport: HTTPTransport) -> ChainClient {
        ChainClient(
            chain: ChainID(dev.chainNumber),
            endpoints: [dev.endpoint],
            transport: transport,
            logger: quiet
        )
    }

    static func deployed(on dev: DevChain, _ transport: HTTPTransport) async throws -> SaleHarness {
        for key in [seller, buyer, arbiter, stranger] {
            try await dev.fund(key.address, ether: 200)
        }
        var plan = MarketPlan(platform: platform)
        plan.testTokens = [.init(name: "Test Dollar", symbol: "TST", decimals: 6)]
        let client = client(dev, transport)
        let harness = SenderHarness(signer: KeySigner(stranger), client: client)
        let deployment = try await harness.run { sender in
            try await Deployer(
                plan: plan,
                sender: sender,
                client: client,
                contracts: escrowOnly,
                logger: quiet
            ).run()
        }
        return SaleHarness(
            dev: dev,
            chain: ChainHarness(
                dev: dev,
                transport: transport,
                filter: escrowOnly.filter(for: deployment)
            ) {
                $0.limits.mistrust = .milliseconds(50)
            },
            deployment: deployment
        )
    }

    /// Runs the chain service and everybody's sender for as long as `body` does.
    func run(_ body: (Market) async throws -> Void) async throws {
        func harness(_ key: PrivateKey) -> SenderHarness {
            SenderHarness(signer: KeySigner(key), client: chain.client)
        }
        try await chain.run { service in
            try await harness(Self.seller).run { seller in
                try await harness(Self.buyer).run { buyer in
                    try await harness(Self.arbiter).run { arbiter in
                        try await harness(Self.stranger).run { stranger in
                            let market = Market(
                                harness: self,
                                service: service,
                                senders: [seller, buyer, arbiter, stranger]
                            )
                            try await body(market)
                        }
                    }
                }
            }
        }
    }
}

/// One market in use.
struct Market: Sendable {
    private static let day: UInt64 = 86_400
    private static let price = Amount(small: 1_000_000_007)

    let harness: SaleHarness
    let service: ChainService
    /// Seller, buyer, arbiter, stranger.
    let senders: [TransactionSender]

    var deployment: DeployedMarket { harness.deployment }
    private var client: ChainClient { harness.chain.client }
    private var escrow: EscrowContract { EscrowContract(address: deployment.escrow) }

    /// Trades from listing to ending, and holds chain, contract and fold against each other.
    func play(_ ending: TradeEnding, in currency: Currency) async throws {
        let (seller, buyer, arbiter) = (senders[0], senders[1], senders[2])
        let sale = try await list(in: currency)
        let (id, terms) = (sale.id, sale.terms)
        if ending == .abort {
            try await send(escrow.abort(id), by: seller)
            return try await check(sale, ending)
        }
        try await buy(sale)
        switch ending {
        case .refundBySeller: try await send(escrow.refund(id), by: seller)
        case .refundByAnyone:
            try await refused(escrow.refund(id), by: senders[3], "the ship window is open")
            try await harness.dev.pass(seconds: 3 * Self.day)
            try await refused(escrow.transferItem(id), by: seller, "the ship window has ended")
            try await send(escrow.refund(id), by: senders[3])
        case .confirm: try await send(escrow.confirm(id), by: buyer)
        case .settle:
            let by = try await time().advanced(by: .seconds(3_600))
            try await send(escrow.settle(id, share: ending.share, settleBy: by), by: buyer)
            try await send(escrow.settle(id, share: ending.share, settleBy: by), by: seller)
        case .claim:
            try await send(escrow.transferItem(id), by: seller)
            try await refused(escrow.claim(id), by: senders[3], "the confirm window is open")
            try await harness.dev.pass(seconds: 21 * Self.day)
            try await send(escrow.claim(id), by: senders[3])
        case .rule, .executeDefault, .refundOfDispute:
            try await send(escrow.transferItem(id), by: seller)
            try await send(escrow.dispute(id), by: buyer)
            if ending == .rule {
                try await send(escrow.rule(id, share: ending.share), by: arbiter)
            } else if ending == .refundOfDispute {
                try await send(escrow.refund(id), by: seller)
            } else {
                try await refused(escrow.executeDefault(id), by: buyer, "ruling window is open")
                try await harness.dev.pass(seconds: 14 * Self.day)
                try await send(escrow.executeDefault(id), by: senders[3])
            }
        case .abort: break
        }
        #expect(terms.currency == currency)
        try await check(sale, ending)
    }

    /// A sale and what it was listed with.
    private struct Listed {
        let id: SaleID
        let terms: EscrowTerms
    }

    private func list(in currency: Currency) async throws -> Listed {
        let seller = senders[0]
        var terms = try EscrowTerms.standard(
            price: Self.price,
            currency: currency,
            form: .goods,
            now: try await time()
        )
        terms.arbiter = SaleHarness.arbiter.address
        terms.arbiterFee = Self.price.portion(basisPoints: 300) ?? .zero
        let salt = Bytes32.random()
        let call = escrow.list(
            terms: terms,
            token: nil,
            contentHash: Bytes32(repeating: 1),
            promise: Bytes32(repeating: 2),
            salt: salt
        )
        let id = SaleID(
            contract: deployment.contract,
            seller: seller.account,
            salt: salt,
            token: .zero,
            contentHash: Bytes32(repeating: 1),
            promise: Bytes32(repeating: 2),
            terms: terms
        )
        try await mint(terms.sellerDeposit, currency, for: seller)
        try await send(
            Spending.steps(for: call, drawing: terms.sellerDeposit, in: currency),
            by: seller
        )
        return Listed(id: id, terms: terms)
    }

    private func buy(_ sale: Listed) async throws {
        let (buyer, terms) = (senders[1], sale.terms)
        try await mint(terms.buyerSends, terms.currency, for: buyer)
        try await send(
            Spending.steps(
                for: escrow.buy(sale.id, terms: terms),
                drawing: terms.buyerSends,
                in: terms.currency
            ),
            by: buyer
        )
    }

    private func mint(
        _ amount: Amount,
        _ currency: Currency,
        for sender: TransactionSender
    ) async throws {
        guard case .token(let token) = currency else { return }
        try await send(
            TestTokenContract(address: token).mint(amount, to: sender.account),
            by: sender
        )
    }

    private func time() async throws -> ChainTime {
        let head = try await client.perform(RPCCall.block(.latest))
        return ChainTime(seconds: try #require(head).timestamp)
    }

    private func send(_ call: ContractCall, by sender: TransactionSender) async throws {
        try await send([Intent.Step(call)], by: sender)
    }

    private func send(_ steps: [Intent.Step], by sender: TransactionSender) async throws {
        let intent = Intent(id: IntentID(.random()), purpose: "trade", steps: steps)
        try await sender.submit(intent)
        let end = try await sender.ended(intent.id)
        try #require(end.phase == .final, "\(end)")
    }

    private func refused(
        _ call: ContractCall,
        by sender: TransactionSender,
        _ reason: String
    ) async throws {
        let intent = Intent(id: IntentID(.random()), purpose: "trade", steps: [Intent.Step(call)])
        try await sender.submit(intent)
        guard case .refused(let said) = try await sender.ended(intent.id).phase else {
            Issue.record("the contract allowed what is refused because \(reason)")
            return
        }
        #expect(said.contains(reason))
    }

    // What came of it

    /// The fold of all events in the store, once the head is applied.
    private func ledger() async throws -> SaleLedger {
        let head = try #require(try await client.perform(RPCCall.block(.latest)))
        try await service.until { $0.applied == head.id && $0.health == .following }
        var ledger = SaleLedger(
            chain: deployment.chain,
            contracts: [
                escrow.address: .init(kind: .escrow, fees: deployment.escrowContract.fees)
            ],
            folds: SaleFolds([EscrowSale.self])
        )
        for event in try harness.chain.store.events(of: deployment.chain) {
            guard let event = try escrowOnly.decode(event, of: deployment) else { continue }
            try ledger.apply(event)
        }
        return ledger
    }

    private func check(_ sale: Listed, _ ending: TradeEnding) async throws {
        let ledger = try await ledger()
        let currency = sale.terms.currency
        let folded = try #require(ledger.sales[sale.id])
        let state = try #require(folded.state as? EscrowSale)
        let money = try #require(ledger.money[escrow.address])
        let held = try #require(try await client.ask(escrow.sale(sale.id)))
        #expect(held.agrees(with: state), "\(ending) \(currency)")
        #expect(state.status == ending.exit.status, "\(ending)")
        let payout = state.payout(by: ending.exit, share: ending.share)
        let deposits = sale.terms.sellerDeposit
        let paid = ending == .abort ? deposits : deposits.adding(sale.terms.buyerSends)
        #expect(payout.total == paid, "\(ending)")
        #expect(try await client.ask(escrow.owed(in: currency)) == money.owed[currency] ?? .zero)
        let people = senders.map(\.account) + [SaleHarness.platform, EscrowRules.nobody]
        for account in people {
            let credit = try await client.ask(escrow.credit(of: account, in: currency))
            #expect(credit == money.credit(of: account, in: currency), "\(ending) \(account)")
        }
        // The maker is the seller here, so that both parts are one credit.
        let seller = payout.seller.adding(payout.maker)
        #expect(money.credit(of: senders[0].account, in: currency) == seller, "\(ending)")
        #expect(money.credit(of: senders[1].account, in: currency) == payout.buyer, "\(ending)")
        for sender in senders { try await withdraw(currency, by: sender, money) }
    }

    /// Draws a credit to an account of its own and counts what arrived.
    private func withdraw(
        _ currency: Currency,
        by sender: TransactionSender,
        _ money: ContractMoney
    ) async throws {
        let credit = money.credit(of: sender.account, in: currency)
        guard !credit.isZero else { return }
        let receiver = try #require(Address(Bytes32.random().bytes.prefix(20)))
        try await send(escrow.withdraw(currency, to: receiver), by: sender)
        #expect(try await balance(of: receiver, in: currency) == credit)
        #expect(try await client.ask(escrow.credit(of: sender.account, in: currency)) == .zero)
    }

    private func balance(of account: Address, in currency: Currency) async throws -> Amount {
        guard case .token(let token) = currency else {
            return try await client.perform(.balance(of: account)).amount
        }
        return try await client.ask(TokenContract(address: token).balance(of: account))
    }

    /// After all withdrawals the contract has what it owes: platform's parts, and nobody's.
    func checkBalances() async throws {
        let money = try #require(try await ledger().money[escrow.address])
        for currency in [Currency.native, .token(deployment.tokens[0].address)] {
            let kept = try await balance(of: escrow.address, in: currency)
            let platform = money.credit(of: SaleHarness.platform, in: currency)
            let nobody = money.credit(of: EscrowRules.nobody, in: currency)
            #expect(kept == platform.adding(nobody))
            #expect(kept == money.owed[currency])
            #expect(!platform.isZero && !nobody.isZero)
        }
    }

    /// Lists while the endpoint hides events: the contract tells, and afterwards the fold agrees.
    func checkKeptBackEvents() async throws {
        let sale = try await list(in: .native)
        let head = try #require(try await client.perform(RPCCall.block(.latest)))
        try await service.until { $0.applied == head.id }
        #expect(try harness.chain.store.events(of: deployment.chain).isEmpty)
        try await harness.dev.control("dev_fault", #"["none"]"#)
        let isNone = try await service.agreement(on: nil, of: sale.id, in: escrow, at: head.id)
        #expect(isNone == .differs)

        try await service.until { status in
            let events = try? harness.chain.store.events(of: deployment.chain)
            return status.health == .following && events?.isEmpty == false
        }
        let state = try await ledger().sales[sale.id]
        #expect(
            try await service.agreement(on: state, of: sale.id, in: escrow, at: head.id)
                == .agreed(endpoints: 1)
        )
        #expect(harness.chain.listener.updates.contains(.rolledBack(to: nil)))
    }
}
