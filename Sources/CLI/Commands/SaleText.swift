import Client
import Texts

/// Formats sales as text.
enum SaleText {
    /// Formats a sale with the text of its listing, if the node has it.
    ///
    /// It begins with whose turn it is, until when, and what the account can do. `ended` are
    /// the account's ended sales with something left to do, and `sending` the operation that still
    /// sends its address, see ``NextStep/of(_:for:_:ended:sending:)``.
    static func full(
        _ sale: Sale,
        _ listing: Listing? = nil,
        _ names: Names = .none,
        ended: NextStep.Ended? = nil,
        sending: String? = nil
    ) -> String {
        CurrencyUnits.on(sale.chain) {
            let steps =
                names.own.map {
                    NextStep.of(sale, for: $0, listing, ended: ended, sending: sending)
                } ?? []
            let head =
                [SaleTurn.line(sale, names, isLeft: !steps.isEmpty), deadline(sale)].compactMap(
                    \.self
                )
                + NextStep.lines(steps, label: "next       ")
            return (head + lines(of: sale, listing, names)).joined(separator: "\n")
        }
    }

    private static func lines(of sale: Sale, _ listing: Listing?, _ names: Names) -> [String] {
        let currency = sale.price.currency
        var lines: [String] = []
        if let title = sale.promised?.title ?? listing?.content.title ?? sale.laterTitle {
            lines.append("title      " + DisplayText.line(title))
        }
        lines += ["sale       " + sale.id, "state      " + state(sale)]
        if let since = sale.since { lines.append("since      " + TimeText.text(since)) }
        lines += [
            "price      " + MoneyText.paid(sale.price) + ListingText.chain(sale.chain),
            "seller     " + names.text(sale.seller),
        ]
        // The rounds of a course say how many students it has.
        if sale.course == nil { lines.append(buyer(of: sale, names)) }
        if let escrow = sale.escrow { lines += EscrowText.terms(escrow, of: sale, names) }
        if let auction = sale.auction { lines += AuctionText.lines(auction, of: sale, names) }
        if let course = sale.course { lines += CourseText.lines(course, names) }
        lines += about(sale, listing, names)
        for payout in sale.payouts ?? [] {
            let money = Money(amount: payout.amount, currency: currency)
            lines.append(
                payout.role == "nobody"
                    ? "lost       \(MoneyText.paid(money)), which nobody gets"
                    : "credited   \(MoneyText.gained(money)) to the \(payout.role), "
                        + names.text(payout.account)
            )
        }
        if let address = sale.deliveryAddress {
            lines.append("send to    " + DisplayText.setIn(address))
        } else if sale.isToBeSent == true && names.own == sale.seller
            || sale.phase == "paid" && listing?.content.delivery == "shipping"
                && sale.actions.contains(where: { $0.move == "transfer" })
        {
            lines.append("send to    not known on this node; the buyer tells it: stoa sale address")
        }
        if let escrow = sale.escrow { lines += EscrowText.proposals(in: escrow, names) }
        for made in sale.history {
            lines += [step(made, names), note(of: made, in: sale), pictures(of: made, in: sale)]
                .compactMap(\.self)
        }
        if sale.escrow?.isTaken == true, sale.history.contains(where: { $0.note != nil }) {
            lines.append(
                "notes      are shown as they were sent to you; the others may have got other words"
            )
        }
        let warnings = sale.warnings.map { "warning    \($0)" }
        return lines + moves(sale, names) + warnings
    }

    /// The buyer; `nil` as long as people can bid, even if somebody has bid.
    private static func buyer(of sale: Sale, _ names: Names) -> String {
        guard sale.auction == nil || sale.stage == "over" else {
            return "buyer      nobody yet; the highest bidder, once the auction has ended"
        }
        return "buyer      " + (sale.buyer.map(names.text) ?? "nobody yet")
    }

    /// Formats a step, with its transaction and the page that shows it.
    static func step(_ step: Sale.Step, _ names: Names) -> String {
        "history    \(TimeText.text(step.at)): \(step.move) by \(names.text(step.by)), "
            + "transaction \(step.transaction)" + (step.link.map { ", " + $0 } ?? "")
    }

    /// Formats the note that came with a step; `nil` if it has none that the account may read.
    static func note(of step: Sale.Step, in sale: Sale) -> String? {
        guard let note = step.note else { return nil }
        let role =
            switch step.by {
            case sale.seller: "seller"
            case sale.buyer: "buyer"
            case sale.escrow?.terms.arbiter: "arbiter"
            default: "former buyer"
            }
        // Said after the sale, when no move says that it was sent: the offer's time is another.
        let time = step.move == "list" ? "" : ", " + TimeText.text(step.at)
        return "note       of the \(role)\(time): \(DisplayText.setIn(note))"
    }

    /// Counts the pictures of a note, and says how to see them; `nil` if it has none.
    static func pictures(of step: Sale.Step, in sale: Sale) -> String? {
        guard let pictures = step.pictures, !pictures.isEmpty else { return nil }
        return "pictures   \(pictures.count): stoa sale pictures \(IDText.short(sale.id))"
    }

    /// Formats the next deadline, with the time that is left on the chain's clock.
    static func deadline(_ sale: Sale) -> String? {
        guard let deadline = sale.deadline else { return nil }
        let left = sale.asOf.map { " (\(CountdownText.text(until: deadline.at, from: $0)) left)" }
        return
            "until      \(TimeText.text(deadline.at))\(left ?? ""): \(deadline.consequence.detail)"
    }

    /// Formats the highest bid; `nil` if there is none.
    static func bid(_ sale: Sale, _ names: Names) -> String? {
        CurrencyUnits.on(sale.chain) { highest(of: sale, names) }
    }

    private static func highest(of sale: Sale, _ names: Names) -> String? {
        guard let bid = sale.auction?.highestBid else { return nil }
        let currency = sale.price.currency
        let next = sale.auction?.minimalBid.map {
            ", the next at least " + MoneyText.paid($0, currency)
        }
        return "highest    \(MoneyText.text(bid.amount, currency)) by \(names.text(bid.bidder))"
            + (next ?? "")
    }

    private static func about(
        _ sale: Sale,
        _ listing: Listing?,
        _ names: Names
    ) -> [String] {
        var lines: [String] = []
        if let content = listing?.content {
            lines.append("delivery   " + ListingText.delivery(content))
            if !content.tags.isEmpty {
                let tags = content.tags.map(DisplayText.line)
                lines.append("tags       " + tags.joined(separator: ", "))
            }
        }
        if let identifier = sale.promised?.identifier ?? listing?.content.identifier,
            !identifier.isEmpty
        {
            lines.append("identifier " + DisplayText.line(identifier))
        }
        if let item = sale.item { lines.append("item       " + item) }
        lines += ListingText.origin(sale.maker, sale.isResale, seller: sale.seller, names)
        if let listing = sale.listing { lines.append("listing    " + listing) }
        if let listing {
            lines += ListingText.changes(of: listing, since: sale.promised, isShown: false)
        }
        if let next = sale.listedAgain { lines.append("now sold   in sale " + next.sale) }
        return lines
    }

    private static func moves(_ sale: Sale, _ names: Names) -> [String] {
        guard let own = names.own else {
            return sale.stage != "over"
                ? ["you can    not known: sign in, or name your account with --as"] : []
        }
        let isHighest = sale.auction?.highestBid?.bidder == own
        // The highest bidder can bid more, but nobody should outbid himself.
        let actions = sale.actions.filter { !(isHighest && $0.move == "bid") }
        let lines = actions.map { action in
            let until = action.until.map { " until " + TimeText.text($0) } ?? ""
            return "you can    \(command(action))\(until): \(action.consequence.detail)"
        }
        guard lines.isEmpty, sale.stage != "over" else { return lines }
        let isStudent = sale.course?.rounds.contains { $0.own == "enrolled" } == true
        let reason =
            isStudent
            ? "nothing now: you are enrolled"
            : NextStep.isParty(own, of: sale) ? "nothing now" : "nothing: you have no part in it"
        return ["you can    " + reason]
    }

    /// Formats a list of sales.
    ///
    /// `own` is the account whose part and next step it shows, and `titles` are those of the
    /// listings of sales without a promise here.
    static func page(
        _ page: Page<Sale>,
        own: String? = nil,
        titles: [String: String] = [:]
    ) -> String {
        var table = TextTable("title", "state", "price", "you are", "next", "sale")
        for sale in page.items {
            // A list does not say what is collected and reviewed.
            let none = NextStep.Ended(toCollect: [], toReview: [])
            let steps = own.map { NextStep.of(sale, for: $0, ended: none) } ?? []
            table.add(
                sale.promised?.title ?? sale.listing.flatMap { titles[$0] } ?? sale.laterTitle
                    ?? "(its listing is not here)",
                state(sale),
                CurrencyUnits.on(sale.chain) {
                    MoneyText.paid(sale.price) + ListingText.chain(sale.chain)
                },
                own.map { part(of: $0, in: sale) } ?? "",
                steps.first.map { String($0.command.dropFirst("stoa ".count)) } ?? "",
                IDText.cell(sale.id)
            )
        }
        return table.text(orElse: "No sales.") + page.more
    }

    /// The part of an account in a sale, in one word or two.
    static func part(of own: String, in sale: Sale) -> String {
        if own == sale.seller { return sale.course == nil ? "seller" : "teacher" }
        if own == sale.escrow?.terms.arbiter { return "arbiter" }
        if sale.course?.rounds.contains(where: { $0.own != nil }) == true { return "student" }
        guard let auction = sale.auction, auction.ownBid != nil else {
            return own == sale.buyer ? "buyer" : ""
        }
        let isHighest = auction.highestBid?.bidder == own
        guard sale.stage == "over" else { return isHighest ? "highest bidder" : "outbid" }
        return isHighest ? "buyer" : "outbid: lost"
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
