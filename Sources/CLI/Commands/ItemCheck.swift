import ArgumentParser
import Client

/// The command `stoa item check`.
struct ItemCheck: ReaderCall {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for listings and tokens with an identifier, before you list or buy.",
        discussion: """
            Anyone can list any identifier. If several accounts do, ask each for the history of its \
            token: only the owner of a token that was made for the item can resell it.
            """
    )
    static let examples = ["item check 'frame 4471'"]

    @Argument(help: "The identifier, such as a serial number.") var identifier: String
    @Option(parsing: .unconditional, help: "Only tokens on this chain, by its id.")
    var chain: UInt64?
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient, own: String?) async throws {
        let names = await options.names(of: node, own: own)
        let check = try await node.check(identifier: identifier, chain: chain)
        try options.output.show(check) { Self.text($0, names) }
    }

    private static func text(_ check: IdentifierCheck, _ names: Names) -> String {
        guard !check.listings.isEmpty || !check.items.isEmpty else {
            return "Nothing on this node has the identifier \(check.identifier)."
        }
        var parts: [String] = []
        if check.isContested {
            parts.append("Several accounts offer this identifier now: at most one can be right.")
        }
        if !check.listings.isEmpty {
            var table = TextTable(
                "title",
                "seller",
                "seller's sales",
                "token since",
                "state",
                "listing"
            )
            for use in check.listings {
                table.add(
                    DisplayText.line(use.title),
                    names.text(use.author),
                    String(use.authorsSales),
                    use.tokenSince.map(TimeText.text) ?? "-",
                    use.status.detail,
                    IDText.cell(use.listing)
                )
            }
            parts.append(table.text(orElse: ""))
        }
        parts += check.items.map { item in
            "token \(item.token) on chain \(item.chain), made by \(names.text(item.maker)), "
                + (item.since.map { "first listed \(TimeText.text($0)), " } ?? "")
                + "\(item.sales.count) sale\(item.sales.count == 1 ? "" : "s"): stoa item show \(item.token)"
        }
        return parts.joined(separator: "\n\n")
    }
}
