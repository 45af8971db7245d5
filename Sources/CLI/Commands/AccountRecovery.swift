import ArgumentParser
import Client

/// The command `stoa account recovery`.
struct AccountRecovery: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "recovery",
        abstract: """
            Show which parts of your account this node has recovered, which are missing, and why.
            """,
        discussion: """
            After 'stoa account recover' on another node, the missing parts arrive by themselves.
            """
    )
    static let examples = ["account recovery"]

    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        try options.output.show(try await node.recovery()) { RecoveryText.text($0) }
    }
}

/// Formats the findings about an account as text.
enum RecoveryText {
    static func text(_ report: RecoveryReport) -> String {
        let profile =
            report.profile.map(DisplayText.line)
            ?? (report.isLooking ? "looked for at other nodes" : "none")
        var lines = [
            "profile   " + profile, "listings  \(report.listings)",
            "sales     \(report.sales)", "reviews   \(report.reviews)",
            "vault     \(report.vaultEntries) \(report.vaultEntries == 1 ? "entry" : "entries")",
            "works     \(report.works)",
        ]
        for home in report.homes where home.vault != "own" {
            lines.append("home      \(home.peer): vault \(home.vault)")
        }
        lines += report.gaps.map { "missing   \($0.what): \(DisplayText.line($0.reason.detail))" }
        lines.append(
            "note      Conversations, and addresses from buyers, stay on the node that received "
                + "them."
        )
        return lines.joined(separator: "\n")
    }
}
