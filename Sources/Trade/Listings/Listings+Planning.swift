import Answers
package import Client
import Concurrency
import Contracts
package import Keys
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

/// A listing that is about to be withdrawn.
struct Withdrawal: Sendable {
    let found: FoundListing
    /// Its sale, if the chain shows one.
    let sale: SaleView?
    /// Why no transaction is needed, in words; `nil` if one is.
    let reason: String?
    /// The transactions that end the sale; none if it is over.
    let steps: [Intent.Step]

    var record: RecordWithdrawal { found.withdrawal(isSeen: sale != nil) }
}

/// Previews of creating, changing and withdrawing a listing.
extension Listings {
    /// Returns the preview of a new listing: what it would lock, cost and bring; signs nothing.
    ///
    /// - Throws: ``Refusal``: `bad_listing`, `bad_amount`, `bad_terms`, `bad_address`,
    ///   `wrong_market`, or the chain's health. Everything else is an obstacle in words.
    package func preview(
        _ content: ListingContent,
        by account: Address
    ) async throws -> ActionPreview {
        let offer = try await offer(content, by: account)
        let chain = offer.chain
        var preview = ActionPreview(action: "list", chain: chain.chain.number, summary: "")
        offer.service.describe(offer.content, by: account, in: &preview)
        preview.warnings += [try twinWarning(of: offer)].compactMap(\.self)
        if let refusal = try await twinRefusal(of: offer) { preview.note(refusal) }
        try await preview.check { preview in
            let steps = try await steps(of: offer)
            if steps.first == chain.allowance(for: offer) {
                preview.explanation.append(
                    offer.content.item == nil
                        ? "A first transaction allows the contract to mint tokens that name you as "
                            + "their maker. It is needed once for each contract."
                        : "A first transaction allows the contract to take your token."
                )
            }
            try await chain.price(
                steps,
                gasOfLast: offer.sale.call.gas,
                from: account,
                in: &preview
            )
        }
        return preview.inUnits(of: chain.deployment.registry)
    }

    /// Returns the preview of a change of a listing, which sends no transaction.
    ///
    /// - Throws: As ``edit(_:_:by:key:)``, but conditions that may change with time are obstacles
    ///   in words.
    package func preview(
        editing text: String,
        _ content: ListingContent,
        by account: Address
    ) async throws -> ActionPreview {
        let id = try ListingID(text)
        // The request must be valid, whatever the state of the sale.
        try requireAuthor(account, of: id)
        let old = try found(id).listing
        _ = try content.edited(old, media: try await media(of: content, keeping: old.media))
        var preview = ActionPreview(
            action: "edit",
            chain: old.chain.number,
            subject: id.description,
            summary:
                "The listing is published again as '\(content.title)', signed by your account.",
            explanation: ["Price and terms stay as they are. It costs no fee."]
        )
        try await preview.check { preview in
            let listing = try await edited(id, content, by: account)
            guard listing.anchor?.promised != nil else { return }
            preview.warnings.append(
                "It differs from what was promised when it was listed. Buyers see both, and what "
                    + "was promised is what counts."
            )
        }
        return preview
    }

    /// Returns the preview of a withdrawal: what it would bring and cost; signs nothing.
    ///
    /// - Throws: ``Refusal``: `unknown_listing`, `not_allowed`, `clock_wrong`, or the chain's health.
    ///   Everything else is an obstacle in words.
    package func preview(
        withdrawing text: String,
        by account: Address
    ) async throws -> ActionPreview {
        let id = try ListingID(text)
        var preview = ActionPreview(
            action: "withdraw",
            subject: id.description,
            summary: "The listing is withdrawn, signed by your account."
        )
        try await preview.check { preview in
            let withdrawal = try await withdrawal(of: id, by: account, acceptsOneSource: true)
            preview.chain = withdrawal.found.listing.chain.number
            preview.summary =
                "The listing '\(withdrawal.found.listing.title)' is withdrawn, signed by your account."
            guard let sale = withdrawal.sale, !withdrawal.steps.isEmpty else {
                preview.explanation += [withdrawal.reason].compactMap { $0 }
                if withdrawal.sale != nil {
                    preview.explanation.append(
                        "Title, description and identifier of the sale stay public in the "
                            + "withdrawal, so that its parties can still read what was promised."
                    )
                }
                if let reference = withdrawal.found.listing.sale,
                    let sources = saleIndexes[reference.contract.chain]?.sources
                {
                    preview.warnings += sources.warnings
                    preview.restsOnOneSource = sources.state == .away
                }
                return
            }
            let chain = markets[sale.sale]
            let service = chain.saleIndex.service(for: sale.sale)
            preview.explanation.append(
                type(of: service).sellsItem
                    ? "Its sale ends, and the token comes back to you."
                    : "Its open round is cancelled, and each student can get the price back."
            )
            let ending = service.withdrawal(
                of: sale.sale,
                at: chain.saleIndex.time ?? sale.sale.position.time
            )
            preview.expect(
                ending.returned,
                sale.sale.currency,
                "at once, as a credit that you collect"
            )
            preview.warnings += sale.warnings
            preview.restsOnOneSource = sale.restsOnOneSource
            try await chain.price(withdrawal.steps, from: account, in: &preview)
        }
        return preview
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
            throw Refusal(.chainAway, "No block was seen yet.")
        }
        try requireWork(content, by: account)
        let listing = try content.listing(
            in: chain.saleIndex,
            seller: account,
            at: time,
            media: try await media(of: content) ?? []
        )
        let service = try chain.saleIndex.service(forPayment: content.payment)
        let slot = Bytes32.random()
        let item = try await chain.item(ofListing: content, listing.identifier, by: account)
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
    /// Source: Docs/contracts.md, section 2.
    func steps(of offer: Offer) async throws -> [Intent.Step] {
        let chain = offer.chain
        try await chain.requireOwnContracts()
        try await offer.service.requireListable(offer.content, on: chain)
        let steps = try await chain.steps(for: offer.sale.call, by: offer.seller)
        return try await chain.isAllowed(for: offer)
            ? steps : [chain.allowance(for: offer)] + steps
    }
}
