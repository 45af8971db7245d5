import ArgumentParser
import Client

/// The command `stoa sale …`.
struct SaleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sale",
        abstract: "Sales: buy, and make the moves that are open to you.",
        subcommands: [
            SaleBuy.self, Show.self, List.self, Transfer.self, Confirm.self, Abort.self,
            Refund.self, Dispute.self, Claim.self, Settle.self, Rule.self, Default.self,
        ]
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a sale and the moves open to you."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its id or the beginning of it, or words of its listing's title.")
        var sale: String

        func run() async throws {
            try await options.asReader { node, own in
                let found = try await node.sale(sale)
                let output = options.output
                let listing = output.isJSON ? nil : await SaleCommand.listing(of: found, node)
                let names = output.isJSON ? .none : await Names.of(node, own: own)
                try output.show(found) { SaleText.full($0, listing, names) }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Show your sales, the latest moved first."
        )

        @OptionGroup var options: CallOptions
        @Option(help: "Only those in this phase, such as paid.") var phase: String?
        @Option(parsing: .unconditional, help: "How many, 100 at most.") var limit = 20
        @Option(help: "Continue after a previous page: copy the value from its last line.")
        var after: String?

        func run() async throws {
            try await options.asAccount { node in
                let page = try await node.sales(phase: phase, limit: limit, after: after)
                var titles: [String: String] = [:]
                for sale in page.items where !options.json {
                    let listing = await SaleCommand.listing(of: sale, node)
                    titles[sale.id] = listing?.content.title
                }
                try options.output.show(page) { [titles] in SaleText.page($0, titles) }
            }
        }
    }

    /// The listing of a sale, if the node has it: the sale can be shown without.
    static func listing(of sale: Sale, _ node: StoaClient) async -> Listing? {
        guard let listing = sale.listing else { return nil }
        return try? await node.listing(listing)
    }
}

/// The command `stoa sale buy`.
struct SaleBuy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy: show what you pay, then put price and deposit into the escrow."
    )

    @OptionGroup var options: CallOptions
    @Argument(help: "The listing: its id or the beginning of it, or words of its title.")
    var listing: String
    @Option(help: "Country to ship to, as a code such as DE.") var shipTo: String?
    @Flag(help: "Buy on the original terms although the seller has changed the listing since.")
    var acceptChanges = false
    @OptionGroup var consent: ConsentOptions

    func run() async throws {
        var purchase = Purchase(listing: listing, shipTo: shipTo, acceptsChanges: acceptChanges)
        try await options.asAccount { node in
            let preview = try await node.preview(purchase)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            // What was shown is bought, or nothing.
            purchase.sale = preview.subject
            // Its warnings were shown, and were agreed to.
            if preview.restsOnOneSource { purchase.acceptsOneSource = true }
            let operation = try await node.buy(purchase, feeMax: preview.agreedFee)
            let ended = try await options.output.finish(operation, node)
            try options.output.show(ended) { "Paid. The sale is \($0.subject ?? "?")" }
            guard shipTo != nil, let sale = ended.subject,
                let id = try? await node.sale(sale).listing
            else { return }
            options.output.note(
                "Tell the seller where to send it: stoa chat open --listing \(IDText.short(id)) "
                    + "--message '<your address>'"
            )
        }
    }
}
