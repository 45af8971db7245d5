import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Storage

/// Changes of a listing's price: its sale is withdrawn, and its token is listed again for the same
/// listing; if it has several pieces, that is done for each without a buyer.
///
/// Contracts do not change terms: the id of a sale is their hash. The slot of the listing stays, so
/// that all that names the listing still finds it.
extension PiecePlanner {
    /// Plans sales at the content's price instead of those of a listing's pieces.
    ///
    /// They promise the content or, with `keepsPromise`, what the earlier ones did.
    func plan(
        repricing found: FoundListing,
        _ content: ListingContent,
        keepsPromise: Bool = false,
        _ plan: inout PlannedOperation
    ) async throws {
        let chain = try markets.required(found.listing.chain)
        try chain.saleIndex.requireCurrent()
        let pieces = try store.pieces(of: found).pieces.compactMap {
            RepricedPiece($0, in: chain.saleIndex, keepsPromise: keepsPromise)
        }
        plan.registry = chain.deployment.registry
        plan.preview = ActionPreview(
            action: "edit",
            chain: chain.chain.number,
            subject: found.id.description,
            summary: [Sentence("preview.edit", ["title": content.title])]
        )
        guard let first = pieces.first else {
            return try plan.note(
                Refusal(
                    .moveNotOpen,
                    Sentence("refusal.notOnSale"),
                    Sentence("preview.phase", ["phase": "state.without_sale"])
                )
            )
        }
        // A call that went before may have listed some of them at the new price already.
        let relisted = try relisted(of: pieces.map(\.found), with: content)
        let unsold = pieces.filter { relisted.contains($0.found.id) }
        guard !unsold.isEmpty else { return try plan.note(Self.refusal(ofRepricing: first.sale)) }
        try await plan.check { _ in
            try await runner.requireUnchanged(pieces.map(\.found.id), onlyMoving: false)
        }
        let shown = store.shown(found, on: saleIndexes, at: offerPlanner.time).piece
        let model = pieces.first { $0.found.id == shown.id } ?? unsold[0]
        let time = chain.saleIndex.time ?? model.sale.position.time
        let offers = try await offers(of: unsold, as: model, content, on: chain, at: time)
        plan.preview.warnings += unsold.compactMap { $0.sale.reservationWarning(at: time) }
        try await self.plan(
            listing: offers,
            insteadOf: unsold,
            of: pieces,
            Withdrawal(of: unsold.map(\.view), on: chain, at: time),
            &plan
        )
        for offer in offers { plan.publish(.listing(offer.anchored), in: offer.slot) }
    }

    /// Returns the pieces that an edit lists again: those that nobody has bought, and whose price
    /// changes, or whose sales have ended while none is on offer.
    ///
    /// Beside a piece on offer, an edit that keeps the price is one of the text, and costs nothing.
    /// A reserved item that was not paid comes back only at another price, or as it was before.
    func relisted(
        of pieces: [FoundListing],
        with content: ListingContent
    ) throws(Refusal) -> Set<ListingID> {
        let isAnyOffered = pieces.contains(where: isOffered)
        var relisted: Set<ListingID> = []
        for piece in pieces {
            guard let sale = sale(of: piece), sale.buyer == nil else { continue }
            let hasEnded =
                sale.stage == .over && sale.state.offer?.offer.reservation == nil
                && saleIndexes.kinds.isBoughtAtOnce(sale.kind)
            let changesPrice = try content.changesPrice(of: piece.listing)
            if changesPrice || hasEnded && !isAnyOffered { relisted.insert(piece.id) }
        }
        return relisted
    }

    /// Whether the chain shows a sale of a piece that nobody has bought and that has not ended.
    func isOffered(_ piece: FoundListing) -> Bool { sale(of: piece)?.stage == .offered }

    private func sale(of piece: FoundListing) -> Market.Sale? {
        piece.listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale
    }

    private func plan(
        listing offers: [PlannedListing],
        insteadOf unsold: [RepricedPiece],
        of pieces: [RepricedPiece],
        _ withdrawal: Withdrawal,
        _ plan: inout PlannedOperation
    ) async throws {
        let chain = offers[0].chain
        try await plan.describe { preview in
            describe(
                offers,
                after: withdrawal,
                at: unsold[0].found.listing.terms.price,
                in: &preview
            )
            preview.warnings += try await offerPlanner.attendanceWarnings(of: offers[0])
        }
        let tokens = Set(pieces.compactMap(\.sale.state.item))
        if let refusal = try await offerPlanner.twinRefusal(of: offers[0], besides: tokens) {
            try plan.note(refusal)
        }
        try await plan.check { plan in
            for view in withdrawal.views {
                try await chain.confirm(view, acceptsOneSource: plan.acceptsOneSource)
            }
            let listing = try await offerPlanner.steps(of: offers, returned: withdrawal.returned)
            let all = withdrawal.steps + listing
            if !withdrawal.views.isEmpty {
                let counts = ["count": "\(all.count)", "pieces": "\(offers.count)"]
                let words = Sentence("preview.repriceSteps", counts)
                plan.preview.explanation.insert(words, at: 0)
            }
            if offers[0].listing.terms.currency == .native { plan.returned = withdrawal.returned }
            try await plan.send(all, gasOfLast: offers[0].sale.call.gas, on: chain)
        }
    }

    /// A piece whose price changes, with its sale.
    private struct RepricedPiece {
        let found: FoundListing
        let view: SaleView
        /// The promise that its next sale makes too; `nil` for that of the new content.
        let promise: ListingCommitment?

        var sale: Market.Sale { view.sale }

        /// Returns `nil` if the chain shows no sale of the piece.
        init?(_ found: FoundListing, in saleIndex: SaleIndex, keepsPromise: Bool) {
            guard let view = found.listing.sale.flatMap({ saleIndex.view(of: $0) }) else {
                return nil
            }
            (self.found, self.view) = (found, view)
            promise = keepsPromise ? found.promise : nil
        }
    }

    /// The end of the sales that are listed again.
    private struct Withdrawal {
        /// The sales that have not ended yet.
        let views: [SaleView]
        /// The transactions that end them, and pay their deposits out.
        let steps: [Intent.Step]
        /// The deposits that they pay out to the seller.
        let returned: Amount

        init(of all: [SaleView], on chain: MarketChain, at time: ChainTime) {
            views = all.filter { $0.sale.stage == .offered }
            var (calls, returned): ([ContractCall], Amount) = ([], .zero)
            var credits: [(contract: Address, amount: Amount)] = []
            for sale in views.map(\.sale) {
                let ending = chain.saleIndex.service(for: sale).withdrawal(of: sale, at: time)
                calls.append(ending.call)
                returned = returned.adding(ending.returned) ?? .max
                let contract = sale.reference.contract.address
                if let index = credits.firstIndex(where: { $0.contract == contract }) {
                    credits[index].amount = credits[index].amount.adding(ending.returned) ?? .max
                } else {
                    credits.append((contract, ending.returned))
                }
            }
            for (address, credit) in credits where !credit.isZero {
                guard let contract = chain.saleIndex.contract(at: address),
                    let sale = views.first?.sale
                else { continue }
                calls.append(contract.withdraw(credit, of: sale.currency, to: sale.seller))
            }
            self.returned = returned
            steps = calls.map { Intent.Step($0) }
        }
    }

    /// Why the price of a sale with a buyer cannot change, and what is possible instead.
    private static func refusal(ofRepricing sale: Market.Sale) -> Refusal {
        let isOpen = sale.stage != .over && sale.state.highestBid != nil
        return Refusal(
            .moveNotOpen,
            Sentence(isOpen ? "refusal.priceHasBid" : "refusal.priceSold"),
            .state(of: sale.state),
            field: "price.amount"
        )
    }

    /// Computes the sales that pieces are listed with, all of them with the same terms, which
    /// follow from those of one of them.
    private func offers(
        of unsold: [RepricedPiece],
        as model: RepricedPiece,
        _ content: ListingContent,
        on chain: MarketChain,
        at time: ChainTime
    ) async throws -> [PlannedListing] {
        let content = try content.repriced(
            model.found.listing,
            in: chain.saleIndex,
            of: model.sale,
            at: time
        )
        var offers: [PlannedListing] = []
        for piece in unsold {
            offers.append(try await offer(of: piece, content, on: chain, at: time))
        }
        return offers
    }

    /// Checks the new content, and computes the id of the sale that a piece is listed with.
    private func offer(
        of piece: RepricedPiece,
        _ content: ListingContent,
        on chain: MarketChain,
        at time: ChainTime
    ) async throws -> PlannedListing {
        let (sale, old) = (piece.sale, piece.found.listing)
        try offerPlanner.requireWork(content, by: sale.seller)
        let listing = try content.relisted(
            old,
            in: chain.saleIndex,
            of: sale,
            at: time,
            media: try await offerPlanner.media(of: content, keeping: old.media)
        )
        guard let token = sale.state.item, let maker = sale.state.maker else {
            preconditionFailure("a kind without tokens lets no price change")
        }
        var item: OwnedItem? = OwnedItem(token: token, maker: maker)
        if sale.stage == .over {
            var resold = content
            resold.item = token.decimal
            item = try await chain.item(ofListing: resold, listing.identifier, by: sale.seller)
        }
        let slot = piece.found.id.slot
        let offer = try offerPlanner.offer(
            listing,
            in: slot,
            of: item,
            promising: piece.promise,
            on: chain,
            by: sale.seller
        )
        guard chain.saleIndex.view(of: offer.sale.sale) == nil else {
            throw Refusal(.badTerms, Sentence("refusal.termsUsed"), field: "terms")
        }
        return offer
    }

    /// Describes all transactions to the seller: what returns, what is paid, and what happens if
    /// somebody is faster.
    private func describe(
        _ offers: [PlannedListing],
        after withdrawal: Withdrawal,
        at price: Amount,
        in preview: inout ActionPreview
    ) {
        let offer = offers[0]
        func money(_ amount: Amount) -> String {
            amount.value(in: offer.listing.terms.currency, on: offer.chain.chain)
        }
        let (title, now) = (offer.listing.title, offer.listing.terms.price)
        offer.service.describe(offer.content, by: offer.seller, in: &preview)
        preview.repeated(offers.count)
        preview.explanation += offer.listing.facts
        let prices = ["title": title, "old": money(price), "price": money(now)]
        preview.summary = [Sentence("preview.reprice", prices)]
        if offers.count > 1 {
            preview.summary.append(Sentence("preview.repricePieces", ["count": "\(offers.count)"]))
        }
        guard let view = withdrawal.views.first else {
            let ended = Sentence("preview.repriceEnded", ["pieces": "\(offers.count)"])
            preview.explanation.insert(ended, at: 0)
            return
        }
        var words: [Sentence] = []
        if !withdrawal.returned.isZero {
            let deposit = offers.reduce(Amount.zero) { $0.adding($1.sale.call.amount) ?? .max }
            let deposits = [
                "old": money(withdrawal.returned), "deposit": money(deposit),
                "pieces": "\(offers.count)",
            ]
            words.append(Sentence("preview.repriceDeposit", deposits))
        }
        words += [
            Sentence("preview.repriceRace", ["old": money(price), "pieces": "\(offers.count)"]),
            Sentence("preview.repriceKeeps"),
        ]
        preview.explanation = words + preview.explanation
        preview.expect(
            withdrawal.returned,
            offer.listing.terms.currency,
            Sentence("back.reprice", ["pieces": "\(offers.count)"])
        )
        preview.warnings += view.warnings
        preview.restsOnOneSource = withdrawal.views.contains(where: \.restsOnOneSource)
    }
}
