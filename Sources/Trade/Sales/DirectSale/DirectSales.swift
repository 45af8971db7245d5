package import Answers
package import Client
package import Contracts
package import Ethereum
package import Keys
package import Market

/// A node's service for the sales of one contract for direct sales.
package struct DirectSales: ItemSaleService {
    package typealias State = Market.DirectSale
    package typealias Contract = DirectSaleContract

    package static let moves = [DirectSaleMove.pay, .abort].map(\.name)
    package static let purchaseName = "buy"
    package static let goodsWarning: Sentence? = ItemSales.goodsWarning
    package static let reviewCondition = Sentence("refusal.reviewOnceSold")

    package let deployed: DeployedMarket.Contract
    package let market: DeployedMarket

    package init(contract deployed: DeployedMarket.Contract, in market: DeployedMarket) {
        (self.deployed, self.market) = (deployed, market)
    }

    package func withdrawal(
        of sale: Market.Sale,
        at time: ChainTime
    ) -> (call: ContractCall, returned: Amount) {
        (contract.abort(state(of: sale).listing.offer), .zero)
    }

    package func refusal(
        of request: Client.Purchase,
        by buyer: Address,
        in sale: Market.Sale
    ) -> Refusal? {
        if let refusal = request.bidRefusal ?? request.roundRefusal { return refusal }
        guard let named = state(of: sale).terms.buyer, named != buyer else { return nil }
        return .reserved(for: named)
    }

    package func purchase(_ request: Client.Purchase, of sale: Market.Sale) -> PaidCall {
        let offer = state(of: sale).listing.offer
        return PaidCall(
            call: contract.pay(offer),
            amount: offer.terms.price,
            currency: offer.terms.currency,
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
        preview.explanation.append(state.consequence(of: .pay))
        preview.pay("price", state.terms.price, state.terms.currency)
    }

    package func actions(
        in sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) -> [SaleAction] {
        ItemSales.actions(state(of: sale).actions(for: account, at: time), name: \.name)
    }

    package func check(_ request: Client.SaleMove) throws(Refusal) {
        try ItemSales.check(
            request,
            moves: [DirectSaleMove.abort.name],
            purchase: DirectSaleMove.pay.name
        )
    }

    package func move(
        _ request: Client.SaleMove,
        in sale: Market.Sale,
        by account: Address,
        at time: ChainTime,
        requireAnswerable: () throws(Refusal) -> Void
    ) throws(Refusal) -> PlannedMove {
        let state = state(of: sale)
        let open = try ItemSales.open(
            request.move,
            in: state.actions(for: account, at: time),
            of: state,
            at: time,
            name: \.name,
            requireAnswerable: requireAnswerable
        )
        return PlannedMove(
            call: contract.abort(state.listing.offer),
            preview: ActionPreview(
                action: request.move,
                subject: sale.id.description,
                summary: open.consequence
            )
        )
    }

    package func show(
        _ sale: Market.Sale,
        at time: ChainTime,
        for account: Address?,
        in shown: inout Client.Sale
    ) {
        shown.direct = Client.Sale.DirectSale(terms: Client.DirectSaleTerms(state(of: sale).terms))
    }
}

extension DirectSales {
    package func terms(
        of content: ListingContent,
        form: Market.Listing.Form,
        by seller: Address,
        at time: ChainTime
    ) throws(Refusal) -> SaleTerms {
        let wanted = content.direct?.offerUntil.map { ChainTime(seconds: $0) }
        let terms = Market.DirectSaleTerms(
            currency: try content.price.acceptedCurrency(in: deployed),
            price: try Amount.entered(content.price.amount, field: "price.amount"),
            offerUntil: wanted ?? time.advanced(by: ItemSales.offerWindow),
            buyer: try content.direct?.buyer.map { text throws(Refusal) in
                try Address.entered(text, field: "direct.buyer")
            }
        )
        do { try terms.check(seller: seller, at: time) } catch { throw error.directRefusal }
        return .direct(terms)
    }

    package static func show(_ terms: SaleTerms, in content: inout ListingContent) {
        guard case .direct(let terms) = terms else { return }
        content.direct = Client.DirectSaleTerms(terms)
    }

    package static func terms(in terms: SaleTerms) -> Market.DirectSaleTerms? {
        if case .direct(let terms) = terms { terms } else { nil }
    }

    package func dueMoves(
        under terms: SaleTerms,
        listedAt time: ChainTime
    ) -> (moves: Set<UnattendedMove>, until: ChainTime)? {
        guard case .direct(let terms) = terms else { return nil }
        // A token that nobody buys is as safe in the contract.
        return ([], terms.offerUntil)
    }

    package func repriced(
        _ content: ListingContent,
        of sale: Market.Sale,
        at time: ChainTime
    ) throws(Refusal) -> ListingContent {
        let old = state(of: sale).terms
        var shown = Client.DirectSaleTerms(old)
        guard content.direct == nil || content.direct == shown else { return content }
        var content = content
        shown.offerUntil = ItemSales.offerEnd(after: old.offerUntil, at: time).seconds
        content.direct = shown
        return content
    }

    package static func reserve(
        _ content: inout ListingContent,
        for reservation: Reservation
    ) throws(Refusal) {
        content.direct?.buyer = reservation.buyer.checksummed
        content.direct?.offerUntil = reservation.until.seconds
    }

    package func describe(
        _ content: SaleContent,
        by seller: Address,
        in preview: inout ActionPreview
    ) {
        guard case .direct(let terms) = content.terms else { return }
        preview.summary = [
            Sentence(
                "direct.youOffer",
                ["title": content.title, "price": money(terms.price, in: terms.currency)]
            )
        ]
        preview.deadline = Client.Sale.Deadline(
            DirectSaleDeadline(at: terms.offerUntil, effect: .offerEnds).described
        )
        preview.explanation.append(Sentence("direct.untilPaid", ["pieces": "1"]))
        if let buyer = terms.buyer { preview.explanation.append(.reserved(for: buyer)) }
        preview.expect(
            content.proceeds(of: terms.price, fees: deployed.fees, to: seller),
            terms.currency,
            Sentence("direct.onceBought", ["pieces": "1"])
        )
    }
}

extension Client.DirectSaleTerms {
    init(_ terms: Market.DirectSaleTerms) {
        self.init(offerUntil: terms.offerUntil.seconds, buyer: terms.buyer?.checksummed)
    }
}

extension TermsFault {
    /// The bound of a direct sale in words.
    fileprivate var directRefusal: Refusal {
        switch Market.DirectSaleTerms.Term(rawValue: term) {
        case .price:
            Refusal(.badTerms, Sentence("refusal.priceRange"), field: "price")
        case .buyer:
            Refusal(.badTerms, Sentence("refusal.zeroBuyer"), field: "direct.buyer")
        case .offerUntil, nil:
            Refusal(.badTerms, Sentence("refusal.offerEndRange"), field: "direct.offerUntil")
        }
    }
}
