import ArgumentParser
import Client

/// The command `stoa listing …`.
struct ListingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listing",
        abstract: "Create, search, show, edit and withdraw listings.",
        subcommands: [
            ListingCreate.self, Show.self, Search.self, ListingSuggest.self,
            ListingCategories.self, ListingPlaces.self,
            ListingEdit.self, ListingReopen.self, ListingPieces.self, ListingAllow.self,
            ListingShare.self,
            Withdraw.self,
        ]
    )

    struct Show: ReaderCall, ListingNaming {
        static let configuration = command("Show one listing.")
        static let examples = ["listing show 3f9ac21b", "listing show bicycle"]

        @Argument(help: .listing, completion: CompletionValues.listings) var listing: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient, own: String?) async throws {
            let found = try await node.listing(listing)
            let known = await options.names(of: node, own: own)
            let names =
                options.json ? known : await known.with(profilesOf: [found.author], node)
            // A listing is shown even if the chain cannot be read.
            let seller = options.json ? nil : try? await node.reputation(of: found.author)
            try options.output.show(found) { listing in
                ListingText.full(listing, names, sales: seller.map(ReputationText.short))
            }
        }
    }

    struct Withdraw: AccountCall {
        static let configuration = command(
            "Withdraw one of your listings and get its deposit back.",
            discussion: """
                If nobody has paid or bid, this ends the sale, as 'stoa sale abort' does. The \
                listing no longer appears in searches. After a sale, withdrawing costs nothing, \
                and the sale keeps its title, description and identifier.
                """
        )
        static let examples = ["listing withdraw 3f9ac21b"]

        @Argument(help: .listing, completion: CompletionValues.listings) var listing: String
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var fees: FeeOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let node = try fees.applied(to: node)
            // The call itself takes no words of a title.
            let listing = try await node.listing(listing, own: true).id
            let preview = try await node.preview(withdrawing: listing)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let operation = try await node.withdraw(
                listing: preview.subject ?? listing,
                feeMax: preview.agreedFee,
                acceptsOneSource: preview.restsOnOneSource
            )
            let ended = try await options.output.finish(operation, node)
            try options.output.show(ended) { _ in "Withdrawn." }
            options.say(next: NextStep.after(withdrawal: preview))
        }
    }
}

/// The command `stoa listing create`.
struct ListingCreate: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a listing: mint the item, lock your deposit and publish the listing.",
        discussion: """
            With --payment escrow the contract holds deposits and money until the buyer confirms. \
            With direct the buyer pays you at once, and with auction the highest bidder does: \
            neither needs a deposit, and neither protects a buyer of goods.
            Durations have a unit: 90s, 10m, 36h, 3d or 2w.
            Needed, except with --as-draft: --price, --description, and without --work --category. On \
            a terminal the command asks for what is missing.
            With --from, title, description, category, tags, files and delivery are those of a sale in \
            which you bought, unless you give others; type, identifier and token stay.
            """
    )
    static let examples = [
        "listing create 'Red bicycle' --price 0.5 --category sports --tag bicycle "
            + "--description 'Steel, 21 gears.' --identifier 'frame 4471' --ships-to DE",
        "listing create --from 'red bicycle' --price 0.4",
        "listing create 'Oak table' --payment auction --duration 10d --price 0.1 "
            + "--category home --tag table --description 'For six, oiled.' "
            + "--identifier 'workshop 88/3'",
        "listing create 'A song' --price 0.1 --description 'Three minutes.' --tag music --work song.flac "
            + "--media cover.jpg --payment direct",
    ]

    @Argument(help: "The title, on one line. Required without --from.") var title: String?
    @Option(help: "Sell again what you bought in this sale, by its id or words from its title.")
    var from: String?
    @Option(
        parsing: .unconditional,
        help: """
            The price, such as 0.5, '0.5 ETH', '100 gwei' or '12.50 TST'. For an auction, the \
            minimum first bid.
            """
    )
    var price: String?
    @Option(
        help: """
            The currency: 'native', a symbol or a token's address. Defaults to the one that the price \
            names, else to 'native'.
            """
    )
    var currency: String?
    @OptionGroup var chain: ChainOptions
    @Option(
        help: "How it is sold: escrow, direct or auction.",
        completion: .list(["escrow", "direct", "auction"])
    )
    var payment = "escrow"
    @Option(
        parsing: .unconditional,
        help: "A token of yours to resell, by its number. Defaults to a new token."
    )
    var item: String?
    @Option(
        help: """
            How many pieces of it you sell, up to 20, each in a sale of its own. Defaults to 1.
            """
    )
    var pieces: Int?
    @OptionGroup var details: ListingDetailOptions
    @Option(
        name: .customLong("tag"),
        help:
            "A word to find the listing by. Can be repeated, up to five times. Defaults to the category."
    )
    var tags: [String] = []
    @Option(
        help: """
            A picture or a PDF document to show: a file, which is added to the node first, or the id \
            of one that was added. Can be repeated, up to six times.
            """,
        completion: .file()
    )
    var media: [String] = []
    @Option(
        help: """
            A digital work to sell: a file, which is added to the node first and kept encrypted, or one \
            that was added, by its identifier, at least four of its first digits, or its name. It needs \
            one --media, the picture that everybody sees.
            """,
        completion: .file()
    )
    var work: String?
    @Option(
        help: """
            What distinguishes the item from all others, such as a serial number. Defaults to random \
            digits; with --item it is needed, as it was when the token was made.
            """
    )
    var identifier: String?
    @Option(
        name: .customLong("delivery"),
        help: "The delivery of goods: shipping or pickup. Defaults to shipping.",
        completion: CompletionValues.deliveries
    )
    var givenDelivery: String?
    private var delivery: String { givenDelivery ?? "shipping" }
    @Option(
        name: .customLong("ships-to"),
        help: """
            A country to ship to, such as DE, or a state, such as 'Bavaria, DE', or a city, such as \
            'Munich, Bavaria, DE'. Can be repeated. Defaults to all countries.
            """
    )
    var shipsTo: [String] = []
    @OptionGroup var within: ShipsWithinOptions
    @Option(
        help: """
            Do not list it yet: save it as a draft with this name. A draft needs only a title; \
            change it with 'stoa draft edit'.
            """
    )
    var asDraft: String?
    @OptionGroup(title: "Escrow terms, each defaulting to the market's") var terms: TermsOptions
    @OptionGroup(title: "Terms of an auction, each defaulting to the market's")
    var auction: AuctionOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard media.count <= 6 else {
            throw ValidationError("--media can be given at most six times.")
        }
        guard work == nil || (details.storedCategory ?? "digital") == "digital" && identifier == nil
        else {
            throw ValidationError("--work sets the category and the identifier; leave them out.")
        }
        guard work == nil || media.count == 1 || media.isEmpty && canAsk else {
            throw ValidationError(
                "A digital work has one picture as its preview: give one --media."
            )
        }
        try validateResale()
        try validateDraft()
        try validateTerms()
        try validateDelivery()
    }

    /// Refuses what a resale cannot change, and a new item without a title.
    private func validateResale() throws {
        guard let from else {
            guard asDraft == nil || title != nil else {
                throw ValidationError("Missing expected argument '<title>'")
            }
            return
        }
        guard !from.isEmpty else { throw ValidationError("--from is empty. Name the sale.") }
        let held = [
            ("--identifier", identifier), ("--item", item), ("--work", work),
        ].first { $0.1 != nil }
        guard held == nil else {
            throw ValidationError(
                "With --from, the item stays the one that you bought: leave out \(held?.0 ?? "")."
            )
        }
    }

    /// Refuses a draft that is to be signed, and a listing that is not complete.
    private func validateDraft() throws {
        guard asDraft == nil || !consent.dryRun && !consent.yes else {
            throw ValidationError(
                "Saving a draft costs nothing and signs nothing: with --as-draft, leave out "
                    + "--dry-run and --yes."
            )
        }
        guard asDraft?.isEmpty != true else {
            throw ValidationError("--as-draft is empty. Name the draft.")
        }
        guard !missing.isEmpty, !canAsk else { return }
        throw ValidationError(
            "Missing expected argument\(missing.count == 1 ? "" : "s") "
                + missing.map(\.option).joined(separator: ", ")
        )
    }

    func checkAnswers() throws {
        try validateTerms()
        let entered = try CurrencyUnits.on(chain.meant(price, currency)) { try money() }
        if price != nil { try ListingNeeds.check(entered) }
    }

    private func money() throws -> Money {
        let currency = try MoneyText.currency(named: currency, in: price)
        return Money(
            amount: try price.map { try MoneyText.units($0, of: currency) } ?? "0",
            currency: currency
        )
    }

    /// Refuses terms that do not belong to the kind of sale.
    private func validateTerms() throws {
        guard try price != nil || canAsk || terms.isEmpty else {
            throw ValidationError("The terms of an escrow need its price: give --price.")
        }
        guard details.storedCategory != "course" else {
            throw ValidationError(
                "The category 'course' is for courses. Offer one with 'stoa course create'."
            )
        }
        guard payment != "enrolment" else {
            throw ValidationError(
                "Seats of a course are sold by 'stoa course create'. Payment is by escrow, direct or "
                    + "auction."
            )
        }
        guard try payment != "auction" || terms.isEmpty else {
            throw ValidationError(
                "The escrow terms, such as --light and --arbiter, are not for --payment auction."
            )
        }
        guard payment == "auction" || auction.terms == nil else {
            throw ValidationError(
                "--duration, --min-increment and --extension-time are for --payment auction, not for "
                    + "\(payment)."
            )
        }
    }

    private func validateDelivery() throws {
        guard delivery == "shipping" || shipsTo.isEmpty && within.shipsWithin == nil else {
            let option = shipsTo.isEmpty ? "--ships-within" : "--ships-to"
            throw ValidationError("\(option) is for --delivery shipping, not for \(delivery).")
        }
        guard shipsTo.isEmpty || within.shipsWithin == nil else {
            throw ValidationError("Give --ships-to or --ships-within, not both.")
        }
        guard delivery == "pickup" || details.pickupPlace == nil else {
            throw ValidationError("--pickup-place is for --delivery pickup, not for \(delivery).")
        }
    }

    private func content() throws -> ListingContent {
        let price = try money()
        var content = ListingContent(
            type: work == nil ? "goods" : "digital",
            title: title ?? "",
            category: work == nil ? "" : "digital",
            tags: tags.map(StoredWord.tag),
            price: price,
            chain: chain.meant(self.price, self.currency),
            payment: payment,
            item: item,
            identifier: identifier ?? "",
            delivery: work == nil ? delivery : "online",
            shipsTo: shipsTo,
            terms: payment == "direct" ? nil : try terms.terms(price: price),
            auction: auction.terms,
            direct: payment == "direct" ? try terms.direct() : nil,
            pieces: pieces
        )
        details.set(in: &content)
        return content
    }

    /// Returns the content of what was bought, with what is given here, and its price and terms.
    private func takingOver(_ bought: ListingContent, in new: ListingContent) -> ListingContent {
        var content = bought
        details.set(in: &content)
        if let title { content.title = title }
        if !tags.isEmpty { content.tags = new.tags }
        (content.price, content.payment) = (new.price, new.payment)
        (content.terms, content.auction, content.direct) = (new.terms, new.auction, new.direct)
        if givenDelivery != nil || !shipsTo.isEmpty || new.shipsWithin != nil {
            (content.delivery, content.shipsTo) = (new.delivery, new.shipsTo)
            (content.shipsWithin, content.pickupPlace) = (new.shipsWithin, new.pickupPlace)
        }
        return content
    }

    func call(_ node: StoaClient) async throws {
        try await answered().list(on: node, hasAsked: !missing.isEmpty)
    }

    private func list(on node: StoaClient, hasAsked: Bool) async throws {
        let node = try fees.applied(to: node)
        if let asDraft { try await DraftCommand.requireNew(asDraft, on: node) }
        var content = try CurrencyUnits.on(chain.meant(price, currency)) { try self.content() }
        content.shipsWithin = try await within.distance(node)
        if let from { content = takingOver(try await node.resale(of: from), in: content) }
        await details.noteCategory(node, options.output)
        if let work {
            content.identifier = try await WorkInput.identifier(work, of: node) {
                options.output.note("The node has this work: \(DisplayText.line($0.name))")
            }
        }
        if !media.isEmpty { content.media = try await MediaInput.media(media, of: node) }
        if let asDraft {
            let draft = try await node.save(draft: content, as: asDraft)
            return try options.output.show(draft) { DraftText.kept($0) }
        }
        if consent.dryRun, work != nil || !media.isEmpty {
            options.output.note(
                "The files were added to the node, because the costs depend on them: 'stoa "
                    + "media list' and 'stoa work list' show them."
            )
        }
        if let identifier, let words = ListingNeeds.stored(identifier) {
            options.output.note(words.detail)
        }
        let ended: Client.Operation
        do {
            ended = try await consent.list(
                content,
                on: node,
                options,
                asksForArbiter: !terms.refusesArbiter
            )
        } catch let failure as Failure where [.usage, .refused].contains(failure.code) {
            if hasAsked { try await keep(content, on: node) }
            throw failure
        }
        try options.output.show(ended) { "Listed as \($0.subject ?? "?")" }
        await options.sayNext(after: ended, node)
    }
}
