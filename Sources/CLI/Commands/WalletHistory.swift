import ArgumentParser
import Client

/// The command `stoa wallet history`.
struct WalletHistory: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the movements of money into and out of the account, newest first.",
        discussion: """
            Movements appear once they are final. Movements from before the account was first used \
            on this node are not shown.
            """
    )
    static let examples = ["wallet history", "wallet history --limit 100 --json"]

    @OptionGroup var chain: ChainOptions
    @OptionGroup var paging: PageOptions
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        let page = try await node.history(
            limit: paging.limit,
            after: paging.after,
            chain: chain.chain
        )
        let names = await options.names(of: node)
        try options.output.show(page) { page in
            CurrencyUnits.on(page.items.first?.chain) { Self.text(page, names) }
        }
    }

    private static func amount(_ movement: WalletMovement) -> String {
        MoneyText.text(movement.money).replacing(/^(?:≈ )?/) { mark in
            mark.output + (movement.isIncoming ? "+" : "-")
        }
    }

    private static let none = """
        Nothing is known here. Movements from before the account was first used on this node are \
        not shown.
        """

    /// The sale that it belongs to: its title, else its id.
    private static func about(_ movement: WalletMovement) -> String {
        guard let sale = movement.sale else { return "" }
        return movement.title.map(DisplayText.line) ?? "sale " + IDText.short(sale)
    }

    static func text(_ page: Page<WalletMovement>, _ names: Names) -> String {
        var table = TextTable("at", "kind", "about", "amount", "fee", "with", "transaction")
        for movement in page.items {
            let isFee = movement.kind == .fee
            let fee = isFee ? movement.money.amount : movement.fee
            table.add(
                TimeText.text(movement.at),
                movement.purpose ?? movement.kind.rawValue,
                about(movement),
                isFee ? "" : amount(movement),
                fee.map { MoneyText.text($0, "native") } ?? "",
                movement.with.map(names.short) ?? "",
                movement.transaction.map { IDText.cell($0) } ?? ""
            )
        }
        let behind = page.completeTo.map {
            "\nMovements after block \($0) are missing: the endpoints do not show these blocks yet."
        }
        return table.text(orElse: none) + (behind ?? "") + page.more
    }
}
