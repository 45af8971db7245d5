import Answers
package import Client
import Ethereum
package import Keys
import Market
import Records
import Storage

/// Plans what changes the pieces of a listing: their number, their price, and their withdrawal.
///
/// Each piece is a listing with a sale of its own, and the first one stands for all of them. A
/// single thing has one piece.
package struct PiecePlanner: OfferPlanning {
    let offerPlanner: OfferPlanner

    init(_ offerPlanner: OfferPlanner) { self.offerPlanner = offerPlanner }

    /// Adds pieces to a listing, or withdraws free ones.
    ///
    /// Its obstacles: `malformed_value`, `unknown_listing`, `not_allowed`, `bad_listing`,
    /// `move_not_open` if fewer are free or none is on offer, `clock_wrong`, `in_progress`,
    /// `insufficient_balance`, `contract_refused`, or the chain's health.
    package func change(
        piecesOf text: String,
        _ change: PieceChange,
        by account: Address,
        acceptsOneSource: Bool = false
    ) throws -> ProposedOperation {
        try proposal(
            change.add == nil ? .withdraw : .list,
            on: text,
            asking: NamedChange(listing: text, change: change),
            by: account,
            acceptsOneSource: acceptsOneSource
        ) {
            try await self.plan(piecesOf: $0, change, &$1)
        }
    }

    private func plan(
        piecesOf id: ListingID,
        _ change: PieceChange,
        _ plan: inout PlannedOperation
    ) async throws {
        try offerPlanner.requireAuthor(plan.account, of: id)
        try await clockWatch.requireUsable()
        let found = try store.found(id)
        let set = try store.pieces(of: found)
        switch (change.add, change.withdraw) {
        case (let count?, nil) where count > 0: try await add(count, to: found, set, &plan)
        case (nil, let count?) where count > 0:
            try await withdraw(count, of: found, set, &plan)
        default:
            throw Refusal(.malformedValue, Sentence("refusal.addOrWithdraw"), field: "add")
        }
    }

    private func add(
        _ count: Int,
        to found: FoundListing,
        _ set: PieceSet,
        _ plan: inout PlannedOperation
    ) async throws {
        let account = plan.account
        if case .further = found.listing.pieces {
            throw Refusal(.badListing, Sentence("refusal.piecesOfFirst"), field: "listing")
        }
        let before = if case .first(let count) = found.listing.pieces { count } else { 1 }
        guard count <= PieceRole.countMax - before else {
            let most = ["most": "\(PieceRole.countMax)"]
            throw Refusal(.badListing, Sentence("refusal.piecesRange", most), field: "add")
        }
        let chain = try markets.required(found.listing.chain)
        try chain.saleIndex.requireCurrent()
        plan.preview = ActionPreview(
            action: "list",
            chain: chain.chain.number,
            subject: found.id.description,
            summary: []
        )
        let model = ListingView(set, of: found, on: saleIndexes, at: offerPlanner.time).piece
        let sale = model.listing.sale.flatMap { chain.saleIndex.view(of: $0) }?.sale
        if let refusal = Self.refusal(ofMoreLike: sale) { return try plan.note(refusal) }
        // A token that is sold again is a single one.
        guard sale?.state.maker ?? account == account else {
            throw Refusal(.badListing, Sentence("refusal.piecesKind"), field: "add")
        }
        let numbers = before..<before + count
        let offers = try furtherOffers(model.listing, of: found.id, numbers, on: chain)
        try await offerPlanner.plan(listing: offers, &plan)
        try await plan.check { _ in
            try await runner.requireUnchanged(set.pieces.map(\.id), onlyMoving: false)
        }
        try await offerPlanner.send(offers, &plan)
        let whole = found.listing.with(.first(count: before + count))
        plan.publish(.listing(whole), in: found.id.slot)
        for offer in offers { plan.publish(.listing(offer.anchored), in: offer.slot) }
    }

    /// Returns why no pieces can be added, by the sale of the one that is shown; `nil` if they can.
    private static func refusal(ofMoreLike sale: Market.Sale?) -> Refusal? {
        guard let sale, sale.stage == .offered else {
            return Refusal(.moveNotOpen, Sentence("refusal.piecesSoldOut"), field: "add")
        }
        return sale.state.offer?.offer.reservation?.refusal
    }

    private func withdraw(
        _ count: Int,
        of found: FoundListing,
        _ set: PieceSet,
        _ plan: inout PlannedOperation
    ) async throws {
        plan.preview = ActionPreview(
            action: "withdraw",
            subject: found.id.description,
            summary: [Sentence("preview.withdraw", ["title": found.listing.title])]
        )
        try await plan.check { plan in
            try await runner.requireUnchanged(set.pieces.map(\.id), onlyMoving: false)
            // The first one stands for all, and goes last.
            let offered = set.offered(on: saleIndexes)
            let free = Array(offered.suffix(count).reversed())
            guard free.count == count else {
                let counts = ["count": "\(offered.count)"]
                throw Refusal(
                    .moveNotOpen,
                    Sentence("refusal.fewerFree", counts),
                    field: "withdraw"
                )
            }
            try await withdraw(free, of: found, leaving: offered.count - count, &plan)
        }
    }

    /// Checks the content to be listed, and computes the sales of all its pieces.
    func offers(_ content: ListingContent, by account: Address) async throws -> [PlannedListing] {
        let first = try await offerPlanner.offer(content, by: account)
        let count = content.pieces ?? 1
        guard count != 1 else { return [first] }
        guard (1...PieceRole.countMax).contains(count) else {
            let most = ["most": "\(PieceRole.countMax)"]
            throw Refusal(.badListing, Sentence("refusal.piecesRange", most), field: "pieces")
        }
        try requireSeveral(first, field: "pieces")
        let listing = first.listing.with(.first(count: count))
        return [
            try offerPlanner.offer(listing, in: first.slot, of: nil, on: first.chain, by: account)
        ] + (try furtherOffers(listing, of: first.slot, 1..<count, on: first.chain, by: account))
    }

    /// Returns the sales of more pieces of a listing, at the price and the terms of one of them.
    private func furtherOffers(
        _ model: Market.Listing,
        of id: ListingID,
        _ numbers: Range<Int>,
        on chain: MarketChain
    ) throws -> [PlannedListing] {
        guard let now = chain.saleIndex.time else {
            throw Refusal(.chainAway, Sentence("refusal.noBlock"))
        }
        let content = ListingContent(model)
        try offerPlanner.requireWork(content, by: id.author)
        let listing = try content.listing(
            in: chain.saleIndex,
            seller: id.author,
            at: now,
            media: model.media
        )
        let offers = try furtherOffers(listing, of: id.slot, numbers, on: chain, by: id.author)
        try requireSeveral(offers[0], field: "add")
        return offers
    }

    /// Returns the sales of further pieces of a listing in a slot, by their numbers.
    private func furtherOffers(
        _ listing: Market.Listing,
        of first: Bytes32,
        _ numbers: Range<Int>,
        on chain: MarketChain,
        by account: Address
    ) throws -> [PlannedListing] {
        try numbers.map { number in
            let slot = PieceRole.slot(number, of: first)
            let piece = listing.with(.further(of: first))
            return try offerPlanner.offer(piece, in: slot, of: nil, on: chain, by: account)
        }
    }

    /// Refuses several pieces of what is one: a token that is sold again, or a thing that people
    /// bid for.
    private func requireSeveral(_ offer: PlannedListing, field: String) throws(Refusal) {
        let kind = offer.listing.terms.kind
        guard offer.content.item == nil, type(of: offer.service).sellsItem,
            offer.chain.saleIndex.kinds.isBoughtAtOnce(kind)
        else { throw Refusal(.badListing, Sentence("refusal.piecesKind"), field: field) }
    }
}

/// The content of a change, for comparing requests.
private struct NamedChange: Encodable {
    let listing: String
    let change: PieceChange
}
