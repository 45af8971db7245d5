import Answers
import Client
import Concurrency
import Contracts
import Ethereum
import Keys
import Market
import Records

/// A listing that is about to be created, and the sale that will carry its commitment.
struct Offer: Sendable {
    /// Where it is sold.
    let chain: MarketChain
    let listing: Market.Listing
    let slot: Bytes32
    let content: OfferedContent
    let sale: SaleOffer
    let service: any SaleKindService
    let seller: Address
}

/// Plans of creating and changing a listing.
extension ListingPlanner {
    func plan(creating content: ListingContent, _ plan: inout PlannedOperation) async throws {
        let offers = try await offers(content, by: plan.account)
        plan.preview = ActionPreview(
            action: "list",
            chain: offers[0].chain.chain.number,
            summary: []
        )
        try await self.plan(listing: offers, &plan)
        if let refusal = try await twinRefusal(of: offers[0]) { try plan.note(refusal) }
        try await send(offers, &plan)
        for offer in offers { plan.publish(.listing(offer.anchored), in: offer.slot) }
    }

    /// Describes new sales to their seller.
    func plan(listing offers: [Offer], _ plan: inout PlannedOperation) async throws {
        let offer = offers[0]
        plan.registry = offer.chain.deployment.registry
        try await plan.describe { preview in
            offer.service.describe(offer.content, by: offer.seller, in: &preview)
            if offers.count > 1 {
                preview.repeated(offers.count)
                let price = offer.listing.terms.price
                let words = Sentence(
                    "preview.pieces",
                    [
                        "count": "\(offers.count)",
                        "price": price.value(
                            in: offer.listing.terms.currency,
                            on: offer.chain.chain
                        ),
                    ]
                )
                preview.explanation.insert(words, at: 0)
            }
            preview.warnings += [try twinWarning(of: offer)].compactMap(\.self)
            preview.warnings += try await attendanceWarnings(of: offer)
        }
    }

    /// Adds the transactions of new sales.
    func send(_ offers: [Offer], _ plan: inout PlannedOperation) async throws {
        let offer = offers[0]
        try await plan.check { plan in
            let steps = try await steps(of: offers)
            if steps.first == offer.chain.allowance(for: offer) {
                plan.preview.explanation.append(
                    offer.content.item == nil
                        ? Sentence("preview.allowMint") : Sentence("preview.allowTake")
                )
            }
            try await plan.send(steps, gasOfLast: offer.sale.call.gas, on: offer.chain)
        }
    }

    func plan(
        editing id: ListingID,
        _ content: ListingContent,
        _ plan: inout PlannedOperation
    ) async throws {
        try requireAuthor(plan.account, of: id)
        try await clockWatch.requireUsable()
        let found = try store.found(id)
        let old = store.shown(found, on: saleIndexes, at: time).piece.listing
        let pieces = try store.pieces(of: found).pieces
        // Of several pieces, some can be without a sale since an earlier change of the price.
        if try content.changesPrice(of: old)
            || pieces.contains(where: { try isUnsold($0) && content.changesPrice(of: $0.listing) })
        {
            return try await self.plan(repricing: found, content, &plan)
        }
        try await plan.check { _ in
            try await runner.requireUnchanged(pieces.map(\.id), onlyMoving: true)
        }
        plan.preview = ActionPreview(
            action: "edit",
            chain: old.chain.number,
            subject: id.description,
            summary: [
                Sentence("preview.edit", ["title": content.title])
            ],
            explanation: [Sentence("preview.editKeeps")]
        )
        let onSale = pieces.filter { piece in
            piece.listing.anchor != nil
                && piece.listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale.stage == .offered
        }
        if onSale.isEmpty {
            let sale = old.sale.flatMap { saleIndexes.view(of: $0) }?.sale
            try plan.note(
                Refusal(
                    .moveNotOpen,
                    Sentence("refusal.notOnSale"),
                    sale.map { .state(of: $0.state) }
                        ?? Sentence("preview.phase", ["phase": "state.without_sale"])
                )
            )
        }
        // The request must be valid, whatever the state of the sale.
        let media = try await media(of: content, keeping: old.media)
        _ = try content.edited(old, media: media)
        try publish(content, in: onSale, media: media, &plan)
    }

    /// Publishes another text of listings, which keep their prices and terms.
    private func publish(
        _ content: ListingContent,
        in onSale: [FoundListing],
        media: [Media]?,
        _ plan: inout PlannedOperation
    ) throws {
        for piece in onSale {
            let text = try content.keepingTerms(of: piece.listing).edited(
                piece.listing,
                media: media
            )
            let (listing, isAsPromised) = piece.edited(to: text)
            let warning = Sentence("preview.differsFromPromise")
            if !isAsPromised, !plan.preview.warnings.contains(warning) {
                plan.preview.warnings.append(warning)
            }
            plan.publish(.listing(listing), in: piece.id.slot)
        }
    }

    /// Whether the chain shows the sale of a listing, and nobody has bought there.
    private func isUnsold(_ found: FoundListing) -> Bool {
        let sale = found.listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale
        return sale.map { $0.buyer == nil } ?? false
    }

    /// Checks the content to be listed, and computes the id of its sale.
    ///
    /// The sale's id is known in advance, so that no other sale can be taken for it.
    func offer(_ content: ListingContent, by account: Address) async throws -> Offer {
        // Before anything is paid: others would ignore the listing.
        try await clockWatch.requireUsable()
        let chain = try markets.chain(of: content)
        try chain.saleIndex.requireCurrent()
        guard let time = chain.saleIndex.time else {
            throw Refusal(.chainAway, Sentence("refusal.noBlock"))
        }
        try requireWork(content, by: account)
        let listing = try content.listing(
            in: chain.saleIndex,
            seller: account,
            at: time,
            media: try await media(of: content) ?? []
        )
        let item = try await chain.item(ofListing: content, listing.identifier, by: account)
        try requireForm(of: listing, selling: item, on: chain)
        return try offer(listing, in: .random(), of: item, on: chain, by: account)
    }

    /// Computes the sale of a listing whose content is checked; of a new token if there is no item.
    func offer(
        _ listing: Market.Listing,
        in slot: Bytes32,
        of item: OwnedItem?,
        on chain: MarketChain,
        by account: Address
    ) throws -> Offer {
        let service = try chain.saleIndex.service(forPayment: listing.terms.kind.rawValue)
        let offered = OfferedContent(
            title: listing.title,
            slot: slot,
            contentHash: listing.identifier.contentHash(madeBy: item?.maker ?? account),
            promise: ListingCommitment(of: listing, slot: slot).hash,
            terms: listing.terms,
            item: item
        )
        return Offer(
            chain: chain,
            listing: listing,
            slot: slot,
            content: offered,
            sale: try service.offer(offered, by: account),
            service: service,
            seller: account
        )
    }

    /// Returns the transactions of new listings with the same terms, after all checks that precede
    /// their deposits.
    ///
    /// Before its first token, the seller allows the contract to mint in the seller's name; before a
    /// token is sold again, the seller allows the contract to take it. Only a contract that was
    /// proved genuine is allowed.
    ///
    /// `returned` is what earlier transactions of the same operation pay out to the seller.
    ///
    /// Source: Docs/contracts.md, section 2.
    func steps(of offers: [Offer], returned: Amount = .zero) async throws -> [Intent.Step] {
        guard let last = offers.last else { return [] }
        // The preview shows the amounts of one, times their number.
        guard offers.allSatisfy({ $0.listing.terms == last.listing.terms }) else {
            throw Refusal(.badTerms, Sentence("refusal.termsDiffer"), field: "terms")
        }
        let (chain, call) = (last.chain, last.sale.call)
        try await chain.requireOwnContracts()
        try await last.service.requireListable(last.content, on: chain)
        let sum = offers.reduce(Amount.zero) { $0.adding($1.sale.call.amount) ?? .max }
        var steps = try await chain.steps(
            for: PaidCall(call: call.call, amount: sum, currency: call.currency, gas: call.gas),
            by: last.seller,
            returned: returned
        )
        let others = offers.dropLast().map { Intent.Step($0.sale.call.call) }
        steps.insert(contentsOf: others, at: steps.count - 1)
        var allowances: [Intent.Step] = []
        // One permission to mint is enough for all.
        for offer in offers where offer.content.item != nil || offer.slot == offers[0].slot {
            guard try await !chain.isAllowed(for: offer) else { continue }
            allowances.append(chain.allowance(for: offer))
        }
        return allowances + steps
    }
}

extension Offer {
    /// The listing, with the sale that it is listed with.
    var anchored: Market.Listing {
        listing.anchored(contract: sale.sale.contract.address, sale: sale.sale.id)
    }
}
