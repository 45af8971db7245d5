import Answers
package import Client
package import Concurrency
import Contracts
import Foundation
package import Keys
import Market
package import MediaFiles
package import Records
import Setup
package import Storage

/// Finds, creates, changes and withdraws listings.
package actor Listings {
    let markets: Markets
    nonisolated let saleIndexes: SaleIndexes
    let runner: OperationRunner
    let store: Store
    let catalogue: Catalogue
    let stars: SellerStars
    /// `nil` in a market whose listings show no files.
    private let files: MediaService?
    let clock: any WallClock
    let clockWatch: ClockWatch
    let texts = ListingTexts()
    let pages = ListingPages()

    package init(
        markets: Markets,
        runner: OperationRunner,
        store: Store,
        catalogue: Catalogue,
        stars: SellerStars,
        files: MediaService? = nil,
        clock: any WallClock = SystemWallClock(),
        clockWatch: ClockWatch = ClockWatch()
    ) {
        self.markets = markets
        saleIndexes = markets.saleIndexes
        self.runner = runner
        self.store = store
        self.catalogue = catalogue
        self.stars = stars
        self.files = files
        (self.clock, self.clockWatch) = (clock, clockWatch)
    }

    /// Returns one listing.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing` or `listing_gone`.
    package func listing(_ text: String) throws -> Client.Listing {
        Client.Listing(try found(try ListingID(text)), on: saleIndexes, at: time)
    }

    /// The present time by all clocks; before a chain's first block, none of its listings ends by it.
    nonisolated var time: ListingTimes { saleIndexes.time(wall: Timestamp(clock.now)) }

    /// Creates a listing.
    ///
    /// Mints the item, locks the deposit, puts the commitment on the chain, and publishes the
    /// listing once that is final. The sale's id is known in advance, so that no other sale can be
    /// taken for it.
    ///
    /// - Returns: The operation that carries it out.
    /// - Throws: ``Refusal``: `bad_listing`, `bad_amount`, `bad_terms`, `bad_address`,
    ///   `unknown_chain`, `ambiguous_chain`, `insufficient_balance`, `contract_refused`,
    ///   `wrong_market`, `in_progress`, `clock_wrong`, or the chain's health.
    package func create(
        _ content: ListingContent,
        by account: Address,
        key: String,
        feeMax: String? = nil
    ) async throws -> Client.Operation {
        let operationRequest = try OperationRequest(
            .list,
            by: account,
            key: key,
            request: content,
            feeMax: feeMax
        )
        if let known = try await runner.known(operationRequest) { return known }
        let offer = try await offer(content, by: account)
        let chain = offer.chain
        if let refusal = try await twinRefusal(of: offer) { throw refusal }
        let steps = try await steps(of: offer)
        let fees = try await chain.agree(
            steps,
            gasOfLast: offer.sale.call.gas,
            to: feeMax,
            from: account
        )
        return try await runner.begin(
            operationRequest,
            subject: ListingID(author: account, slot: offer.slot).description,
            plan: OperationPlan(
                purpose: "list",
                steps: steps,
                feesMax: fees?.limits,
                publication: OperationPlan.Publication(
                    kind: .listing,
                    slot: offer.slot,
                    payload: RecordContent.listing(try anchored(offer.listing, offer.sale.sale))
                        .payload
                )
            ),
            fees: fees,
            on: chain.chain
        )
    }

    /// Changes the account's own listing; what was promised on the chain is kept in it too.
    ///
    /// - Throws: ``Refusal``: `unknown_listing`, `not_allowed`, `bad_listing`, `bad_terms`,
    ///   `clock_wrong`, `move_not_open` once somebody has bought.
    package func edit(
        _ text: String,
        _ content: ListingContent,
        by account: Address,
        key: String
    ) async throws -> Client.Operation {
        let id = try ListingID(text)
        let request = Edit(listing: text, content: content)
        let operationRequest = try OperationRequest(.edit, by: account, key: key, request: request)
        if let known = try await runner.known(operationRequest) { return known }
        let listing = try await edited(id, content, by: account)
        return try await runner.begin(
            operationRequest,
            subject: id.description,
            plan: OperationPlan(
                purpose: "edit",
                steps: [],
                publication: OperationPlan.Publication(
                    kind: .listing,
                    slot: id.slot,
                    payload: RecordContent.listing(listing).payload
                )
            ),
            fees: nil,
            on: listing.chain
        )
    }

    /// Returns a listing with new content, if its author can change it now.
    func edited(
        _ id: ListingID,
        _ content: ListingContent,
        by account: Address
    ) async throws -> Market.Listing {
        try requireAuthor(account, of: id)
        try await clockWatch.requireUsable()
        let old = try found(id).listing
        let sale = old.sale.flatMap { saleIndexes.view(of: $0) }?.sale
        guard let anchor = old.anchor, let sale, sale.stage == .offered else {
            throw Refusal(
                .moveNotOpen,
                "Only a listing that is on sale can be changed; this one is "
                    + "\(sale?.status.name ?? "not on the chain")."
            )
        }
        let edited = try content.edited(
            old,
            media: try await media(of: content, keeping: old.media)
        )
        let promised = anchor.promised ?? ListingCommitment(of: old, slot: id.slot)
        let isAsPromised = promised.changes(in: edited).isEmpty
        return try anchored(edited, sale.reference, promised: isAsPromised ? nil : promised)
    }

    /// Returns the files that a listing's content names; `nil` if it does not say.
    func media(of content: ListingContent, keeping old: [Media] = []) async throws -> [Media]? {
        guard let named = content.media else { return nil }
        guard let files else {
            guard named.isEmpty else {
                throw Refusal(.badListing, "This node takes no files for listings.", field: "media")
            }
            return []
        }
        return try await files.media(named, keeping: old)
    }

    /// Refuses a digital work of which the account has no file to deliver.
    func requireWork(_ content: ListingContent, by account: Address) throws {
        guard content.type == Market.Listing.Form.digital.rawValue else { return }
        let digits = content.identifier.lowercased()
        let file = Bytes32(hex: digits.hasPrefix("0x") ? digits : "0x" + digits)
        let hasWork = try file.map { file in
            try store.read { try $0.contains(Works.self, CompositeKey(account, file)) }
        }
        guard hasWork == true else {
            throw Refusal(
                .badListing,
                "You have no digital work with the SHA-256 \(content.identifier.quoted). Add its file "
                    + "first: stoa work add FILE.",
                field: "identifier"
            )
        }
    }

    func requireAuthor(_ account: Address, of id: ListingID) throws(Refusal) {
        guard id.author == account else {
            throw Refusal(.notAllowed, "Only its author can change or withdraw a listing.")
        }
    }

    /// Withdraws the account's own listing.
    ///
    /// A sale that nobody bought is aborted first, so that deposit and item come back.
    ///
    /// - Throws: ``Refusal``: `unknown_listing`, `not_allowed`, `clock_wrong`, `move_not_open` while
    ///   somebody has bought, or the chain's health.
    package func withdraw(
        _ text: String,
        by account: Address,
        key: String,
        feeMax: String? = nil,
        acceptsOneSource: Bool = false
    ) async throws -> Client.Operation {
        let id = try ListingID(text)
        let operationRequest = try OperationRequest(
            .withdraw,
            by: account,
            key: key,
            request: [text],
            feeMax: feeMax
        )
        if let known = try await runner.known(operationRequest) { return known }
        let withdrawal = try await withdrawal(
            of: id,
            by: account,
            acceptsOneSource: acceptsOneSource
        )
        let steps = withdrawal.steps
        let listing = withdrawal.found.listing
        var fees: AgreedFees?
        if !steps.isEmpty {
            let chain = try markets.required(listing.chain)
            fees = try await chain.agree(steps, to: feeMax, from: account)
        }
        return try await runner.begin(
            operationRequest,
            subject: id.description,
            plan: OperationPlan(
                purpose: "withdraw",
                steps: steps,
                feesMax: fees?.limits,
                publication: OperationPlan.Publication(
                    kind: .listing,
                    slot: id.slot,
                    payload: RecordContent.withdrawal(withdrawal.record).payload
                )
            ),
            fees: fees,
            on: listing.chain
        )
    }

    func withdrawal(
        of id: ListingID,
        by account: Address,
        acceptsOneSource: Bool
    ) async throws -> Withdrawal {
        try requireAuthor(account, of: id)
        // Before the sale ends: others would ignore the record that says so.
        try await clockWatch.requireUsable()
        let found = try found(id)
        guard let reference = found.listing.sale else {
            let reason = "It has no sale on the chain, so no fee is paid."
            return Withdrawal(found: found, sale: nil, reason: reason, steps: [])
        }
        let chain = try markets.required(reference.contract.chain)
        // A sale that is merely not seen now would go on, and its deposit would stay locked.
        try chain.saleIndex.requireCurrent()
        let over = "Its sale is over, so no fee is paid."
        let view = chain.saleIndex.view(of: reference)
        if view?.sale.stage == .running {
            throw Refusal(
                .moveNotOpen,
                "Somebody has bought this or bid for it. Finish the sale first, then withdraw the "
                    + "listing."
            )
        }
        guard let view, view.sale.stage == .offered else {
            let isOver = try await chain.requireOver(reference, acceptsOneSource: acceptsOneSource)
            let reason = isOver ? over : "The contract has no such sale, so no fee is paid."
            return Withdrawal(found: found, sale: view, reason: reason, steps: [])
        }
        try await chain.confirm(view, acceptsOneSource: acceptsOneSource)
        let service = chain.saleIndex.service(for: view.sale)
        let time = chain.saleIndex.time ?? view.sale.position.time
        let steps = [Intent.Step(service.withdrawal(of: view.sale, at: time).call)]
        return Withdrawal(found: found, sale: view, reason: nil, steps: steps)
    }

    func found(_ id: ListingID) throws -> FoundListing {
        guard let stored = try store.read({ try $0.record(in: id.key) }) else {
            throw Refusal(
                .unknownListing,
                "This node has no listing \(id). It may not have come here yet.",
                field: "listing"
            )
        }
        guard let found = FoundListing(stored) else {
            if case .laterListing = stored.readable()?.content {
                throw Refusal(
                    .unknownListing,
                    "This version does not support this listing's way of selling. Update the node to "
                        + "see it.",
                    field: "listing"
                )
            }
            throw Refusal(.listingGone, "The seller has withdrawn this listing.")
        }
        return found
    }

    private func anchored(
        _ listing: Market.Listing,
        _ sale: SaleReference,
        promised: ListingCommitment? = nil
    ) throws -> Market.Listing {
        do {
            return try listing.anchored(
                contract: sale.contract.address,
                sale: sale.id,
                promised: promised
            )
        } catch {
            throw error.refusal(.badListing)
        }
    }
}

/// The content of an edit, for comparing requests.
private struct Edit: Encodable {
    let listing: String
    let content: ListingContent
}
