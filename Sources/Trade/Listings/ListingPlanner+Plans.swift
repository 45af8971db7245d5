import Answers
import Client
import Keys
import Market
import Records

/// Plans of creating and changing a listing.
extension ListingPlanner {
    func plan(creating content: ListingContent, _ plan: inout PlannedOperation) async throws {
        let offers = try await piecePlanner.offers(content, by: plan.account)
        plan.preview = ActionPreview(
            action: "list",
            chain: offers[0].chain.chain.number,
            summary: []
        )
        try await offerPlanner.plan(listing: offers, &plan)
        if let refusal = try await offerPlanner.twinRefusal(of: offers[0]) {
            try plan.note(refusal)
        }
        try await offerPlanner.send(offers, &plan)
        for offer in offers { plan.publish(.listing(offer.anchored), in: offer.slot) }
    }

    func plan(
        editing id: ListingID,
        _ content: ListingContent,
        _ plan: inout PlannedOperation
    ) async throws {
        try offerPlanner.requireAuthor(plan.account, of: id)
        try await clockWatch.requireUsable()
        let found = try store.found(id)
        let old = store.shown(found, on: saleIndexes, at: offerPlanner.time).piece.listing
        let pieces = try store.pieces(of: found).pieces
        // Some of several pieces can be without a sale since an earlier change of the price.
        let relisted = try piecePlanner.relisted(of: pieces, with: content)
        let onSale = pieces.filter { piece in
            piece.listing.anchor != nil && !relisted.contains(piece.id)
                && piecePlanner.isOffered(piece)
        }
        if try content.changesPrice(of: old) || !relisted.isEmpty {
            try await piecePlanner.plan(repricing: found, content, &plan)
            guard !relisted.isEmpty else { return }
            // Those that have the new price already get the new text.
            let media = try await offerPlanner.media(of: content, keeping: old.media)
            return try publish(content, in: onSale, media: media, &plan)
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
        if onSale.isEmpty { try noteNotOnSale(old, &plan) }
        // The request must be valid, whatever the state of the sale.
        let media = try await offerPlanner.media(of: content, keeping: old.media)
        plan.preview.explanation += try content.edited(old, media: media).facts
        try publish(content, in: onSale, media: media, &plan)
    }

    /// Notes that no sale of a listing is on offer.
    private func noteNotOnSale(
        _ listing: Market.Listing,
        _ plan: inout PlannedOperation
    ) throws {
        let sale = listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale
        try plan.note(
            Refusal(
                .moveNotOpen,
                Sentence("refusal.notOnSale"),
                sale.map { .state(of: $0.state) }
                    ?? Sentence("preview.phase", ["phase": "state.without_sale"])
            )
        )
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
}
