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

/// Plans of creating, changing and withdrawing a listing.
extension ListingPlanner {
    func plan(creating content: ListingContent, _ plan: inout PlannedOperation) async throws {
        let account = plan.account
        let offer = try await offer(content, by: account)
        let chain = offer.chain
        plan.registry = chain.deployment.registry
        plan.preview = ActionPreview(action: "list", chain: chain.chain.number, summary: [])
        try await plan.describe { preview in
            offer.service.describe(offer.content, by: account, in: &preview)
            preview.warnings += [try twinWarning(of: offer)].compactMap(\.self)
            preview.warnings += try await attendanceWarnings(of: offer)
        }
        if let refusal = try await twinRefusal(of: offer) { try plan.note(refusal) }
        try await plan.check { plan in
            let steps = try await steps(of: offer)
            if steps.first == chain.allowance(for: offer) {
                plan.preview.explanation.append(
                    offer.content.item == nil
                        ? Sentence("preview.allowMint") : Sentence("preview.allowTake")
                )
            }
            try await plan.send(steps, gasOfLast: offer.sale.call.gas, on: chain)
        }
        let sale = offer.sale.sale
        let listing = offer.listing.anchored(contract: sale.contract.address, sale: sale.id)
        plan.publish(.listing(listing), in: offer.slot)
    }

    func plan(
        editing id: ListingID,
        _ content: ListingContent,
        _ plan: inout PlannedOperation
    ) async throws {
        try requireAuthor(plan.account, of: id)
        try await clockWatch.requireUsable()
        let old = try store.found(id).listing
        if try content.changesPrice(of: old) {
            return try await self.plan(
                repricing: id,
                old,
                content,
                &plan
            )
        }
        try await plan.check { _ in try await runner.requireUnchanged([id], onlyMoving: true) }
        plan.preview = ActionPreview(
            action: "edit",
            chain: old.chain.number,
            subject: id.description,
            summary: [
                Sentence("preview.edit", ["title": content.title])
            ],
            explanation: [Sentence("preview.editKeeps")]
        )
        let sale = old.sale.flatMap { saleIndexes.view(of: $0) }?.sale
        let isOnSale = old.anchor != nil && sale?.stage == .offered
        if !isOnSale {
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
        let edited = try content.edited(old, media: media)
        guard isOnSale, let anchor = old.anchor, let sale else { return }
        let promised = anchor.promised ?? ListingCommitment(of: old, slot: id.slot)
        let isAsPromised = promised.changes(in: edited).isEmpty
        if !isAsPromised {
            plan.preview.warnings.append(Sentence("preview.differsFromPromise"))
        }
        let kept = isAsPromised ? nil : promised
        let listing = edited.anchored(
            contract: sale.reference.contract.address,
            sale: sale.id,
            promised: kept
        )
        plan.publish(.listing(listing), in: id.slot)
    }

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
            try requireAuthor(plan.account, of: id)
            // Before the sale ends: others would ignore the record that says so.
            try await clockWatch.requireUsable()
            try await runner.requireUnchanged([id], onlyMoving: true)
            let found = try store.found(id)
            let listing = found.listing
            let view = try await endSale(of: listing, &plan)
            plan.preview.chain = listing.chain.number
            plan.preview.summary = [
                Sentence("preview.withdraw", ["title": listing.title])
            ]
            plan.publish(.withdrawal(found.withdrawal(isSeen: view != nil)), in: id.slot)
        }
    }

    /// Plans the end of the sale of a listing that is withdrawn.
    ///
    /// - Returns: The sale, if the chain shows one.
    private func endSale(
        of listing: Market.Listing,
        _ plan: inout PlannedOperation
    ) async throws -> SaleView? {
        guard let reference = listing.sale else {
            plan.preview.explanation = [Sentence("preview.noSale")]
            return nil
        }
        let chain = try markets.required(reference.contract.chain)
        // A sale that is merely not seen now would continue, and its deposit would stay locked.
        try chain.saleIndex.requireCurrent()
        let view = chain.saleIndex.view(of: reference)
        if view?.sale.stage == .running {
            throw Refusal(
                .moveNotOpen,
                Sentence("refusal.boughtOrBid")
            )
        }
        guard let view, view.sale.stage == .offered else {
            let isOver = try await chain.requireOver(
                reference,
                acceptsOneSource: plan.acceptsOneSource
            )
            plan.preview.explanation = [
                isOver ? Sentence("preview.saleOver") : Sentence("preview.unknownSale")
            ]
            if view != nil {
                plan.preview.explanation.append(Sentence("preview.promiseStays"))
            }
            plan.preview.warnings = chain.saleIndex.sources.warnings
            plan.preview.restsOnOneSource = chain.saleIndex.sources.state == .away
            return view
        }
        try await chain.confirm(view, acceptsOneSource: plan.acceptsOneSource)
        let sale = view.sale
        let service = chain.saleIndex.service(for: sale)
        let ending = service.withdrawal(of: sale, at: chain.saleIndex.time ?? sale.position.time)
        plan.preview.explanation = [
            type(of: service).sellsItem
                ? Sentence("preview.tokenReturns") : Sentence("preview.roundCancelled")
        ]
        plan.preview.expect(ending.returned, sale.currency, .credit)
        plan.preview.warnings = view.warnings
        plan.preview.restsOnOneSource = view.restsOnOneSource
        try await plan.send([Intent.Step(ending.call)], on: chain)
        return view
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

    /// Returns the transactions of a new listing, after all checks that precede its deposit.
    ///
    /// Before its first token, the seller allows the contract to mint in the seller's name; before a
    /// token is sold again, the seller allows the contract to take it. Only a contract that was
    /// proved genuine is allowed.
    ///
    /// `returned` is what earlier transactions of the same operation pay out to the seller.
    ///
    /// Source: Docs/contracts.md, section 2.
    func steps(of offer: Offer, returned: Amount = .zero) async throws -> [Intent.Step] {
        let chain = offer.chain
        try await chain.requireOwnContracts()
        try await offer.service.requireListable(offer.content, on: chain)
        let steps = try await chain.steps(
            for: offer.sale.call,
            by: offer.seller,
            returned: returned
        )
        return try await chain.isAllowed(for: offer)
            ? steps : [chain.allowance(for: offer)] + steps
    }
}
