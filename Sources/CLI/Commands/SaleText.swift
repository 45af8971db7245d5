import Client
import Texts

/// Formats sales as text.
enum SaleText {
    /// Formats a sale with the text of its listing, if the node has it.
    ///
    /// It begins with whose turn it is, until when, and what the account can do.
    static func full(
        _ sale: Sale,
        _ listing: Listing? = nil,
        _ names: Names = .none
    ) -> String {
        CurrencyUnits.on(sale.chain) {
            let head =
                [
                    turn(sale, names), deadline(sale),
                    sale.ifUnpaid.map { "if unpaid  \($0.detail)" },
                ].compactMap(\.self)
                + NextStep.lines(NextStep.of(sale), label: "next       ")
            return (head + lines(of: sale, listing, names)).joined(separator: "\n")
        }
    }

    /// Formats whose turn it is, with the name of that account.
    static func turn(_ sale: Sale, _ names: Names) -> String {
        var (words, values) = (sale.turn.detail, sale.turn.values)
        if let account = values["account"] {
            values["account"] = names.text(account)
            words = SentencePatterns.english.text(sale.turn.code, values)
        }
        return "turn       " + words
    }

    private static func lines(of sale: Sale, _ listing: Listing?, _ names: Names) -> [String] {
        let currency = sale.price.currency
        var lines: [String] = []
        if let title = sale.title ?? listing?.content.title {
            lines.append(row("row.title", DisplayText.line(title)))
        }
        lines += [row("row.sale", sale.id), row("row.state", state(sale))]
        if let since = sale.since { lines.append(row("row.since", TimeText.text(since))) }
        lines += [
            row("row.price", MoneyText.paid(sale.price) + ListingText.chain(sale.chain)),
            row("row.seller", names.text(sale.seller)),
        ]
        // The rounds of a course say how many students it has.
        if sale.course == nil { lines.append(buyer(of: sale, names)) }
        if let escrow = sale.escrow { lines += EscrowText.terms(escrow, of: sale, names) }
        if let auction = sale.auction { lines += AuctionText.lines(auction, of: sale, names) }
        if let course = sale.course { lines += CourseText.lines(course, names) }
        lines += about(sale, listing, names)
        lines += (sale.payouts ?? []).map { credited($0, currency, names) }
        if let address = sale.deliveryAddress {
            lines.append(row("row.sendTo", DisplayText.setIn(address)))
        } else if sale.isToBeSent == true && names.own == sale.seller
            || sale.phase == "paid" && listing?.content.delivery == "shipping"
                && sale.actions.contains(where: { $0.move == "transfer" })
        {
            lines.append(row("row.sendTo", words("row.addressUnknown")))
        }
        if let escrow = sale.escrow { lines += EscrowText.proposals(in: escrow, names) }
        for made in sale.history {
            lines += [step(made, names), note(of: made, in: sale), pictures(of: made, in: sale)]
                .compactMap(\.self)
        }
        if sale.escrow?.isTaken == true, sale.history.contains(where: { $0.note != nil }) {
            lines.append(row("row.notes", words("row.notesAsSent")))
        }
        let warnings = sale.warnings.map { row("row.warning", $0.detail) }
        return lines + moves(sale, names) + warnings
    }

    /// The buyer; `nil` as long as people can bid, even if somebody has bid.
    private static func buyer(of sale: Sale, _ names: Names) -> String {
        guard sale.auction == nil || sale.stage == "over" else {
            return row("row.buyer", words("row.buyerAtEnd"))
        }
        return row("row.buyer", sale.buyer.map(names.text) ?? words("row.nobodyYet"))
    }

    private static func credited(
        _ payout: Sale.Payout,
        _ currency: String,
        _ names: Names
    ) -> String {
        let money = Money(amount: payout.amount, currency: currency)
        guard payout.role != "nobody" else {
            return row("row.lost", words("row.nobodyGets", ["sum": MoneyText.paid(money)]))
        }
        let values = [
            "sum": MoneyText.gained(money), "role": "role.\(payout.role)",
            "account": names.text(payout.account),
        ]
        return row("row.credited", words("row.creditedTo", values))
    }

    /// A line that begins with the words of a code.
    private static func row(_ label: String, _ text: String) -> String {
        DisplayWidth.pad(words(label), to: 10) + " " + text
    }

    private static func words(_ code: String, _ values: [String: String] = [:]) -> String {
        SentencePatterns.english.text(code, values)
    }

    /// Formats a step, with its transaction and the page that shows it.
    static func step(_ step: Sale.Step, _ names: Names) -> String {
        let values = [
            "time": TimeText.text(step.at), "move": step.move, "account": names.text(step.by),
            "transaction": step.transaction,
        ]
        let link = step.link.map { ", " + $0 } ?? ""
        return row("row.history", words("row.madeBy", values) + link)
    }

    /// Formats the note that came with a step; `nil` if it has none that the account may read.
    static func note(of step: Sale.Step, in sale: Sale) -> String? {
        guard let note = step.note else { return nil }
        let role =
            switch step.by {
            case sale.seller: "role.seller"
            case sale.buyer: "role.buyer"
            case sale.escrow?.terms.arbiter: "role.arbiter"
            default: "row.formerBuyer"
            }
        let said = ["role": role, "note": DisplayText.setIn(note)]
        // Said after the sale, when no move says that it was sent: the offer's time is another.
        guard step.move != "list" else { return row("row.note", words("row.noteOf", said)) }
        let values = said.merging(["time": TimeText.text(step.at)]) { one, _ in one }
        return row("row.note", words("row.noteAt", values))
    }

    /// Counts the pictures of a note, and says how to see them; `nil` if it has none.
    static func pictures(of step: Sale.Step, in sale: Sale) -> String? {
        guard let pictures = step.pictures, !pictures.isEmpty else { return nil }
        let values = ["count": "\(pictures.count)", "sale": IDText.short(sale.id)]
        return row("row.pictures", words("row.picturesOf", values))
    }

    /// Formats the next deadline, with the time that is left on the chain's clock.
    static func deadline(_ sale: Sale) -> String? {
        guard let deadline = sale.deadline else { return nil }
        let due = ["time": TimeText.text(deadline.at), "then": deadline.consequence.detail]
        guard let now = sale.asOf else { return row("row.until", words("row.untilThen", due)) }
        let left = ["left": CountdownText.text(until: deadline.at, from: now)]
        let values = due.merging(left) { one, _ in one }
        return row("row.until", words("row.leftThen", values))
    }

    /// Formats the highest bid; `nil` if there is none.
    static func bid(_ sale: Sale, _ names: Names) -> String? {
        CurrencyUnits.on(sale.chain) { highest(of: sale, names) }
    }

    private static func highest(of sale: Sale, _ names: Names) -> String? {
        guard let bid = sale.auction?.highestBid else { return nil }
        let currency = sale.price.currency
        let made = [
            "bid": MoneyText.text(bid.amount, currency), "account": names.text(bid.bidder),
        ]
        guard let least = sale.auction?.minimalBid else {
            return row("row.highest", words("row.bidBy", made))
        }
        let values = made.merging(["least": MoneyText.paid(least, currency)]) { one, _ in one }
        return row("row.highest", words("row.bidAndNext", values))
    }

    private static func about(
        _ sale: Sale,
        _ listing: Listing?,
        _ names: Names
    ) -> [String] {
        var lines: [String] = []
        if let content = listing?.content {
            lines.append(row("row.delivery", ListingText.delivery(content)))
            if !content.tags.isEmpty {
                let tags = content.tags.map(DisplayText.line)
                lines.append(row("row.tags", tags.joined(separator: ", ")))
            }
        }
        if let identifier = sale.promised?.identifier ?? listing?.content.identifier,
            !identifier.isEmpty
        {
            lines.append(row("row.identifier", DisplayText.line(identifier)))
        }
        if let item = sale.item { lines.append(row("row.item", item)) }
        lines += ListingText.origin(sale.maker, sale.isResale, seller: sale.seller, names)
        if let listing = sale.listing { lines.append(row("row.listing", listing)) }
        if let listing {
            lines += ListingText.changes(of: listing, since: sale.promised, isShown: false)
        }
        if let next = sale.listedAgain {
            lines.append(row("row.nowSold", words("row.inSale", ["sale": next.sale])))
        }
        return lines
    }

    private static func moves(_ sale: Sale, _ names: Names) -> [String] {
        guard let own = names.own else {
            return sale.stage != "over"
                ? [row("row.youCan", words("row.unknownAccount"))] : []
        }
        let isHighest = sale.auction?.highestBid?.bidder == own
        // The highest bidder can bid more, but nobody should outbid himself.
        let actions = sale.actions.filter { !(isHighest && $0.move == "bid") }
        let lines = actions.map { action in
            let does = ["command": command(action), "effect": action.consequence.detail]
            guard let until = action.until else {
                return row("row.youCan", words("row.move", does))
            }
            let values = does.merging(["until": TimeText.text(until)]) { one, _ in one }
            return row("row.youCan", words("row.moveUntil", values))
        }
        guard lines.isEmpty, sale.stage != "over" else { return lines }
        let isStudent = sale.course?.rounds.contains { $0.own == "enrolled" } == true
        let reason =
            isStudent
            ? "row.nothingEnrolled" : sale.own == nil ? "row.noPart" : "row.nothingNow"
        return [row("row.youCan", words(reason))]
    }

    /// Formats a list of sales; several pieces of one listing that stand alike are one row.
    static func page(_ page: Page<Sale>) -> String {
        var table = TextTable("title", "state", "price", "you are", "next", "sale")
        for row in SaleRow.rows(of: page.items) {
            table.add(row.title, row.state, row.price, row.part, row.next, row.id)
        }
        return table.text(orElse: "No sales.") + page.more
    }

    /// The part of the account in a sale, in one word or two.
    static func part(in sale: Sale) -> String {
        sale.own.map { SentencePatterns.english.words(for: $0, in: "role") } ?? ""
    }

    /// Returns the command for a move, with the share that it needs.
    private static func command(_ action: SaleAction) -> String {
        let share = action.share.map { " --share \(ShareText.typed($0))" } ?? ""
        let round = action.move == "refund" ? action.round.map { " --round \($0)" } ?? "" : ""
        return command(action.move) + share + round
    }

    /// Returns the name of the command for a move.
    static func command(_ move: String) -> String {
        switch move {
        case "execute_default": "default"
        case "pay": "buy"
        default: move.replacing("_", with: "-")
        }
    }

    /// A shop's words for the state of a sale, and how far its last event is from final.
    static func state(_ sale: Sale) -> String {
        let words = sale.status.detail
        guard sale.confirmations < sale.confirmationsNeeded else { return words }
        let progress = SentencePatterns.english.text(
            "standing.confirming",
            ["count": "\(sale.confirmations)", "needed": "\(sale.confirmationsNeeded)"]
        )
        return "\(words) (\(progress))"
    }
}

extension Sale {
    /// Whether it ends with its payment, so that no move says that the item was sent.
    var endsWithPayment: Bool { escrow == nil && course == nil }
}
