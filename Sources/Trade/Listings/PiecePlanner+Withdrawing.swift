import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Records

/// Plans of withdrawing a listing.
extension PiecePlanner {
    func plan(
        withdrawing id: ListingID,
        _ plan: inout PlannedOperation
    ) async throws {
        plan.preview = ActionPreview(
            action: "withdraw",
            subject: id.description,
            summary: [Sentence("preview.withdrawAny")]
        )
        try await plan.check { plan in
            try offerPlanner.requireAuthor(plan.account, of: id)
            // Before the sale ends: others would ignore the record that says so.
            try await clockWatch.requireUsable()
            let found = try store.found(id)
            let pieces = try store.pieces(of: found).pieces
            try await runner.requireUnchanged(pieces.map(\.id), onlyMoving: true)
            // Pieces that somebody has bought stay until their sales are over.
            let idle = pieces.filter { piece in
                piece.listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale.stage != .running
            }
            // The first one stands for all, and goes last.
            let ended = idle.isEmpty ? [found] : idle.reversed()
            try await withdraw(ended, of: found, &plan)
        }
    }

    /// Plans the withdrawal of pieces of a listing, which are all that it has if it is a single
    /// one; `rest` others stay for sale.
    func withdraw(
        _ pieces: [FoundListing],
        of found: FoundListing,
        leaving rest: Int = 0,
        _ plan: inout PlannedOperation
    ) async throws {
        let listing = found.listing
        var endings: [SaleEnd] = []
        for piece in pieces {
            let ending = try await endSale(of: piece.listing, plan.acceptsOneSource)
            plan.preview.warnings.addMissing(ending.warnings)
            if ending.restsOnOneSource { plan.preview.restsOnOneSource = true }
            endings.append(ending)
            plan.publish(
                .withdrawal(piece.withdrawal(isSeen: ending.view != nil)),
                in: piece.id.slot
            )
        }
        // Pieces whose sales are over go with the others, but no transaction ends them.
        let ended = endings.filter { !$0.steps.isEmpty }
        for ending in ended.isEmpty ? endings : ended {
            plan.preview.explanation.addMissing(ending.explanation.map { $0.counting(ended.count) })
        }
        plan.preview.chain = listing.chain.number
        plan.preview.summary = [
            Sentence("preview.withdraw", ["title": listing.title])
        ]
        if rest > 0 {
            let values = ["title": listing.title, "count": "\(ended.count)", "rest": "\(rest)"]
            plan.preview.summary = [Sentence("preview.withdrawPieces", values)]
        } else if ended.count > 1 {
            let count = Sentence("preview.piecesWithdrawn", ["count": "\(ended.count)"])
            plan.preview.explanation.insert(count, at: 0)
        }
        let returned = ended.reduce(Amount.zero) { $0.adding($1.returned) ?? .max }
        plan.preview.expect(returned, listing.terms.currency, .credit)
        guard !ended.isEmpty else { return }
        try await plan.send(ended.flatMap(\.steps), on: try markets.required(listing.chain))
    }

    /// The end of the sale of a listing that is withdrawn.
    private struct SaleEnd {
        /// The sale, if the chain shows one.
        var view: SaleView?
        /// The transaction that ends it; none if it is over.
        var steps: [Intent.Step] = []
        var returned = Amount.zero
        var explanation: [Sentence] = []
        var warnings: [Sentence] = []
        var restsOnOneSource = false
    }

    /// Plans the end of the sale of a listing that is withdrawn.
    private func endSale(
        of listing: Market.Listing,
        _ acceptsOneSource: Bool
    ) async throws -> SaleEnd {
        guard let reference = listing.sale else {
            return SaleEnd(explanation: [Sentence("preview.noSale")])
        }
        let chain = try markets.required(reference.contract.chain)
        // A sale that is merely not seen now would continue, and its deposit would stay locked.
        try chain.saleIndex.requireCurrent()
        let view = chain.saleIndex.view(of: reference)
        if view?.sale.stage == .running {
            throw Refusal(.moveNotOpen, Sentence("refusal.boughtOrBid"))
        }
        guard let view, view.sale.stage == .offered else {
            let isOver = try await chain.requireOver(reference, acceptsOneSource: acceptsOneSource)
            let words = isOver ? Sentence("preview.saleOver") : Sentence("preview.unknownSale")
            return SaleEnd(
                view: view,
                explanation: [words] + (view == nil ? [] : [Sentence("preview.promiseStays")]),
                warnings: chain.saleIndex.sources.warnings,
                restsOnOneSource: chain.saleIndex.sources.state == .away
            )
        }
        try await chain.confirm(view, acceptsOneSource: acceptsOneSource)
        let sale = view.sale
        let service = chain.saleIndex.service(for: sale)
        let time = chain.saleIndex.time ?? sale.position.time
        let ending = service.withdrawal(of: sale, at: time)
        let isItem = type(of: service).sellsItem
        return SaleEnd(
            view: view,
            steps: [Intent.Step(ending.call)],
            returned: ending.returned,
            explanation: [
                isItem
                    ? Sentence("preview.tokenReturns", ["pieces": "1"])
                    : Sentence("preview.roundCancelled")
            ],
            warnings: [sale.reservationWarning(at: time)].compactMap(\.self) + view.warnings,
            restsOnOneSource: view.restsOnOneSource
        )
    }
}

extension Market.Sale {
    /// Warns that its end breaks an accepted offer; `nil` if no buyer can pay for what is reserved.
    func reservationWarning(at time: ChainTime) -> Sentence? {
        guard isOffered(at: time), let reservation = state.offer?.offer.reservation else {
            return nil
        }
        let values = ["account": reservation.buyer.checksummed, "time": reservation.until.value]
        return Sentence("preview.breaksOffer", values)
    }
}

extension [Sentence] {
    /// Adds those that are not there yet.
    fileprivate mutating func addMissing(_ others: [Sentence]) {
        for other in others where !contains(other) { append(other) }
    }
}
