import ArgumentParser
import Client

/// The command `stoa sale …`.
struct SaleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sale",
        abstract: "Buy, bid, show your sales, and make the moves that are open to you.",
        subcommands: [
            SaleBuy.self, SaleBid.self, SaleOffer.self, SaleOffers.self, SaleAccept.self,
            SaleAddress.self, SaleWork.self, SalePictures.self, Show.self, SaleWatch.self,
            List.self, Transfer.self,
            Confirm.self,
            Abort.self,
            Decline.self, Relist.self, Refund.self, Dispute.self, Claim.self, Propose.self,
            Agree.self,
            WithdrawProposal.self, Take.self, Rule.self, Default.self, End.self,
        ]
    )

    struct Show: SaleReaderCall {
        static let configuration = command("Show a sale and the moves open to you.")
        static let examples = ["sale show bicycle", "sale show 9ab01c22"]

        @Argument(help: .sale, completion: CompletionValues.sales) var sale: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient, own: String?) async throws {
            let found = try await node.sale(sale)
            let output = options.output
            let listing = output.isJSON ? nil : await SaleCommand.listing(of: found, node)
            let parties = [found.seller, found.buyer].compactMap(\.self)
            let names =
                output.isJSON
                ? .none : await Names.of(node, own: own).with(profilesOf: parties, node)
            if !output.isJSON, let note = await ChainNotes.text(of: found.chain, node) {
                output.note("warning    " + note)
            }
            try output.show(found) { SaleText.full($0, listing, names) }
        }
    }

    struct List: AccountCall {
        static let configuration = command(
            "Show your sales, most recently changed first.",
            discussion: """
                The list is 'running' (somebody has bought), 'bids' (sales in which you bid), \
                'postings' (what you offer, and what ended unsold), 'purchases' (running or ended), \
                'sold', 'to_review' (ended within 30 days, and you have not reviewed it), 'to_send' \
                (paid out, and its seller has not said that it was sent), or 'to_collect' (it has credited you something that you have not collected). Without one, all sales are \
                shown. Several pieces of one listing that stand alike are one row.

                --phase takes the contract's words, as --json prints them. While nobody has bought, \
                the phase is 'listed', 'ready' or 'open', depending on the kind of sale; then \
                'paid', 'transferred' (handed over), 'disputed', 'bid' or 'begun'; and at the end \
                'complete' (or 'completed'), 'sold', 'unsold', 'declined', 'refunded', 'settled', \
                'cancelled' or 'aborted' (withdrawn).
                """
        )
        static let examples = ["sale list", "sale list purchases", "sale list --phase paid"]

        @Argument(
            help: "Only this list, such as purchases.",
            completion: CompletionValues.saleLists
        )
        var list: String?
        @Option(help: "Only sales in this phase, such as paid.") var phase: String?
        @Flag(help: "Show the earliest deadline first, and sales without one last.")
        var byDeadline = false
        @Flag(
            help: "Show sales too that you ended and listed again, as at another price."
        )
        var all = false
        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let page = try await node.sales(
                list: list,
                // As sales are shown; the contract's word is another.
                phase: phase == "completed" ? "complete" : phase,
                byDeadline: byDeadline,
                showsReplaced: all,
                limit: paging.limit,
                after: paging.after
            )
            try options.output.show(page) { SaleText.page($0) }
        }
    }

    /// Returns the listing of a sale, or `nil` if the node does not have it.
    static func listing(of sale: Sale, _ node: StoaClient) async -> Listing? {
        guard let listing = sale.listing else { return nil }
        return try? await node.listing(listing)
    }
}

/// The command `stoa sale buy`.
struct SaleBuy: AccountCall, ListingNaming {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy: show the costs, then pay the price, and your deposit if there is one.",
        discussion: """
            A listing keeps its id when its price or its terms change, so --yes needs the whole id of \
            the sale instead of the listing: that fixes price, deposit, arbiter and times. --dry-run \
            ends with that command. If there is neither a deposit nor an arbiter, the whole id of the \
            listing and --price are enough: other listings can have the same words.
            """
    )
    static let examples = ["sale buy bicycle --ship-to DE", "sale buy 3f9ac21b"]

    @Argument(
        help: """
            The listing: its id, the first digits of the id, or words from its title; or the whole \
            id of its sale.
            """
    )
    var listing: String
    @OptionGroup var destination: ShipToOptions
    @OptionGroup var telling: AddressTelling
    @Flag(help: "Buy on the original terms although the seller has since changed the listing.")
    var acceptChanges = false
    @OptionGroup var agreed: AgreedPriceOption
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard !IDText.isWholeSale(listing) else { return }
        try agreed.check(consent)
        guard !consent.yes || IDText.isWholeListing(listing) else {
            throw ValidationError(
                "With --yes, give the whole id of the sale or of the listing: another listing can have "
                    + "the same words, or the same first digits, once this one is gone."
            )
        }
    }

    func call(_ node: StoaClient) async throws {
        let node = try fees.applied(to: node)
        var purchase = Purchase(
            listing: listing,
            shipTo: destination.shipTo,
            shipToPoint: try await destination.point(node),
            address: telling.disclosure,
            acceptsChanges: acceptChanges
        )
        if IDText.isWholeSale(listing) {
            let sale = try await node.sale(listing)
            guard let found = sale.listing else {
                throw Failure(.refused, "This node does not have the listing of that sale.")
            }
            (purchase.listing, purchase.sale) = (found, sale.id)
        }
        let ended = try await consent.buy(&purchase, of: node, options) { preview in
            try PurchaseKind.buy.require(preview, listing: listing)
            try agreed.require(preview, isUnasked: consent.yes)
            guard !IDText.isWholeSale(listing) else { return }
            try agreed.requireNoOtherTerms(preview, consent)
        }
        try options.output.show(ended) { "Paid. The sale is \($0.subject ?? "?")" }
        let words = await AddressTelling.words(of: ended, with: purchase.address, node)
        if let words { options.output.note(words) }
        await options.sayNext(after: ended, node, besides: words == nil ? [] : [.address])
    }
}

extension ConsentOptions {
    /// Shows a purchase, asks for consent, makes it, and follows it to its end.
    ///
    /// - Parameters:
    ///   - purchase: The purchase, which gets the place and the address that a person types.
    ///   - node: The node.
    ///   - options: The form of the answer.
    ///   - check: Refuses a preview before it is shown, and before it is agreed to.
    ///   - command: Returns the command that buys on a preview's terms only, which a dry run shows.
    /// - Returns: The operation that has ended; its subject is the sale.
    /// - Throws: ``Failure``, or the node's refusal.
    func buy(
        _ purchase: inout Purchase,
        of node: StoaClient,
        _ options: CallOptions,
        check: (ActionPreview) throws -> Void = { _ in },
        command: (ActionPreview) -> String? = PreviewText.command
    ) async throws -> Client.Operation {
        var preview = try await node.preview(purchase)
        try check(preview)
        preview = try await ShipToQuestion.answered(&purchase, preview, self, node, options)
        if purchase.address == nil {
            purchase.address = try await AddressTelling.asked(after: [preview], self, node, options)
            if purchase.address != nil { preview = try await node.preview(purchase) }
        }
        // After a typed answer it is another preview, perhaps of another price.
        try check(preview)
        try await obtain(for: preview, of: node, asJSON: options.json, command: command)
        // Names the sale that was shown, so that no other one can be bought.
        purchase.sale = preview.subject
        purchase.round = preview.round
        // The person agreed to the warnings in the preview.
        if preview.restsOnOneSource { purchase.acceptsOneSource = true }
        let operation = try await node.buy(purchase, feeMax: preview.agreedFee)
        return try await options.output.finish(operation, node)
    }
}
