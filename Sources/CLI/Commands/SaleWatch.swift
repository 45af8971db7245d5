import ArgumentParser
import Client
import Concurrency
import Foundation

/// The command `stoa sale watch`.
struct SaleWatch: SaleReaderCall {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: """
            Print the changes of a sale as they happen, until it is over or you press Ctrl-C.
            """,
        discussion: """
            On a terminal the last line counts down to the next deadline, on the chain's clock.
            """
    )
    static let examples = ["sale watch bicycle"]

    private static let pollInterval = Duration.seconds(1)

    @Argument(help: .sale, completion: CompletionValues.sales) var sale: String
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient, own: String?) async throws {
        let names = await options.names(of: node, own: own)
        let clock = SystemMonotonicClock()
        var changes = SaleChanges()
        var notes = ChainNotes()
        // Words of a title may mean another sale later on.
        var id = sale
        defer { Terminal.show(status: "") }
        while true {
            let found = try await node.sale(id)
            id = found.id
            let news = changes.news(of: found, names)
            if !news.isEmpty {
                Terminal.show(status: "")
                try options.output.show(found) { _ in news.joined(separator: "\n") }
            }
            if SaleChanges.isOver(found) { return }
            if !options.json { await say(&notes, node) }
            if !options.json { Terminal.show(status: SaleChanges.status(found)) }
            try await clock.wait(Self.pollInterval)
        }
    }

    /// Says if a chain cannot be followed: the sale does not change then.
    private func say(_ notes: inout ChainNotes, _ node: StoaClient) async {
        let news = notes.news(of: (try? await node.chains()) ?? [])
        guard !news.isEmpty else { return }
        Terminal.show(status: "")
        options.output.note(news.joined(separator: "\n"))
    }
}

/// Describes the changes of a sale since it was last shown.
struct SaleChanges {
    private var last: Sale?

    /// Returns a line for each change; for the first time, how the sale is.
    mutating func news(of sale: Sale, _ names: Names) -> [String] {
        defer { last = sale }
        guard let last else { return Self.start(sale, names) }
        let (before, now) = (Self.steps(last), Self.steps(sale))
        var lines = now.filter { !before.contains($0) }.map { SaleText.step($0, names) }
        // A note arrives after its step.
        lines += sale.history.filter { !last.history.contains($0) }.compactMap {
            SaleText.note(of: $0, in: sale)
        }
        lines += before.filter { !now.contains($0) && $0.at >= Self.first(sale) }
            .map { "gone       \($0.move) by \(names.text($0.by)): the chain has taken it back" }
        if sale.phase != last.phase || Self.isFinal(sale) != Self.isFinal(last)
            || (sale.deadline == nil) != (last.deadline == nil)
        {
            lines.append("state      " + SaleText.state(sale))
        }
        if let bid = SaleText.bid(sale, names), bid != SaleText.bid(last, names) {
            lines.append(bid)
        }
        if let line = SaleText.deadline(sale), sale.deadline != last.deadline { lines.append(line) }
        lines += sale.warnings.filter { !last.warnings.contains($0) }.map { "warning    \($0)" }
        return lines
    }

    /// Whether nothing more can change.
    static func isOver(_ sale: Sale) -> Bool { sale.stage == "over" && isFinal(sale) }

    /// The line that counts down.
    static func status(_ sale: Sale) -> String {
        guard let deadline = sale.deadline, let now = sale.asOf else { return "" }
        let left = CountdownText.text(until: deadline.at, from: now)
        return "\(sale.status.detail), \(left) left"
    }

    private static func start(_ sale: Sale, _ names: Names) -> [String] {
        [
            "sale       " + sale.id, "state      " + SaleText.state(sale),
            "price      "
                + CurrencyUnits.on(sale.chain) {
                    MoneyText.paid(sale.price) + ListingText.chain(sale.chain)
                },
        ] + [SaleText.bid(sale, names), SaleText.deadline(sale)].compactMap(\.self)
            + sale.warnings.map { "warning    \($0)" }
    }

    /// The steps without their notes.
    private static func steps(_ sale: Sale) -> [Sale.Step] {
        sale.history.map { step in
            var step = step
            step.note = nil
            return step
        }
    }

    private static func isFinal(_ sale: Sale) -> Bool {
        sale.confirmations >= sale.confirmationsNeeded
    }

    /// The time of the oldest step after the first that the node still shows; older ones are left
    /// out of a long history.
    private static func first(_ sale: Sale) -> Date {
        sale.history.dropFirst().first?.at ?? .distantPast
    }
}

/// Formats the time that is left, to the second.
enum CountdownText {
    /// Formats `2 days 03:04:05`; nothing is less than zero.
    static func text(until end: Date, from now: Date) -> String {
        let seconds = Int(max(0, end.timeIntervalSince(now)))
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { number in
            (number < 10 ? "0" : "") + "\(number)"
        }.joined(separator: ":")
        return switch days {
        case 0: clock
        case 1: "1 day " + clock
        default: "\(days) days " + clock
        }
    }
}
