import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market

/// Changes of a listing's price: its sale is withdrawn, and its token is listed again for the same
/// listing.
///
/// Contracts do not change terms: the id of a sale is their hash. The slot of the listing stays, so
/// that all that names the listing still finds it.
extension ListingPlanner {
    func plan(
        repricing id: ListingID,
        _ old: Market.Listing,
        _ content: ListingContent,
        _ plan: inout PlannedOperation
    ) async throws {
        let chain = try markets.required(old.chain)
        try chain.saleIndex.requireCurrent()
        plan.registry = chain.deployment.registry
        plan.preview = ActionPreview(
            action: "edit",
            chain: chain.chain.number,
            subject: id.description,
            summary: [Sentence("preview.edit", ["title": content.title])]
        )
        guard let view = old.sale.flatMap({ chain.saleIndex.view(of: $0) }) else {
            return try plan.note(
                Refusal(
                    .moveNotOpen,
                    Sentence("refusal.notOnSale"),
                    Sentence("preview.phase", ["phase": "state.without_sale"])
                )
            )
        }
        if let refusal = Self.refusal(ofRepricing: view.sale) { return try plan.note(refusal) }
        try await plan.check { _ in try await runner.requireUnchanged([id], onlyMoving: false) }
        let offer = try await offer(of: view.sale, in: id.slot, old, content, on: chain)
        let withdrawal = Withdrawal(of: view, on: chain)
        try await plan.describe { preview in
            describe(offer, after: withdrawal, at: old.terms.price, in: &preview)
            preview.warnings += try await attendanceWarnings(of: offer)
        }
        if let refusal = try await twinRefusal(of: offer) { try plan.note(refusal) }
        try await send(offer, after: withdrawal, &plan)
        let sale = offer.sale.sale
        let listing = offer.listing.anchored(contract: sale.contract.address, sale: sale.id)
        plan.publish(.listing(listing), in: id.slot)
    }

    /// Adds the transactions that end the present sale, and those that list the new one.
    private func send(
        _ offer: Offer,
        after withdrawal: Withdrawal?,
        _ plan: inout PlannedOperation
    ) async throws {
        try await plan.check { plan in
            if let view = withdrawal?.view {
                try await offer.chain.confirm(view, acceptsOneSource: plan.acceptsOneSource)
            }
            let returned = withdrawal?.returned ?? .zero
            let listing = try await steps(of: [offer], returned: returned)
            let all = (withdrawal?.steps ?? []) + listing
            if withdrawal != nil {
                let words = Sentence("preview.repriceSteps", ["count": "\(all.count)"])
                plan.preview.explanation.insert(words, at: 0)
            }
            if offer.listing.terms.currency == .native { plan.returned = returned }
            try await plan.send(
                all,
                gasOfLast: offer.sale.call.gas,
                on: offer.chain
            )
        }
    }

    /// The end of a sale that is listed again.
    private struct Withdrawal {
        let view: SaleView
        /// The transactions that end it, and pay its deposit out.
        let steps: [Intent.Step]
        /// The deposit that they pay out to the seller.
        let returned: Amount

        /// Returns `nil` if the sale has ended already.
        init?(of view: SaleView, on chain: MarketChain) {
            let sale = view.sale
            guard sale.stage == .offered,
                let contract = chain.saleIndex.contract(at: sale.reference.contract.address)
            else { return nil }
            let time = chain.saleIndex.time ?? sale.position.time
            let ending = chain.saleIndex.service(for: sale).withdrawal(of: sale, at: time)
            (self.view, returned) = (view, ending.returned)
            let payout = contract.withdraw(ending.returned, of: sale.currency, to: sale.seller)
            steps =
                [Intent.Step(ending.call)] + (returned.isZero ? [] : [Intent.Step(payout)])
        }
    }

    /// Why the price of a sale cannot change now, and what is possible instead; `nil` if it can.
    private static func refusal(ofRepricing sale: Market.Sale) -> Refusal? {
        guard sale.buyer != nil else { return nil }
        let isOpen = sale.stage != .over && sale.state.highestBid != nil
        return Refusal(
            .moveNotOpen,
            Sentence(isOpen ? "refusal.priceHasBid" : "refusal.priceSold"),
            .state(of: sale.state),
            field: "price.amount"
        )
    }

    /// Checks the new content, and computes the id of the sale that it is listed with.
    private func offer(
        of sale: Market.Sale,
        in slot: Bytes32,
        _ old: Market.Listing,
        _ content: ListingContent,
        on chain: MarketChain
    ) async throws -> Offer {
        try requireWork(content, by: sale.seller)
        let listing = try content.repriced(
            old,
            in: chain.saleIndex,
            of: sale,
            at: chain.saleIndex.time ?? sale.position.time,
            media: try await media(of: content, keeping: old.media)
        )
        guard let token = sale.state.item, let maker = sale.state.maker else {
            preconditionFailure("a kind without tokens lets no price change")
        }
        var item: OwnedItem? = OwnedItem(token: token, maker: maker)
        if sale.stage == .over {
            var resold = content
            resold.item = token.decimal
            item = try await chain.item(
                ofListing: resold,
                listing.identifier,
                by: sale.seller
            )
        }
        let offer = try offer(listing, in: slot, of: item, on: chain, by: sale.seller)
        guard chain.saleIndex.view(of: offer.sale.sale) == nil else {
            throw Refusal(.badTerms, Sentence("refusal.termsUsed"), field: "terms")
        }
        return offer
    }

    /// Describes both transactions to the seller: what returns, what is paid, and what happens if
    /// somebody is faster.
    private func describe(
        _ offer: Offer,
        after withdrawal: Withdrawal?,
        at price: Amount,
        in preview: inout ActionPreview
    ) {
        func money(_ amount: Amount) -> String {
            amount.value(in: offer.listing.terms.currency, on: offer.chain.chain)
        }
        let (title, now) = (offer.listing.title, offer.listing.terms.price)
        offer.service.describe(offer.content, by: offer.seller, in: &preview)
        let prices = ["title": title, "old": money(price), "price": money(now)]
        preview.summary = [Sentence("preview.reprice", prices)]
        let deposit = offer.sale.call.amount
        guard let withdrawal else {
            preview.explanation.insert(Sentence("preview.repriceEnded"), at: 0)
            return
        }
        var words: [Sentence] = []
        if !withdrawal.returned.isZero {
            let deposits = ["old": money(withdrawal.returned), "deposit": money(deposit)]
            words.append(Sentence("preview.repriceDeposit", deposits))
        }
        words += [
            Sentence("preview.repriceRace", ["old": money(price)]),
            Sentence("preview.repriceKeeps"),
        ]
        preview.explanation = words + preview.explanation
        preview.expect(
            withdrawal.returned,
            offer.listing.terms.currency,
            Sentence("back.reprice")
        )
        preview.warnings += withdrawal.view.warnings
        preview.restsOnOneSource = withdrawal.view.restsOnOneSource
    }
}
