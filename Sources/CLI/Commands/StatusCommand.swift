import ArgumentParser
import Client
import Foundation
import Setup
import Texts

/// The command `stoa status`, which `stoa` alone runs too.
struct StatusCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the node, who is signed in, and what waits for them, by deadline.",
        discussion: "'stoa' alone does the same."
    )
    static let examples = ["status", "status --as anna"]

    @OptionGroup var options: CallOptions

    func run() async throws {
        let folder = DataFolder(path: options.folder.path)
        let isNew = try !folder.isInitialised && options.sessions.all().isEmpty
        guard options.node != nil || !isNew else {
            return try options.output.show(StatusReport(node: nil, accounts: [])) { _ in
                StatusText.beginning(folder: folder.path)
            }
        }
        var report = StatusReport(node: nil, accounts: [])
        // An account that is named or chosen does not say which node's state is shown.
        var known: [Account] = []
        try await options.asOperator { node in
            report.node = try await node.status()
            // Not every caller may see the accounts.
            known = (try? await node.accounts()) ?? []
        }
        report.unattended = known.compactMap { account in
            account.unattended.map { StatusReport.LeftAlone(name: account.name, moves: $0) }
        }
        let entries = try await entries()
        let standard = entries.count == 1 ? entries[0].session.account.name : chosen
        for entry in entries {
            let name = entry.session.account.name
            let isStandard = name == standard
            try await options.inSession(entry) { node in
                let waiting = WaitingSteps(
                    own: entry.session.account.address,
                    suffix: isStandard ? "" : " --as \(name)"
                )
                // Without a market there are no sales to ask for.
                let found =
                    report.node?.chains.isEmpty == true
                    ? WaitingSteps.Found(
                        steps: try await waiting.messages(node) + waiting.reports(node)
                    )
                    : try await waiting.all(node)
                report.accounts.append(
                    StatusReport.SignedIn(
                        name: name,
                        address: entry.session.account.address,
                        isDefault: isStandard,
                        until: entry.session.expiresAt,
                        waiting: found.steps,
                        underWay: found.underWay,
                        hasMore: found.hasMore
                    )
                )
            }
        }
        let others = entries.isEmpty ? known.map(\.name) : []
        try options.output.show(report) { StatusText.text($0, others: others) }
    }

    /// The sessions to show: of the named account, else all that are live.
    private func entries() async throws -> [SessionFolder.Entry] {
        if let account = options.account { return [try options.sessions.session(of: account)] }
        return await options.live(among: try options.sessions.all())
    }

    private var chosen: String? { options.standardAccount }
}

/// The answer of `stoa status`.
struct StatusReport: Encodable {
    /// A signed-in account, and what waits for it.
    struct SignedIn: Encodable {
        let name: String
        let address: String
        let isDefault: Bool
        let until: Date
        let waiting: [WaitingStep]
        /// The sales in which others act next.
        var underWay: [SaleUnderWay] = []
        /// Whether more sales run, with later deadlines, which were not asked for.
        var hasMore = false
    }

    /// An account for which the node makes moves while nobody is signed in.
    struct LeftAlone: Encodable {
        let name: String
        let moves: UnattendedMoves
    }

    /// `nil` without a node.
    var node: NodeStatus?
    var accounts: [SignedIn]
    var unattended: [LeftAlone] = []
}

/// A step that waits for an account.
struct WaitingStep: Encodable, Equatable {
    /// Until when it is possible, on the chain's clock; `nil` without a deadline.
    let until: Date?
    /// The chain's time when the node answered.
    let asOf: Date?
    /// The title or person that it is about; empty for several.
    let about: String
    let step: String
    let command: String

    private enum CodingKeys: CodingKey { case until, about, step, command }
}

/// A sale in which somebody else acts next.
struct SaleUnderWay: Encodable, Equatable {
    let about: String
    /// The account's part in it, such as `buyer`.
    let part: String
    let state: String
    /// Until when the others can act, on the chain's clock; `nil` without a deadline.
    let until: Date?
}

/// Asks a node what waits for an account.
struct WaitingSteps {
    /// The steps that wait for an account, and the sales in which it waits for others.
    struct Found {
        var steps: [WaitingStep] = []
        var underWay: [SaleUnderWay] = []
        /// Whether more sales run, with later deadlines.
        var hasMore = false
    }

    /// How many ended sales are named; more are counted.
    private static let namedMax = 3
    /// How many sales in dispute are asked for one by one.
    private static let askedMax = 20

    let own: String
    /// The end of a command that makes it act as the account.
    let suffix: String

    /// Returns the steps, the earliest deadline first, and the sales without any; not those of many
    /// sales, of which only the ones with the earliest deadlines are asked for.
    func all(_ node: StoaClient) async throws -> Found {
        let running = try await node.sales(list: "running", byDeadline: true, limit: 100)
        let bids = try await node.sales(list: "bids", byDeadline: true, limit: 100)
        let sent = try await node.sales(list: "to_send", limit: 100)
        let ended = try await node.sales(list: "to_review", limit: 100)
        let credits = try await node.sales(list: "to_collect", limit: 100)
        var found = Found(hasMore: running.next != nil || bids.next != nil)
        let names = await names(for: running.items, node)
        var (asked, seen) = (0, Set<String>())
        for sale in running.items + bids.items + sent.items + ended.items
        where seen.insert(sale.id).inserted {
            var sale = sale
            // A list does not have the reason and pictures of a dispute.
            if sale.phase == "disputed", asked < Self.askedMax,
                let whole = try? await node.sale(sale.id)
            {
                (asked, sale) = (asked + 1, whole)
            }
            // Those of ended sales are named together below.
            let steps = sale.nextSteps.compactMap { step in
                NextStep(step, in: sale).map { (step: step, next: $0) }
            }.filter { ![.collect, .review].contains($0.next.kind) }
            let dispute = Self.dispute(in: sale, names)
            found.steps += steps.map { waiting($0.next, until: $0.step.until, in: sale, dispute) }
            if steps.isEmpty, sale.stage != "over" || sale.isToBeSent == true {
                found.underWay.append(underWay(sale, dispute))
            }
        }
        let sums = credits.items.isEmpty ? [] : await sums(node)
        found.steps += of(credits, "Collect what it credited to you", .collect, sums)
        found.steps += of(ended, "Review it", .review)
        await addOffers(to: &found, node)
        found.steps += try await messages(node)
        found.steps += await reports(node)
        let byTime = { (one: WaitingStep) in one.until ?? .distantFuture }
        found.steps = found.steps.enumerated().sorted {
            (byTime($0.element), $0.offset) < (byTime($1.element), $1.offset)
        }.map(\.element)
        return found
    }

    private func waiting(
        _ step: NextStep,
        until: Date?,
        in sale: Sale,
        _ dispute: String?
    ) -> WaitingStep {
        let address = step.kind == .send ? sale.deliveryAddress : nil
        return WaitingStep(
            until: until,
            asOf: sale.asOf,
            about: Self.title(of: sale) + (dispute.map { ", " + $0 } ?? ""),
            step: address.map {
                SentencePatterns.english.text("next.sendTo", ["address": DisplayText.line($0)])
            } ?? step.words,
            command: step.command + suffix
        )
    }

    private func underWay(_ sale: Sale, _ dispute: String?) -> SaleUnderWay {
        SaleUnderWay(
            about: Self.title(of: sale) + (dispute.map { ", " + $0 } ?? ""),
            part: SaleText.part(in: sale),
            state: CurrencyUnits.on(sale.chain) { SaleText.state(sale) },
            // The words of a paid sale say until when.
            until: sale.phase == "paid" ? nil : sale.deadline?.at
        )
    }

    private static func title(of sale: Sale) -> String {
        sale.title.map(DisplayText.line) ?? "sale \(IDText.short(sale.id))"
    }

    /// One step for each of few ended sales, and one for all of many.
    private func of(
        _ page: Page<Sale>,
        _ words: String,
        _ kind: NextStep.Kind,
        _ sums: [String] = []
    ) -> [WaitingStep] {
        guard let first = page.items.first else { return [] }
        let isOne = kind == .collect || page.items.count > Self.namedMax
        let count = page.items.count
        let all = "\(count)\(page.next == nil ? "" : " or more") ended sales"
        let list = "stoa sale list \(kind == .collect ? "to_collect" : "to_review")"
        return (isOne ? [first] : page.items).map { sale in
            let step = NextStep(kind, IDText.short(sale.id))
            let command = isOne && kind != .collect ? list : step.command
            return WaitingStep(
                until: nil,
                asOf: nil,
                about: ([isOne && count > 1 ? all : Self.title(of: sale)] + sums)
                    .joined(separator: ", "),
                step: step.words,
                command: command + suffix
            )
        }
    }
}

/// Formats a status as text.
enum StatusText {
    static func beginning(folder: String) -> String {
        """
        There is no node in \(folder) yet.
        next  Join a market: stoa init --market FILE
              Try it alone, with play money: stoa cluster up
              All commands: stoa --help
        """
    }

    private static let noMarket = """
        next       Join a market: put its settings into stoa.yaml, or run 'stoa init --market FILE' \
        for a new folder
                   Open a market: stoa chain deploy --help
                   Try it alone, with play money: stoa cluster up
        """

    /// Formats a report; `others` are the accounts of the node if nobody is signed in.
    static func text(_ report: StatusReport, others: [String] = []) -> String {
        var lines: [String] = []
        if let node = report.node { lines += health(of: node) }
        if report.accounts.isEmpty { lines += nobody(others) }
        for account in report.accounts {
            let mark = account.isDefault && report.accounts.count > 1 ? ", the default" : ""
            lines.append("account    \(account.name) (\(IDText.address(account.address)))\(mark)")
            lines += account.waiting.map { "           " + line($0) }
            if account.hasMore {
                lines.append(
                    "           More sales run, with later deadlines: stoa sale list running "
                        + "--by-deadline"
                )
            } else if account.waiting.isEmpty {
                lines.append("           Nothing waits for you.")
            }
            lines += underWay(account.underWay).map { "           " + $0 }
        }
        lines += report.unattended.compactMap { left in
            UnattendedText.words(left.moves).map { "unattended \(left.name): \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// How many sales in which others act are named; more are counted.
    private static let underWayMax = 3

    private static func underWay(_ sales: [SaleUnderWay]) -> [String] {
        let more = sales.count - underWayMax
        return sales.prefix(underWayMax).map { sale in
            let part = sale.part.isEmpty ? "" : " (you are \(sale.part))"
            let until = sale.until.map { ", until " + TimeText.text($0) } ?? ""
            return "Under way: \(sale.about)\(part): \(sale.state)\(until)"
        } + (more > 0 ? ["Under way: \(more) more: stoa sale list running"] : [])
    }

    private static func health(of node: NodeStatus) -> [String] {
        let peers = node.peers == 1 ? "one peer" : "\(node.peers) peers"
        guard !node.chains.isEmpty else {
            return ["node       ready, in no market, \(peers)", noMarket]
        }
        let chains = node.chains.map { chain in
            let isReady = chain.health == "ready"
            return "chain \(chain.chain) \(chain.health)"
                + (chain.head.map { " at block \($0)" } ?? "")
                + (isReady ? "" : chain.detail.map { " (\($0))" } ?? "")
        }
        let faults = ((node.clock?.warnings ?? []) + [node.storeWarning].compactMap(\.self))
            .map(\.detail)
        return ["node       " + (chains + [peers] + faults).joined(separator: ", ")]
    }

    private static func nobody(_ others: [String]) -> [String] {
        guard !others.isEmpty else {
            return ["account    none yet: stoa account create NAME"]
        }
        return [
            "account    nobody is signed in: "
                + others.map { "stoa account sign-in \($0)" }.joined(separator: ", ")
        ]
    }

    static func line(_ step: WaitingStep) -> String {
        var time = ""
        if let until = step.until {
            let left =
                step.asOf.map { ", \(CountdownText.text(until: until, from: $0)) left" } ?? ""
            time = "until \(TimeText.text(until))\(left): "
        }
        return "\(time)\(step.about). \(step.step): \(step.command)"
    }
}
