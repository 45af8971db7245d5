import ArgumentParser
import Client

/// The command `stoa report …`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report something to the operator of the node, and answer reports.",
        subcommands: [Send.self, List.self, Answer.self]
    )

    struct Send: LeafCommand {
        static let configuration = command(
            "Report a problem to the account that the node's operator has named.",
            discussion: """
                Only that account can read it. Without --listing, --account and --review it is about \
                the node itself.
                """
        )
        static let examples = [
            "report send --listing 5d21ee07 'The picture shows another bicycle.'",
            "report send 'The node is slow since yesterday.'",
        ]

        @Option(help: "The listing to report, by its id or words from its title.")
        var listing: String?
        @Option(help: "The account to report, by name or address.") var account: String?
        @Option(
            help: """
                The review to report: its record, as 'stoa review list' shows it, or the first \
                digits. Add the --listing or --account that it is about; without them it is about you.
                """
        )
        var review: String?
        @Argument(help: "What is wrong.") var text: String
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard listing == nil || account == nil else {
                throw ValidationError("Give --listing or --account, not both.")
            }
        }

        func run() async throws {
            try await options.asAccount { node in
                let report = try await draft(node)
                try options.output.show(try await node.report(report)) {
                    "Reported. Answers arrive in the conversation \(IDText.short($0.conversation))."
                }
            }
        }

        /// Returns the report, with the whole ids of what it is about.
        private func draft(_ node: StoaClient) async throws -> ReportDraft {
            var listing = listing
            if let named = listing { listing = try await node.listing(named).id }
            guard let review else {
                return ReportDraft(account: account, listing: listing, review: nil, text: text)
            }
            let own = try await node.currentAccount().address
            let scope = listing.map(ReviewScope.listing) ?? .account(account ?? own)
            let record = try await ShortIDs.review(review, in: scope, node)
            return ReportDraft(account: nil, listing: nil, review: record, text: text)
        }
    }

    struct List: AccountCall {
        static let configuration = command("Show the reports that you received, newest first.")
        static let examples = ["report list", "report list --sent"]

        @Flag(help: "Show the reports that you sent instead.") var sent = false
        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let names = await options.names(of: node)
            let page = try await node.reports(sent: sent, limit: paging.limit, after: paging.after)
            try options.output.show(page) { ReportText.page($0, names) }
        }
    }

    struct Answer: AccountCall {
        static let configuration = command(
            "Answer a report. Its sender can then write to you freely."
        )
        static let examples = [
            "report answer 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a7139401 'Done.'"
        ]

        @Argument(help: "The conversation of the report, as the list shows it.")
        var conversation: String
        @Argument(help: "The answer.") var text: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let message = try await node.send(MessageDraft(text: text), to: conversation)
            try options.output.show(message) { ChatText.line($0) }
        }
    }
}

/// Formats reports as text.
enum ReportText {
    static func page(_ page: Page<Report>, _ names: Names = .none) -> String {
        let lines = page.items.map { report($0, names) }
        return (lines.isEmpty ? "No reports." : lines.joined(separator: "\n\n")) + page.more
    }

    /// Formats a report; its conversation is shown whole, because an answer needs all of it.
    static func report(_ report: Report, _ names: Names = .none) -> String {
        var lines = [
            "\(TimeText.text(report.sentAt))  \(names.text(report.sender))  \(subject(report, names))",
            "  " + DisplayText.setIn(report.text),
        ]
        if let answer = report.answer { lines.append("  answer: " + DisplayText.setIn(answer)) }
        lines.append("  conversation \(report.conversation)")
        return lines.joined(separator: "\n")
    }

    /// Describes a report's subject, such as `about listing 5d21ee07 “Red bicycle” of anna`.
    private static func subject(_ report: Report, _ names: Names) -> String {
        guard let account = report.account.map(names.text) else { return "about this node" }
        if let listing = report.listing {
            let title = report.title.map { " “\(DisplayText.setIn($0))”" } ?? ""
            return "about listing \(IDText.short(listing))\(title) of \(account)"
        }
        if let review = report.review {
            return "about review \(IDText.short(review)) by \(account)"
        }
        return "about \(account)"
    }
}
