import Client
import Concurrency
import Foundation
import Texts

/// Formats listings as text.
enum ListingText {
    /// Names the seller of a listing, on one line.
    static func seller(of listing: Listing, _ names: Names) -> String {
        "'\(DisplayText.line(listing.content.title))' is offered by \(names.text(listing.author))."
    }

    /// Formats a listing.
    ///
    /// - Parameters:
    ///   - listing: The listing.
    ///   - names: The names of accounts.
    ///   - sales: The sales of its seller in words, if they are known.
    /// - Returns: Several lines; the description is the end.
    static func full(
        _ listing: Listing,
        _ names: Names = .none,
        sales: String? = nil
    ) -> String {
        CurrencyUnits.on(listing.content.chain) {
            let content = listing.content
            var lines = Self.lines(of: listing, names)
            if let sales { lines.append("its seller " + sales) }
            lines += changes(of: listing, since: listing.promised)
            if !content.description.isEmpty {
                lines += ["", "    " + DisplayText.setIn(content.description)]
            }
            return lines.joined(separator: "\n")
        }
    }

    /// Names what the seller has changed, each text with what was promised; a sale is bound to
    /// that.
    ///
    /// - Parameters:
    ///   - listing: The listing.
    ///   - promised: The promise of its sale, if it is known.
    ///   - isShown: Whether the listing's own texts are shown already.
    /// - Returns: A line for each field, and for each session of a curriculum.
    static func changes(
        of listing: Listing,
        since promised: Sale.Commitment?,
        isShown: Bool = true
    ) -> [String] {
        let content = listing.content
        let now = Sale.Commitment(
            title: content.title,
            description: content.description,
            identifier: content.identifier,
            curriculum: content.curriculum
        )
        return (listing.changes ?? []).map { field in
            let texts = [
                promised.flatMap { text(of: field, in: $0) }.map { ("; promised:", $0) },
                isShown ? nil : text(of: field, in: now).map { ("; now:", $0) },
            ]
            return "changed    after listing: \(field)"
                + texts.compactMap(\.self).map { label, text in
                    // Sessions begin on a line of their own.
                    label + (text.hasPrefix("\n") ? "" : " ") + text
                }.joined()
        }
    }

    /// Returns one of the texts of a promise; `nil` for a field that has none.
    private static func text(of field: String, in words: Sale.Commitment) -> String? {
        switch field {
        case "title": DisplayText.setIn(words.title)
        case "description": DisplayText.setIn(words.description)
        case "identifier": DisplayText.setIn(words.identifier)
        case "curriculum":
            words.curriculum.map { sessions in
                CourseText.curriculum(sessions).map { "\n    " + $0 }.joined()
            } ?? "none"
        default: nil
        }
    }

    private static func lines(of listing: Listing, _ names: Names) -> [String] {
        var lines = subject(of: listing, names) + market(of: listing, names)
        lines += terms(of: listing, names) + MediaText.lines(listing.content.media)
        lines += (listing.rivals ?? []).map { warning(of: $0, names) }
        if let since = listing.tokenSince {
            lines.append("token      of this listing since " + TimeText.text(since))
        }
        if let anchor = listing.anchor { lines.append("sale       " + anchor.sale) }
        return lines + ["listed     " + TimeText.text(listing.createdAt)]
    }

    /// The thing that is offered, its price and its seller.
    private static func subject(of listing: Listing, _ names: Names) -> [String] {
        let content = listing.content
        var lines = [
            "title      " + DisplayText.line(content.title), "listing    " + listing.id,
            "state      " + state(listing),
            "price      " + currentPrice(of: listing) + chain(content.chain),
            "seller     " + names.text(listing.author), "type       " + content.type,
        ]
        lines += words(of: content).filter { !$0.text.isEmpty }.map {
            DisplayWidth.pad($0.name, to: 11) + $0.text
        }
        lines += origin(listing.maker, listing.isResale, seller: listing.author, names)
        return lines + ["delivery   " + delivery(content), "payment    " + content.payment]
    }

    /// The words of the seller that a listing and a draft show alike, each with its name; a text
    /// that is not given is empty.
    static func words(of content: ListingContent) -> [(name: String, text: String)] {
        [
            ("category", content.category),
            ("tags", content.tags.map(DisplayText.line).joined(separator: ", ")),
            ("identifier", DisplayText.line(content.identifier)),
        ]
    }

    /// The buyers so far, the room for others, and until when.
    private static func market(of listing: Listing, _ names: Names) -> [String] {
        var lines: [String] = []
        if let bid = listing.highestBid { lines.append("highest    " + MoneyText.text(bid)) }
        if let bids = listing.bids { lines.append("bids       \(bids)") }
        if let least = listing.minimalBid {
            lines.append("next bid   at least " + MoneyText.paid(least))
        }
        if let seats = listing.freeSeats { lines.append("free seats \(seats)") }
        if let pieces = listing.pieces {
            lines.append("pieces     \(pieces.total), \(pieces.free) of them free")
        }
        if let students = listing.students {
            lines += ["students   \(students)", "rating     " + CourseText.rating(of: listing)]
        }
        if listing.own != nil { lines.append("you are    " + CourseText.part(in: listing)) }
        if let buyer = reservation(of: listing) {
            let end = listing.endsAt.map { " until " + TimeText.text($0) } ?? ""
            lines.append("reserved   for \(names.text(buyer))\(end)")
        } else if let end = listing.endsAt {
            lines.append("open until " + TimeText.text(end))
        }
        return lines
    }

    /// The terms of its kind of sale; the end of an open offer is shown once, before them.
    private static func terms(of listing: Listing, _ names: Names) -> [String] {
        let content = listing.content
        var lines: [String] = []
        if let terms = content.auction { lines += AuctionText.terms(terms) }
        if let terms = content.course { lines += CourseText.terms(terms) }
        lines += CourseText.curriculum(content.curriculum ?? [])
        let isOpen = listing.endsAt != nil
        if let end = content.direct?.offerUntil, !isOpen {
            lines.append("offer ends " + TimeText.text(end))
        }
        if var terms = content.terms {
            if isOpen { terms.offerUntil = nil }
            lines += EscrowText.lines(terms, content.price.currency, names)
        }
        return lines
    }

    private static func warning(of rival: IdentifierCheck.Use, _ names: Names) -> String {
        let sales =
            rival.authorsSales == 1
            ? "one completed sale" : "\(rival.authorsSales) completed sales"
        let since = rival.tokenSince.map { ", token since " + TimeText.text($0) } ?? ""
        return "warning    also offered by \(names.text(rival.author)), who has \(sales)\(since): "
            + "listing \(IDText.short(rival.listing))"
    }

    /// Says whether an item is sold here for the first time or again, and who listed it first.
    ///
    /// A used thing can be sold here for the first time, and not have been made by its seller.
    static func origin(
        _ maker: String?,
        _ isResale: Bool?,
        seller: String,
        _ names: Names
    ) -> [String] {
        guard let maker, let isResale else { return [] }
        let name = names.text(maker)
        guard isResale else { return ["origin     first sale here, listed by its maker, \(name)"] }
        return ["origin     resale, first listed by \(maker == seller ? "the seller" : name)"]
    }

    /// Formats a list of listings; a column that no listing fills is left out.
    static func page(
        _ page: Page<Listing>,
        _ sellers: Sellers = Sellers(),
        orElse none: String? = nil,
        at now: Date = SystemWallClock().now
    ) -> String {
        let columns: [(head: String, cell: (Listing) -> String)] = [
            ("title", { $0.content.title }),
            ("pictures", { pictures(of: $0).map(String.init) ?? "" }),
            (
                "price",
                { listing in
                    let chain = listing.content.chain
                    return CurrencyUnits.on(chain) { price(of: listing) + Self.chain(chain) }
                }
            ),
            ("origin", { $0.isResale == true ? "resale" : "" }),
            ("bids", { $0.bids.map(String.init) ?? "" }),
            ("students", { $0.students.map(String.init) ?? "" }),
            ("rating", { CourseText.rating(of: $0) }),
            ("you are", { CourseText.part(in: $0) }),
            ("seller", { sellers.names.short($0.author) }),
            ("stars", { sellers.stars[$0.author] ?? "" }),
            ("state", { state($0) }),
            ("ends in", { left(of: $0, at: now) }),
            ("place", { place(of: $0.content) }),
            ("distance", { $0.distance.map { PointText.distance(UInt32(clamping: $0)) } ?? "" }),
            ("listing", { IDText.cell($0.id) }),
        ]
        let rows = page.items.map { listing in columns.map { $0.cell(listing) } }
        var table = TextTable(columns.map(\.head))
        for (number, row) in rows.enumerated() {
            if number == page.withAllWords { table.divide("with some of the words:") }
            table.add(row)
        }
        table.dropEmptyColumns()
        return table.text(orElse: none ?? "Nothing found. Try fewer words, or fewer conditions.")
            + page.more
    }

    private static func pictures(of listing: Listing) -> Int? {
        let count = (listing.content.media ?? []).count { $0.type?.hasPrefix("image/") == true }
        return count == 0 ? nil : count
    }

    /// The time that is left of an open offer, in its largest unit.
    private static func left(of listing: Listing, at now: Date) -> String {
        guard listing.state == "open", let end = listing.endsAt, end > now else { return "" }
        let seconds = Int(end.timeIntervalSince(now))
        let units = [("day", 86_400), ("hour", 3_600), ("minute", 60)]
        guard let unit = units.first(where: { seconds >= $0.1 }) else { return "under a minute" }
        let count = seconds / unit.1
        return "\(count) \(unit.0)\(count == 1 ? "" : "s")"
    }

    /// The place at which a buyer gets the item, or around which it is shipped.
    private static func place(of content: ListingContent) -> String {
        DisplayText.line(content.pickupPlace ?? content.shipsWithin?.place ?? "")
    }

    /// The chain, after an amount in its currency, if the node follows several.
    static func chain(_ chain: UInt64?) -> String {
        guard CurrencyUnits.current.hasOthers, let chain else { return "" }
        return " on chain \(chain)"
    }

    /// The price; of an auction, the highest bid or the minimum first bid.
    private static func price(of listing: Listing) -> String {
        if let bid = listing.highestBid { return "bid " + MoneyText.text(bid) }
        let price = listing.price ?? listing.content.price
        let isAuction = listing.content.payment == "auction"
        let text = (isAuction ? "from " : "") + MoneyText.paid(price)
        return listing.isCurrencyAccepted ? text : text + " (not accepted)"
    }

    /// The price now, and the listed one if it has changed since.
    private static func currentPrice(of listing: Listing) -> String {
        let listed = listing.content.price
        var text = MoneyText.paid(listing.price ?? listed)
        if let price = listing.price, price != listed {
            text += "; \(MoneyText.paid(listed)) when it was listed"
        }
        return listing.isCurrencyAccepted
            ? text : text + ", a token that the market does not accept"
    }

    static func delivery(_ content: ListingContent) -> String {
        if let within = content.shipsWithin {
            let place = DisplayText.line(within.place)
            return "shipping to less than \(PointText.distance(within.metres)) from \(place)"
        }
        return switch content.delivery {
        case "pickup": "pickup at " + DisplayText.line(content.pickupPlace ?? "a place to agree on")
        case "shipping" where content.shipsTo.isEmpty: "shipping to any country"
        case "shipping":
            "shipping to " + content.shipsTo.map(DisplayText.line).joined(separator: ", ")
        default: content.delivery
        }
    }

    /// The only account that can buy an open listing; `nil` if anyone can.
    private static func reservation(of listing: Listing) -> String? {
        guard listing.state == "open" else { return nil }
        return listing.content.terms?.buyer ?? listing.content.direct?.buyer
    }

    /// A shop's words for the state of a listing and of its sale.
    private static func state(_ listing: Listing) -> String {
        var words = listing.status.detail
        if reservation(of: listing) != nil {
            words += ", " + SentencePatterns.english.text("standing.reserved")
        }
        guard listing.isAsPromised == false else { return words }
        let code = listing.changes == nil ? "standing.otherPromise" : "standing.notAsPromised"
        return "\(words), \(SentencePatterns.english.text(code))"
    }
}
