import Client
import Foundation

/// Formats listings as text.
enum ListingText {
    /// Names the seller of a listing, on one line.
    static func seller(of listing: Listing, _ names: Names) -> String {
        "'\(DisplayText.line(listing.content.title))' is offered by \(names.text(listing.author))."
    }

    static func full(_ listing: Listing, _ names: Names = .none) -> String {
        let content = listing.content
        let currency = content.price.currency
        var lines = [
            "title      " + DisplayText.line(content.title), "listing    " + listing.id,
            "state      " + state(listing), "price      " + MoneyText.text(content.price),
            "seller     " + names.text(listing.author), "type       " + content.type,
        ]
        if !content.category.isEmpty { lines.append("category   " + content.category) }
        if !content.tags.isEmpty {
            lines.append("tags       " + content.tags.map(DisplayText.line).joined(separator: ", "))
        }
        if !content.identifier.isEmpty {
            lines.append("identifier " + DisplayText.line(content.identifier))
        }
        lines.append("delivery   " + delivery(content))
        if let terms = content.terms { lines += TermsText.lines(terms, currency, names) }
        if let anchor = listing.anchor { lines.append("sale       " + anchor.sale) }
        lines.append("listed     " + TimeText.text(listing.createdAt))
        if !content.description.isEmpty {
            lines += ["", "    " + DisplayText.setIn(content.description)]
        }
        return lines.joined(separator: "\n")
    }

    static func page(_ page: Page<Listing>, _ names: Names = .none) -> String {
        var table = TextTable("title", "price", "seller", "state", "listing")
        for listing in page.items {
            let content = listing.content
            table.add(
                content.title,
                MoneyText.text(content.price),
                names.short(listing.author),
                state(listing),
                IDText.cell(listing.id)
            )
        }
        return table.text(orElse: "Nothing found.") + page.more
    }

    static func delivery(_ content: ListingContent) -> String {
        if let within = content.shipsWithin {
            let place = DisplayText.line(within.place)
            return "shipping within \(within.metres / 1_000) km of \(place)"
        }
        return switch content.delivery {
        case "pickup": "pickup at " + DisplayText.line(content.pickupPlace ?? "a place to agree on")
        case "shipping" where content.shipsTo.isEmpty: "shipping to any country"
        case "shipping":
            "shipping to " + content.shipsTo.map(DisplayText.line).joined(separator: ", ")
        default: content.delivery
        }
    }

    private static func state(_ listing: Listing) -> String {
        let phase = listing.salePhase ?? "not seen on the chain yet"
        return listing.isAsPromised == false ? phase + ", NOT as promised on the chain" : phase
    }
}

/// Formats the terms of an escrow as text.
enum TermsText {
    static func lines(_ terms: EscrowTerms, _ currency: String, _ names: Names) -> [String] {
        var lines: [String] = []
        if let seller = terms.sellerDeposit, let buyer = terms.buyerDeposit {
            lines.append(
                "deposits   \(MoneyText.text(seller, currency)) of the seller, "
                    + "\(MoneyText.text(buyer, currency)) of the buyer"
            )
        }
        if let penalty = terms.latePenalty, penalty != "0" {
            let amount = MoneyText.text(penalty, currency)
            lines.append("penalty    \(amount) from the seller to the buyer if nothing is sent")
        }
        if let arbiter = terms.arbiter {
            let fee = MoneyText.text(terms.arbiterFee ?? "0", currency)
            lines.append("arbiter    \(names.text(arbiter)), gets \(fee) for a ruling")
        } else {
            lines.append("arbiter    none")
        }
        let times = [
            terms.shipSeconds.map { "\(DurationText.text($0)) to send" },
            terms.confirmSeconds.map { "\(DurationText.text($0)) to confirm" },
            terms.rulingSeconds.map { "\(DurationText.text($0)) to settle a dispute" },
        ]
        lines.append("times      " + times.compactMap { $0 }.joined(separator: ", "))
        if let end = terms.offerUntil {
            let date = Date(timeIntervalSince1970: Double(end))
            lines.append("offer ends " + TimeText.text(date))
        }
        return lines
    }
}
