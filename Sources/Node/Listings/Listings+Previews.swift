package import Client
import Concurrency
import Contracts
package import Keys
import Market

/// A listing that is about to be created, and the sale that will carry its commitment.
struct Offer: Sendable {
    let listing: Market.Listing
    let terms: Market.EscrowTerms
    let slot: Bytes32
    let sale: SaleID
    let call: ContractCall
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
        let offer = try offer(content, by: account)
        var preview = preview(of: offer)
        try await preview.check { preview in
            let steps = try await steps(of: offer)
            try await chain.price(steps, gasOfLast: DrawingGas.list, from: account, in: &preview)
        }
        return preview
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
        _ = try content.edited(try found(id).listing)
        var preview = ActionPreview(
            action: "edit",
            subject: id.description,
            summary:
                "The listing is published again as '\(content.title)', signed by your account.",
            explanation: ["Price and terms stay as they are. It costs no fee."]
        )
        try await preview.check { preview in
            let listing = try edited(id, content, by: account)
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
    /// - Throws: ``Refusal``: `unknown_listing`, `not_allowed`, or the chain's health. Everything
    ///   else is an obstacle in words.
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
            preview.summary =
                "The listing '\(withdrawal.found.listing.title)' is withdrawn, signed by your account."
            guard let sale = withdrawal.sale, !withdrawal.steps.isEmpty else {
                preview.explanation += [withdrawal.reason].compactMap { $0 }
                if withdrawal.found.listing.sale != nil {
                    preview.warnings += chain.saleIndex.sources.warnings
                    preview.restsOnOneSource = chain.saleIndex.sources.state == .away
                }
                return
            }
            preview.explanation.append("Its sale ends, and the token comes back to you.")
            let terms = sale.state.terms
            preview.expect(
                terms.sellerDeposit,
                terms.currency,
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
    func offer(_ content: ListingContent, by account: Address) throws -> Offer {
        try chain.saleIndex.requireCurrent()
        guard let time = chain.saleIndex.time else {
            throw Refusal(.chainAway, "No block was seen yet.")
        }
        let listing = try content.listing(in: chain.deployment, seller: account, at: time)
        guard case .escrow(let terms) = listing.terms else {
            throw Refusal(.badListing, "Payment is by 'escrow'.", field: "payment")
        }
        let (slot, salt) = (Bytes32.random(), Bytes32.random())
        let contentHash = listing.identifier.contentHash
        let promise = ListingCommitment(of: listing, slot: slot).hash
        return Offer(
            listing: listing,
            terms: terms,
            slot: slot,
            sale: SaleID(
                contract: chain.deployment.contract,
                seller: account,
                salt: salt,
                token: .zero,
                contentHash: contentHash,
                promise: promise,
                terms: terms
            ),
            call: chain.escrow.list(
                terms: terms,
                token: nil,
                contentHash: contentHash,
                promise: promise,
                salt: salt
            ),
            seller: account
        )
    }

    /// Returns the transactions of a new listing, after all checks that precede its deposit.
    func steps(of offer: Offer) async throws -> [Intent.Step] {
        try await chain.requireOwnContracts()
        let terms = offer.terms
        let balance = try await chain.balance(of: offer.seller, in: terms.currency)
        guard balance >= terms.sellerDeposit else {
            throw chain.insufficient(terms.sellerDeposit, available: balance, in: terms.currency)
        }
        return try await chain.steps(
            for: offer.call,
            drawing: terms.sellerDeposit,
            in: terms.currency,
            by: offer.seller
        )
    }

    private func preview(of offer: Offer) -> ActionPreview {
        let terms = offer.terms
        func text(_ amount: Amount) -> String { chain.text(amount, in: terms.currency) }
        var preview = ActionPreview(
            action: "list",
            summary:
                "You offer '\(offer.listing.title)' for \(text(terms.price)) and lock a deposit "
                + "of \(text(terms.sellerDeposit)).",
            arbiter: ActionPreview.Arbiter(terms),
            deadline: Client.Sale.Deadline(
                SaleDeadline(at: terms.offerUntil, effect: .offerEnds)
            ),
            explanation: [
                "A buyer pays the price and locks \(text(terms.buyerDeposit)). You then have "
                    + "\(terms.shipWindow.inWords) to hand over; after that anybody can refund the "
                    + "buyer, who gets \(text(terms.latePenalty)) of your deposit.",
                "The buyer then has \(terms.confirmWindow.inWords) to confirm or dispute; after "
                    + "that anybody can complete the sale.",
                terms.arbiter.map {
                    "In a dispute \($0) decides alone how the price is shared, for a fee of "
                        + "\(text(terms.arbiterFee))."
                } ?? "There is no arbiter: both settle a dispute, or each loses by the default.",
            ]
        )
        preview.pay("deposit", terms.sellerDeposit, terms.currency)
        preview.expect(
            terms.sellerDeposit,
            terms.currency,
            "if you withdraw the listing before anybody buys"
        )
        let payout = EscrowPayout(
            exit: .confirm,
            share: .all,
            terms: terms,
            fees: chain.deployment.fees
        )
        if let payout {
            let parts = payout.platform.adding(payout.maker) ?? .zero
            preview.expect(
                payout.seller,
                terms.currency,
                "once a buyer confirms: the deposit and the price, less \(text(parts)) of fees"
            )
        }
        return preview
    }
}

extension Duration {
    /// `3 days`, or hours if it is not a whole number of days.
    fileprivate var inWords: String {
        let seconds = components.seconds
        guard seconds.isMultiple(of: 86_400) else { return "\(seconds / 3_600) hours" }
        return seconds == 86_400 ? "one day" : "\(seconds / 86_400) days"
    }
}
