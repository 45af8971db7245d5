import ArgumentParser
import Client

/// The command `stoa listing …`.
struct ListingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listing",
        abstract: "Create, search, show, edit and withdraw listings.",
        subcommands: [
            ListingCreate.self, Show.self, Search.self, ListingEdit.self, Withdraw.self,
        ]
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one listing."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its id or the beginning of it, or words of its title.")
        var listing: String

        func run() async throws {
            try await options.asReader { node, own in
                let found = try await node.listing(listing)
                let names = options.json ? .none : await Names.of(node, own: own)
                try options.output.show(found) { ListingText.full($0, names) }
            }
        }
    }

    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search",
            abstract: "Find listings by words, the best match first; without words the newest."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "What to look for.") var words: [String] = []
        @Option(help: "Only of this category.") var category: String?
        @Option(help: "Only of this seller, by name or address.") var author: String?
        @Option(parsing: .unconditional, help: "Only from this price on.") var priceMin: String?
        @Option(parsing: .unconditional, help: "Only up to this price.") var priceMax: String?
        @Option(help: "The currency of these prices: 'native', or a token's address.")
        var currency = "native"
        @Flag(help: "Also what is sold or over.") var all = false
        @Option(parsing: .unconditional, help: "How many, 100 at most.") var limit = 20
        @Option(help: "Continue after a previous page: copy the value from its last line.")
        var after: String?

        func run() async throws {
            var search = ListingSearch(
                text: words.isEmpty ? nil : words.joined(separator: " "),
                category: category,
                author: author,
                limit: limit,
                after: after
            )
            search.priceMin = try priceMin.map { try MoneyText.units($0, of: currency) }
            search.priceMax = try priceMax.map { try MoneyText.units($0, of: currency) }
            if priceMin != nil || priceMax != nil { search.currency = currency }
            search.includesOver = all
            try await options.asReader { [search] node, own in
                async let names = options.json ? Names.none : Names.of(node, own: own)
                let page = try await node.listings(search)
                let known = await names
                try options.output.show(page) { ListingText.page($0, known) }
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Withdraw one of your listings and get its deposit back."
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var consent: ConsentOptions
        @Argument(help: "Its id or the beginning of it.") var listing: String

        func run() async throws {
            try await options.asAccount { node in
                let preview = try await node.preview(withdrawing: listing)
                try await consent.obtain(for: preview, of: node, asJSON: options.json)
                let operation = try await node.withdraw(
                    listing: preview.subject ?? listing,
                    feeMax: preview.agreedFee,
                    acceptsOneSource: preview.restsOnOneSource
                )
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
        help: "Such as 0.5, '0.5 ETH' or '100 gwei'; of a token in its smallest unit."
    )
    var price: String
    @Option(help: "'native', or a token's address.") var currency = "native"
    @Option(help: "All that a buyer should know.") var description: String
    @Option(help: "Small letters, digits and hyphens, such as vehicles.") var category: String
    @Option(name: .customLong("tag"), help: "A word to find it by; several times.")
    var tags: [String]
    @Option(help: "goods; digital works need a picture, which this version does not take.")
    var type = "goods"
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

    func validate() throws {
        guard delivery == "shipping" || shipsTo.isEmpty else {
            throw ValidationError("--ships-to is for --delivery shipping, not for \(delivery).")
        }
        guard delivery == "pickup" || pickupPlace == nil else {
            throw ValidationError("--pickup-place is for --delivery pickup, not for \(delivery).")
        }
    }

    func run() async throws {
        let price = Money(
            amount: try MoneyText.units(price, of: currency),
            currency: currency
        )
        var content = ListingContent(
            type: type,
            title: title,
            description: description,
            category: category,
            tags: tags,
            price: price,
            identifier: identifier,
            delivery: delivery,
            shipsTo: shipsTo,
            pickupPlace: pickupPlace,
            terms: try terms.terms(price: price)
        )
        try await options.asAccount { node in
            let preview = try await node.preview(content)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            // A name may mean another account by now; what was shown is sent.
            if let arbiter = preview.arbiter { content.terms?.arbiter = arbiter.account }
            let operation = try await node.list(content, feeMax: preview.agreedFee)
            let ended = try await options.output.finish(operation, node)
            try options.output.show(ended) { "Listed as \($0.subject ?? "?")" }
        }
    }
}
