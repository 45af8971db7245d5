package import Answers
package import Client
package import Contracts
package import Ethereum
package import Keys
package import Market

/// A node's service for the sales of one escrow contract.
package struct EscrowSales: ItemSaleService {
    package typealias State = EscrowSale
    package typealias Contract = EscrowContract

    package static let moves = EscrowMoveName.allCases.map(\.rawValue)
    package static let purchaseName = EscrowMoveName.buy.rawValue
    package static let goodsWarning: Sentence? = nil

    package let deployed: DeployedMarket.Contract
    package let market: DeployedMarket

    package init(contract deployed: DeployedMarket.Contract, in market: DeployedMarket) {
        (self.deployed, self.market) = (deployed, market)
    }

    package func withdrawal(
        of sale: Market.Sale,
        at time: ChainTime
    ) -> (call: ContractCall, returned: Amount) {
        (contract.abort(state(of: sale).listing.offer), state(of: sale).terms.sellerDeposit)
    }

    package func refusal(
        of request: Client.Purchase,
        by buyer: Address,
        in sale: Market.Sale
    ) -> Refusal? {
        if let refusal = request.bidRefusal ?? request.roundRefusal { return refusal }
        let terms = state(of: sale).terms
        if let named = terms.buyer, named != buyer { return .reserved(for: named) }
        guard buyer == terms.arbiter else { return nil }
        return Refusal(.ownListing, Sentence("refusal.arbiterBuys"))
    }

    /// The consequences of a sale without an arbiter, for both sides.
    static let noArbiterWarning = Sentence("escrow.noArbiter")

    package func purchase(_ request: Client.Purchase, of sale: Market.Sale) -> PaidCall {
        let offer = state(of: sale).listing.offer
        let terms = offer.terms
        return PaidCall(
            call: contract.buy(offer),
            amount: terms.buyerSends,
            currency: terms.currency,
            gas: ItemSales.purchaseGas
        )
    }

    package func describePurchase(
        _ request: Client.Purchase,
        of sale: Market.Sale,
        by buyer: Address,
        at time: ChainTime,
        in preview: inout ActionPreview
    ) {
        let state = state(of: sale)
        let terms = state.terms
        preview.arbiter = ActionPreview.Arbiter(terms)
        preview.deadline = Client.Sale.Deadline(
            EscrowDeadline(at: time.advanced(by: terms.shipWindow), effect: .refundOpens).described
        )
        preview.explanation += state.consequence(of: .buy, for: buyer)
        if terms.arbiter == nil { preview.warnings.append(Self.noArbiterWarning) }
        preview.pay("price", terms.price, terms.currency)
        preview.pay("deposit", terms.buyerDeposit, terms.currency)
        preview.expect(terms.buyerDeposit, terms.currency, Sentence("escrow.onceYouConfirm"))
        preview.expect(
            state.payout(by: .refund).buyer,
            terms.currency,
            Sentence("escrow.insteadRefunded"),
            from: time.advanced(by: terms.shipWindow)
        )
        preview.expect(
            state.payout(by: .decline).buyer,
            terms.currency,
            Sentence("escrow.insteadDeclined")
        )
    }

    package func show(
        _ sale: Market.Sale,
        at time: ChainTime,
        for account: Address?,
        in shown: inout Client.Sale
    ) {
        let state = state(of: sale)
        shown.escrow = Client.Sale.Escrow(
            terms: Client.EscrowTerms(state.terms),
            isTaken: state.isTaken,
            proposals: state.proposals(at: time).map { Client.Sale.Proposal($0, in: state) }
        )
    }
}

extension ActionPreview.Arbiter {
    /// The arbiter of some terms; `nil` if they have none.
    init?(_ terms: Market.EscrowTerms) {
        guard let arbiter = terms.arbiter else { return nil }
        self.init(account: arbiter.checksummed, fee: Money(terms.arbiterFee, terms.currency))
    }
}

extension Client.Sale.Proposal {
    fileprivate init(_ proposal: SettlementProposal, in state: EscrowSale) {
        self.init(
            by: proposal.by.checksummed,
            role: state.role(of: proposal.by).name,
            share: proposal.share.basisPoints,
            until: proposal.until.date
        )
    }
}
