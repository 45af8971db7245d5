import ArgumentParser
import Client

/// The command `stoa listing …`.
struct ListingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listing",
        abstract: "Offers: make, find, show and withdraw them.",
        subcommands: [ListingCreate.self, Show.self, Search.self, Withdraw.self]
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one listing.")

        @OptionGroup var options: CallOptions
        @Argument(help: "Its id.") var listing: String

        func run() async throws {
            try await options.asAnyone { node in
                try options.output.show(try await node.listing(listing), ListingText.full)
            }
        }
    }

    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find listings by words, the best match first; without words the newest."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "What to look for.") var words: [String] = []
        @Option(help: "Only of this category.") var category: String?
        @Option(help: "Only of the seller with this address.") var author: String?
        @Option(parsing: .unconditional, help: "How many, 100 at most.") var limit = 20
        @Option(help: "Goes on behind a page; its last line says how.") var after: String?

        func run() async throws {
            let search = ListingSearch(
                text: words.isEmpty ? nil : words.joined(separator: " "),
                category: category,
                author: author,
                limit: limit,
                after: after
            )
            try await options.asAnyone { node in
                try options.output.show(try await node.listings(search), ListingText.page)
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take an own listing back; its deposit returns."
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var consent: ConsentOptions
        @Argument(help: "Its id.") var listing: String

        func run() async throws {
            try await options.asAccount { node in
                let content = try await node.listing(listing).content
                try consent.obtain(
                    for: "Withdraw '\(ShownText.line(content.title))'?",
                    showing: "The sale ends, and its deposit is credited to you.",
                    asJSON: options.json
                )
                let operation = try await node.withdraw(listing: listing)
                let ended = try await options.output.finish(operation, node)
                try options.output.show(ended) { _ in "Withdrawn." }
            }
        }
    }
}

/// The command `stoa listing create`.
struct ListingCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Offer something: mints the item, locks the deposit, publishes the listing."
    )

    @OptionGroup var options: CallOptions
    @OptionGroup var consent: ConsentOptions
    @Argument(help: "What it is, on one line.") var title: String
    @Option(
        parsing: .unconditional,
        help: "In ether such as 0.5, or in a token's smallest unit."
    )
    var price: String
    @Option(help: "'native', or a token's address.") var currency = "native"
    @Option(help: "All that a buyer should know.") var description: String
    @Option(help: "Small letters, digits and hyphens, such as vehicles.") var category: String
    @Option(name: .customLong("tag"), help: "A word to find it by; several times.")
    var tags: [String]
    @Option(help: "goods or digital.") var type = "goods"
    @Option(help: "What tells this thing from every other, such as a serial number.")
    var identifier: String
    @Option(help: "shipping, pickup or online.") var delivery = "shipping"
    @Option(
        name: .customLong("ships-to"),
        help: "A country code; may be given several times. None means everywhere."
    )
    var shipsTo: [String] = []
    @Option(help: "Where the buyer fetches it, for pickup.") var pickupPlace: String?
    @OptionGroup(title: "Terms of the escrow, the market's where left out") var terms: TermsOptions

    func run() async throws {
        let content = ListingContent(
            type: type,
            title: title,
            description: description,
            category: category,
            tags: tags,
            price: Money(
                amount: try MoneyText.units(price, of: currency),
                currency: currency
            ),
            identifier: identifier,
            delivery: delivery,
            shipsTo: shipsTo,
            pickupPlace: pickupPlace,
            terms: try terms.terms(currency: currency)
        )
        try await options.asAccount { node in
            try consent.obtain(
                for: "List '\(ShownText.line(title))' for \(MoneyText.text(content.price))?",
                showing: "The seller's deposit is locked in the escrow until the sale ends.",
                asJSON: options.json
            )
            let ended = try await options.output.finish(try await node.list(content), node)
            try options.output.show(ended) { "Listed as \($0.subject ?? "?")" }
        }
    }
}

/// What an escrow may be told beside the market's defaults.
struct TermsOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "What the seller locks, written as the price.")
    var sellerDeposit: String?
    @Option(parsing: .unconditional, help: "What the buyer locks beside the price.")
    var buyerDeposit: String?
    @Option(parsing: .unconditional, help: "What the buyer gets besides where nothing comes.")
    var latePenalty: String?
    @Option(parsing: .unconditional, help: "The address of whoever decides a dispute.") var arbiter:
        String?
    @Option(parsing: .unconditional, help: "What the arbiter gets.") var arbiterFee: String?
    @Option(parsing: .unconditional, help: "How long the seller has to send it, in seconds.")
    var shipSeconds: UInt64?
    @Option(parsing: .unconditional, help: "How long the buyer has to confirm, in seconds.")
    var confirmSeconds: UInt64?
    @Option(parsing: .unconditional, help: "How long the arbiter has to rule, in seconds.")
    var rulingSeconds: UInt64?

    /// The terms, or `nil` where none is given.
    func terms(currency: String) throws -> EscrowTerms? {
        var terms = EscrowTerms()
        terms.sellerDeposit = try sellerDeposit.map { try MoneyText.units($0, of: currency) }
        terms.buyerDeposit = try buyerDeposit.map { try MoneyText.units($0, of: currency) }
        terms.latePenalty = try latePenalty.map { try MoneyText.units($0, of: currency) }
        terms.arbiterFee = try arbiterFee.map { try MoneyText.units($0, of: currency) }
        terms.arbiter = arbiter
        terms.shipSeconds = shipSeconds
        terms.confirmSeconds = confirmSeconds
        terms.rulingSeconds = rulingSeconds
        return terms == EscrowTerms() ? nil : terms
    }
}

/// Listings in words.
enum ListingText {
    static func full(_ listing: Listing) -> String {
        let content = listing.content
        var lines = [
            content.title, "  id        " + listing.id,
            "  price     " + MoneyText.text(content.price), "  seller    " + listing.author,
            "  sale      \(listing.anchor?.sale ?? "none")",
            "  state     " + state(listing),
        ]
        if !content.category.isEmpty { lines.append("  category  " + content.category) }
        if !content.shipsTo.isEmpty {
            lines.append("  ships to  " + content.shipsTo.joined(separator: ", "))
        }
        if !content.description.isEmpty {
            lines += ["", "    " + ShownText.setIn(content.description)]
        }
        return lines.joined(separator: "\n")
    }

    static func page(_ page: Page<Listing>) -> String {
        var table = TextTable("title", "price", "state", "listing")
        for listing in page.items {
            let content = listing.content
            table.add(content.title, MoneyText.text(content.price), state(listing), listing.id)
        }
        return table.text(orElse: "Nothing found.") + page.more
    }

    private static func state(_ listing: Listing) -> String {
        let phase = listing.salePhase ?? "not seen on the chain yet"
        return listing.isAsPromised == false ? phase + ", NOT as promised on the chain" : phase
    }
}
