import ArgumentParser
import Client

/// The command `stoa account reputation`.
struct AccountReputation: ReaderCall {
    static let configuration = CommandConfiguration(
        commandName: "reputation",
        abstract: "Show how an account's sales have ended, and what others say about it.",
        discussion: """
            Everything except the stars comes from the chains that this node reads. Each reviewer \
            counts once, and two different reviews of one sale by one account do not count.
            """
    )
    static let examples = ["account reputation anna"]

    @Argument(help: "The account, by name or address.") var account: String
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient, own: String?) async throws {
        let names = await options.names(of: node, own: own)
        let reputation = try await node.reputation(of: account)
        try options.output.show(reputation) { ReputationText.full($0, names) }
    }
}

/// Reputations as text.
enum ReputationText {
    static func full(_ reputation: Reputation, _ names: Names) -> String {
        var lines = [
            "account        \(names.text(reputation.account))",
            "sold           \(endings(reputation.sold))",
            "bought         \(endings(reputation.bought))",
            "disputes       \(endings(reputation.disputed))"
                + (reputation.disputesLost == 0 ? "" : "; lost \(reputation.disputesLost)"),
        ]
        if !reputation.setAside.isEmpty {
            lines.append(
                "not counted    \(endings(reputation.setAside)), by buyers without a finished sale"
            )
        }
        lines += reputation.traded.map { volume in
            CurrencyUnits.on(volume.chain) {
                "traded         " + MoneyText.text(volume.money) + ListingText.chain(volume.chain)
            }
        }
        lines.append("completed with \(count(reputation.counterparties, "account"))")
        lines.append("stars          \(stars(reputation))")
        if let since = reputation.since { lines.append("since          \(TimeText.text(since))") }
        return lines.joined(separator: "\n")
    }

    /// In one line, such as `2 completed, 1 refunded; 4.50 stars from 2 accounts`.
    static func short(_ reputation: Reputation) -> String {
        reputation.sold.isEmpty
            ? "no finished sales" : "\(endings(reputation.sold)); \(stars(reputation))"
    }

    private static func endings(_ endings: [Reputation.Ending]) -> String {
        // All three ended well: which of them it is depends on the kind of sale alone.
        let isGood = { (ending: Reputation.Ending) in
            ["complete", "sold", "settled"].contains(ending.phase)
        }
        let good = endings.filter(isGood).reduce(0) { $0 + $1.count }
        let first = good == 0 ? [] : [Reputation.Ending(phase: "complete", count: good)]
        let words = (first + endings.filter { !isGood($0) })
            .map { "\($0.count) \($0.status.detail)" }
        return words.isEmpty ? "none" : words.joined(separator: ", ")
    }

    private static func stars(_ reputation: Reputation) -> String {
        guard let rating = reputation.rating else { return "no reviews" }
        let rest = rating % 100
        return "\(rating / 100).\(rest < 10 ? "0" : "")\(rest) from "
            + count(reputation.reviewers, "account")
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
