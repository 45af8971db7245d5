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
            abstract: "Show a sale and the moves open to you."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its id.") var sale: String

        func run() async throws {
            try await options.asAnyone { node in
                try options.output.show(try await node.sale(sale), SaleText.full)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show your sales, the latest moved first."
        )

        @OptionGroup var options: CallOptions
        @Option(help: "Only those in this phase, such as paid.") var phase: String?
        @Option(parsing: .unconditional, help: "How many, 100 at most.") var limit = 20
        @Option(help: "Goes on behind a page; its last line says how.") var after: String?

        func run() async throws {
            try await options.asAccount { node in
                let page = try await node.sales(phase: phase, limit: limit, after: after)
                try options.output.show(page, SaleText.page)
            }
        }
    }
}

/// The command `stoa sale buy`.
struct SaleBuy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Pay price and deposit into the escrow, after showing what that means."
    )

    @OptionGroup var options: CallOptions
    @Argument(help: "The listing's id, from 'stoa listing search'.") var listing: String
    @Option(help: "The country it shall go to, as a code such as DE.") var shipTo: String?
    @Flag(help: "Take what was promised where the listing says otherwise by now.")
    var acceptChanges = false
    @OptionGroup var consent: ConsentOptions

    func run() async throws {
        var purchase = Purchase(listing: listing, shipTo: shipTo, acceptsChanges: acceptChanges)
        try await options.asAccount { node in
            let preview = try await node.preview(purchase)
            guard preview.obstacles.isEmpty else {
                options.output.note(SaleText.preview(preview))
                throw Failure(.refused, preview.obstacles.joined(separator: " "))
            }
            try consent.obtain(
                for: "Pay \(SaleText.total(of: preview))?",
                showing: SaleText.preview(preview),
                asJSON: options.json
            )
            // What was shown is bought, or nothing.
            purchase.sale = preview.sale
            let ended = try await options.output.finish(try await node.buy(purchase), node)
            try options.output.show(ended) { "Paid. The sale is \($0.subject ?? "?")" }
        }
    }
}

/// Sales in words.
enum SaleText {
    static func full(_ sale: Sale) -> String {
        let currency = sale.price.currency
        var lines = [
            "sale       \(sale.id)", "phase      " + phase(sale),
            "price      " + MoneyText.text(sale.price), "seller     " + sale.seller,
            "buyer      " + (sale.buyer ?? "nobody yet"),
            "deposits   \(MoneyText.text(sale.sellerDeposit, currency)) of the seller, "
                + "\(MoneyText.text(sale.buyerDeposit, currency)) of the buyer",
        ]
        if let listing = sale.listing { lines.append("listing    " + listing) }
        for payout in sale.payouts ?? [] {
            let amount = MoneyText.text(payout.amount, currency)
            lines.append("credited   \(amount) to the \(payout.role) \(payout.account)")
        }
        if let deadline = sale.deadline {
            lines.append("until      \(TimeText.text(deadline.at)): \(deadline.consequence)")
        }
        for action in sale.actions {
            let until = action.until.map { " until " + TimeText.text($0) } ?? ""
            lines.append("open now   \(action.move)\(until): \(action.consequence)")
        }
        return lines.joined(separator: "\n")
    }

    static func page(_ page: Page<Sale>) -> String {
        var table = TextTable("phase", "price", "open to you", "sale")
        for sale in page.items {
            let moves = sale.actions.map(\.move).joined(separator: ", ")
            table.add(phase(sale), MoneyText.text(sale.price), moves, sale.id)
        }
        return table.text(orElse: "No sales.") + page.more
    }

    static func preview(_ preview: PurchasePreview) -> String {
        let currency = preview.price.currency
        let lines = [
            "price      " + MoneyText.text(preview.price),
            "deposit    \(MoneyText.text(preview.deposit, currency)), comes back at a good end",
            "to pay     " + total(of: preview),
            "balance    " + MoneyText.text(preview.balance, currency),
        ]
        return (lines + preview.explanation.map { "  " + $0 }).joined(separator: "\n")
    }

    static func total(of preview: PurchasePreview) -> String {
        MoneyText.text(preview.total, preview.price.currency)
    }

    private static func phase(_ sale: Sale) -> String {
        let isFinal = sale.confirmations >= sale.confirmationsNeeded
        return isFinal
            ? sale.phase
            : "\(sale.phase) (\(sale.confirmations) of \(sale.confirmationsNeeded) confirmed)"
    }
}
