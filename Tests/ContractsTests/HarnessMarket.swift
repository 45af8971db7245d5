import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

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

    /// The seller lets the contract mint, and the arbiter accepts to be named.
    func prepare() async throws {
        let item = ItemContract(address: deployment.item.address)
        let (seller, arbiter) = (senders[0], senders[2])
        #expect(try await !client.ask(item.isMinter(escrow.address, for: seller.account)))
        let first = escrow.list(try await offer(in: .native))
        try await refused(first, by: seller, "the arbiter is not registered for so long")
        let until = try await time().advanced(by: .days(3_650))
        for currency in currencies {
            let call = escrow.arbitrate(in: currency, feeMin: Amount(small: 1), until: until)
            try await send(call, by: arbiter)
            let terms = try await client.ask(
                escrow.arbiterTerms(of: arbiter.account, in: currency)
            )
            #expect(terms == .init(feeMin: Amount(small: 1), until: until))
        }
        try await refused(first, by: seller, "the maker has not allowed this minter")
        try await send(item.allowMinter(escrow.address), by: seller)
        #expect(try await client.ask(item.isMinter(escrow.address, for: seller.account)))
    }

    private var currencies: [Currency] { [.native, .token(deployment.tokens[0].address)] }

    /// Trades from listing to ending, and holds chain, contract and fold against each other.
    func play(_ ending: TradeEnding, in currency: Currency) async throws {
        let offer = try await list(in: currency)
        if ending.exit == .abort {
            try await abort(offer, ending)
            return try await check(offer, ending)
        }
        try await buy(offer)
        if ending.isDisputed {
            try await send(escrow.transferItem(offer), by: senders[0])
            try await send(escrow.dispute(offer), by: senders[1])
            if ending.isTaken { try await take(offer) }
        }
        try await end(offer, by: ending)
        try await check(offer, ending)
    }

    private func abort(_ offer: EscrowOffer, _ ending: TradeEnding) async throws {
        guard ending == .abortByAnyone else {
            return try await send(escrow.abort(offer), by: senders[0])
        }
        try await refused(escrow.abort(offer), by: senders[3], "only the seller")
        try await harness.dev.pass(seconds: 30 * Self.day)
        try await refused(escrow.buy(offer), by: senders[1], "the offer has ended")
        try await send(escrow.abort(offer), by: senders[3])
    }

    private func take(_ offer: EscrowOffer) async throws {
        let arbiter = senders[2]
        try await refused(escrow.rule(offer, share: .all), by: arbiter, "the case is not taken")
        try await send(escrow.take(offer), by: arbiter)
        try await refused(escrow.take(offer), by: arbiter, "the case is taken already")
    }

    private func end(_ offer: EscrowOffer, by ending: TradeEnding) async throws {
        let (seller, buyer) = (senders[0], senders[1])
        switch ending {
        case .abort, .abortByAnyone: break
        case .decline: try await send(escrow.decline(offer), by: seller)
        case .refundByAnyone:
            try await refused(escrow.refund(offer), by: senders[3], "the ship window is open")
            try await harness.dev.pass(seconds: 3 * Self.day)
            try await refused(escrow.decline(offer), by: seller, "the ship window has ended")
            try await send(escrow.refund(offer), by: senders[3])
        case .refundOfDispute, .refundOfTaken: try await send(escrow.refund(offer), by: seller)
        case .confirm, .confirmOfTaken: try await send(escrow.confirm(offer), by: buyer)
        case .settle, .settleOfTaken: try await settle(offer, ending.share, isTaken: ending.isTaken)
        case .claim:
            try await send(escrow.transferItem(offer), by: seller)
            try await refused(escrow.claim(offer), by: senders[3], "the confirm window is open")
            try await harness.dev.pass(seconds: 21 * Self.day)
            try await send(escrow.claim(offer), by: senders[3])
        case .rule: try await send(escrow.rule(offer, share: ending.share), by: senders[2])
        case .executeDefault, .executeDefaultOfTaken:
            try await refused(escrow.executeDefault(offer), by: buyer, "ruling window is open")
            try await harness.dev.pass(seconds: 14 * Self.day)
            try await send(escrow.executeDefault(offer), by: senders[3])
        }
    }

    /// Both propose, the buyer withdraws, and the seller's second proposal is agreed to.
    private func settle(
        _ offer: EscrowOffer,
        _ share: SellerShare,
        isTaken: Bool
    ) async throws {
        let due = isTaken ? offer.terms.arbiterFee : .zero
        let (seller, buyer) = (senders[0], senders[1])
        let until = try await time().advanced(by: .seconds(3_600))
        try await send(escrow.propose(offer, share: .all, until: until, feeDue: due), by: seller)
        try await send(escrow.propose(offer, share: .none, until: until, feeDue: due), by: buyer)
        try await send(escrow.withdrawProposal(offer), by: buyer)
        try await refused(
            escrow.agree(offer, share: .none, feeDue: due),
            by: seller,
            "no such proposal"
        )
        try await send(escrow.propose(offer, share: share, until: until, feeDue: due), by: seller)
        try await expectAgreement(on: offer)
        try await refused(
            escrow.agree(offer, share: .all, feeDue: due),
            by: buyer,
            "no such proposal"
        )
        let other = isTaken ? Amount.zero : Amount(small: 1)
        try await refused(
            escrow.agree(offer, share: share, feeDue: other),
            by: buyer,
            "another arbiter's fee is due"
        )
        try await send(escrow.agree(offer, share: share, feeDue: due), by: buyer)
    }

    /// Compares the running sale in the contract with the fold.
    private func expectAgreement(on offer: EscrowOffer) async throws {
        let id = offer.sale(in: deployment.contract).id
        let state = try #require(try await ledger().sales[id]).state
        let held = try #require(try await client.ask(escrow.sale(id)))
        #expect(held.agrees(with: state))
        #expect(held.sellerProposal != nil && held.buyerProposal == nil)
    }

    private func offer(in currency: Currency) async throws -> EscrowOffer {
        var terms = try EscrowTerms.standard(
            price: Self.price,
            currency: currency,
            form: .goods,
            now: try await time()
        )
        terms.arbiter = SaleHarness.arbiter.address
        terms.arbiterFee = Self.price.portion(basisPoints: 300) ?? .zero
        return EscrowOffer(
            seller: senders[0].account,
            salt: .random(),
            contentHash: Bytes32(repeating: 1),
            promise: Bytes32(repeating: 2),
            terms: terms
        )
    }

    private func list(in currency: Currency) async throws -> EscrowOffer {
        let offer = try await offer(in: currency)
        let id = offer.sale(in: deployment.contract).id
        #expect(try await client.ask(escrow.saleID(of: offer)) == id)
        let (seller, deposit) = (senders[0], offer.terms.sellerDeposit)
        try await mint(deposit, currency, for: seller)
        let steps = Spending.steps(for: escrow.list(offer), drawing: deposit, in: currency)
        try await send(steps, by: seller)
        return offer
    }

    private func buy(_ offer: EscrowOffer) async throws {
        let (buyer, terms) = (senders[1], offer.terms)
        try await mint(terms.buyerSends, terms.currency, for: buyer)
        let call = escrow.buy(offer)
        try await send(
            Spending.steps(for: call, drawing: terms.buyerSends, in: terms.currency),
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

    private func check(_ offer: EscrowOffer, _ ending: TradeEnding) async throws {
        let ledger = try await ledger()
        let (currency, terms) = (offer.terms.currency, offer.terms)
        let id = offer.sale(in: deployment.contract).id
        let folded = try #require(ledger.sales[id])
        let state = try #require(folded.state as? EscrowSale)
        let money = try #require(ledger.money[escrow.address])
        let held = try #require(try await client.ask(escrow.sale(id)))
        #expect(held.agrees(with: state), "\(ending) \(currency)")
        #expect(state.status == ending.exit.status, "\(ending)")
        #expect(state.isTaken == ending.isTaken, "\(ending)")
        let payout = state.payout(by: ending.exit, share: ending.share)
        let isPaid = ending.exit != .abort
        let paid = isPaid ? terms.sellerDeposit.adding(terms.buyerSends) : terms.sellerDeposit
        #expect(payout.total == paid, "\(ending)")
        let isDue = ending.isTaken && ending.exit != .executeDefault
        #expect(payout.arbiter == (isDue ? terms.arbiterFee : .zero), "\(ending)")
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

    /// Draws a credit in two parts to an account of its own and counts what arrived.
    private func withdraw(
        _ currency: Currency,
        by sender: TransactionSender,
        _ money: ContractMoney
    ) async throws {
        let credit = money.credit(of: sender.account, in: currency)
        guard !credit.isZero else { return }
        let receiver = try #require(Address(Bytes32.random().bytes.prefix(20)))
        let one = Amount(small: 1)
        let rest = try #require(credit.subtracting(one))
        try await send(escrow.withdraw(one, of: currency, to: receiver), by: sender)
        let all = escrow.withdraw(credit, of: currency, to: receiver)
        try await refused(all, by: sender, "more than the credit")
        try await send(escrow.withdraw(rest, of: currency, to: receiver), by: sender)
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
        for currency in currencies {
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
        let sale = try await list(in: .native).sale(in: deployment.contract)
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
        // Only from the first event on that was missing.
        let rolledBack = harness.chain.listener.updates.compactMap { update -> BlockID? in
            if case .rolledBack(let block) = update { block } else { nil }
        }
        let listed = try #require(state?.listedAt.blockNumber)
        #expect(rolledBack.map(\.number) == [listed - 1])
        let name = harness.dev.endpoint.name
        let differs = EndpointNotice(.stateDiffers(sale.id.hash), by: name)
        #expect(harness.chain.listener.updates.contains(.noticed(differs)))
    }
}
