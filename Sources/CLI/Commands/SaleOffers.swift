import ArgumentParser
import Client
import Concurrency
import Foundation
import Texts

/// The command `stoa sale offer`.
struct SaleOffer: AccountCall, ListingNaming {
    private static let standardFor = DurationText(seconds: 259_200)
    private static let standardPayWithin: UInt64 = 172_800

    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Offer the seller of a listing a lower price.",
        discussion: """
            The offer is encrypted for the seller and costs nothing. If the seller accepts it, the \
            thing is listed at your price for you alone, and you pay it with 'stoa sale buy'; you \
            need not. A new offer replaces your earlier one.
            """
    )
    static let examples = [
        "sale offer bicycle 0.4", "sale offer 3f9ac21b '0.4 ETH' --for 1d --pay-within 12h",
        "sale offer bicycle --withdraw",
    ]

    @Argument(help: .listing) var listing: String
    @Argument(help: "The price, such as 0.4, '0.4 ETH', '100 gwei' or '12.50 TST'.")
    var price: String?
    @Option(
        name: .customLong("for"),
        parsing: .unconditional,
        help: "How long the seller can accept it, such as 1d; at most 30d. Defaults to 3d."
    )
    var duration: DurationText?
    @Option(
        parsing: .unconditional,
        help: "How long you have to pay once it is accepted, from 1h to 7d. Defaults to 2d."
    )
    var payWithin: DurationText?
    @Flag(help: "Withdraw your offer.") var withdraw = false
    @Flag(name: .shortAndLong, help: "Send it without asking.") var yes = false
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard price == nil || !withdraw else {
            throw ValidationError("--withdraw withdraws your offer, whatever its price: give none.")
        }
        guard price != nil || withdraw else {
            throw ValidationError("Give a price, or --withdraw.")
        }
        guard !withdraw || duration == nil && payWithin == nil else {
            throw ValidationError("--withdraw goes with neither --for nor --pay-within.")
        }
    }

    func call(_ node: StoaClient) async throws {
        let found = try await node.listing(listing, onSale: true)
        guard let price else {
            let message = try await node.withdrawOffer(forListing: found.id)
            return try options.output.show(message) { _ in "Your offer is withdrawn." }
        }
        var now: Date?
        if let sale = found.anchor?.sale { now = try? await node.sale(sale).asOf }
        let period = duration ?? Self.standardFor
        let draft = PriceOfferDraft(
            price: try CurrencyUnits.on(found.content.chain) {
                try MoneyText.units(price, of: found.content.price.currency)
            },
            until: period.end(from: now ?? SystemWallClock().now),
            paymentSeconds: payWithin?.seconds ?? Self.standardPayWithin
        )
        // An offer that nobody could accept is refused before the question.
        let preview = try await node.preview(offering: draft, forListing: found.id)
        if !options.json {
            // Words of a title can match another seller's listing.
            let names = await Names.of(node).with(profilesOf: [found.author], node)
            Terminal.warn(PreviewText.text(preview, names))
        }
        if !yes {
            try Terminal.confirm("Send it to \(found.author)?", orElse: "Nothing was sent.")
        }
        let message = try await node.offer(draft, forListing: found.id)
        try options.output.show(message) { _ in "Sent to the seller." }
        options.say(next: [NextStep(.offers)])
    }
}

/// The command `stoa sale offers`.
struct SaleOffers: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "offers",
        abstract: "Show the offers at other prices that you have received and made."
    )
    static let examples = ["sale offers"]

    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        let offers = try await node.offers()
        let own = options.json ? nil : try await node.currentAccount().address
        let names = options.json ? Names.none : await Names.of(node, own: own)
        try options.output.show(offers) { PriceOfferText.table($0, names) }
    }
}

/// The command `stoa sale accept`.
struct SaleAccept: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept an offer for one of your listings.",
        discussion: """
            The sale is withdrawn and the item listed again at the offered price, for this buyer \
            alone, in one operation of several transactions. A buyer can replace an offer by another \
            one whose id begins with the same digits: so --yes takes the whole id, which 'stoa sale \
            offers --json' shows, or the price too. If the buyer does not pay in time, \
            the node lists it again as before as soon as you are signed in, or 'stoa listing reopen' \
            does.
            """
    )
    static let examples = ["sale accept 7f3a2b19"]

    @Argument(
        help: """
            The offer: the first digits of its id, as 'stoa sale offers' shows it, or words of the \
            title if there is one open offer for such a listing.
            """
    )
    var offer: String
    @Option(
        parsing: .unconditional,
        help: "The price that it must have, such as 0.4; with --yes, unless the id is whole."
    )
    var price: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard consent.yes, price == nil, !PriceOfferText.isWhole(offer) else { return }
        throw ValidationError(
            "With --yes, add --price with the price that you accept, or give the whole id of the "
                + "offer: another one can begin with the same digits."
        )
    }

    func call(_ node: StoaClient) async throws {
        let node = try fees.applied(to: node)
        let found = try PriceOfferText.offer(offer, of: try await node.offers())
        if let price { try PriceOfferText.require(price, of: found) }
        let id = found.id
        let preview = try await node.preview(accepting: id)
        try await consent.obtain(for: preview, of: node, asJSON: options.json)
        // The buyer's time ends when the preview says, not later.
        let payUntil = preview.deadline.map { UInt64($0.at.timeIntervalSince1970) }
        let begun = try await node.accept(
            offer: id,
            OfferAcceptance(payUntil: payUntil),
            feeMax: preview.agreedFee,
            acceptsOneSource: preview.restsOnOneSource
        )
        let ended = try await options.output.finish(begun, node)
        try options.output.show(ended) { _ in "Accepted: the buyer can pay now." }
        options.say(next: [NextStep(.offers)])
    }
}

/// The command `stoa listing reopen`.
struct ListingReopen: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "reopen",
        abstract: "List an item again as before its buyer's offer, which was not paid in time."
    )
    static let examples = ["listing reopen bicycle"]

    @Argument(help: .listing) var listing: String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        let node = try fees.applied(to: node)
        // The call itself takes no words of a title.
        let id = try await node.listing(listing, own: true).id
        let preview = try await node.preview(reopening: id)
        try await consent.obtain(for: preview, of: node, asJSON: options.json)
        let begun = try await node.reopen(
            listing: id,
            feeMax: preview.agreedFee,
            acceptsOneSource: preview.restsOnOneSource
        )
        let ended = try await options.output.finish(begun, node)
        try options.output.show(ended) { _ in "Listed again." }
        options.say(next: [NextStep(.showListing, IDText.short(id))])
    }
}

/// Formats offers as text, and finds them.
enum PriceOfferText {
    static func table(_ offers: [PriceOffer], _ names: Names) -> String {
        var table = TextTable("offer", "title", "price", "instead of", "buyer", "state")
        for offer in offers {
            // The seller compares them, and types the price into `sale accept --price`.
            let (price, listed) = CurrencyUnits.on(offer.chain) {
                (MoneyText.exact(offer.price), MoneyText.exact(offer.listedPrice))
            }
            table.add(
                IDText.cell(offer.id),
                offer.title,
                price,
                offer.state == "open" ? listed : "",
                names.short(offer.buyer),
                state(of: offer)
            )
        }
        table.dropEmptyColumns()
        let answers = offers.compactMap { offer in
            offer.reason.map { reason in
                "Offer \(IDText.short(offer.id)): \(DisplayText.line(reason.detail))"
            }
        }
        return ([table.text(orElse: "No offers.")] + answers).joined(separator: "\n")
    }

    private static func state(of offer: PriceOffer) -> String {
        let words = SentencePatterns.english.words(for: offer.state, in: "offerState")
        let end =
            offer.state == "open" ? offer.until : offer.state == "accepted" ? offer.payUntil : nil
        if offer.state == "over", offer.reason != nil {
            return words + ": the seller lists it on other terms"
        }
        return words + (end.map { " until \(TimeText.text($0))" } ?? "")
    }

    private static func digits(of text: String) -> Substring {
        let digits = text.lowercased()
        return digits.hasPrefix("0x") ? digits.dropFirst(2) : digits[...]
    }

    /// Whether a text is a whole id, so that it names one offer for ever.
    static func isWhole(_ text: String) -> Bool { digits(of: text).count == 64 }

    /// Refuses an offer with another price than a person has entered.
    static func require(_ price: String, of offer: PriceOffer) throws {
        try CurrencyUnits.on(offer.chain) {
            guard try MoneyText.units(price, of: offer.price.currency) != offer.price.amount else {
                return
            }
            throw Failure(
                .refused,
                "The offer is for \(MoneyText.exact(offer.price)). Nothing was signed."
            )
        }
    }

    /// Returns an offer by the first digits of its id, or an open one by words of its title.
    ///
    /// - Throws: ``Failure`` unless exactly one fits.
    static func offer(_ text: String, of offers: [PriceOffer]) throws -> PriceOffer {
        let digits = digits(of: text)
        let begun = offers.filter { digits.count >= 4 && $0.id.dropFirst(2).hasPrefix(digits) }
        let words = text.lowercased().split(separator: " ")
        let named = offers.filter { offer in
            offer.state == "open" && !words.isEmpty
                && words.allSatisfy { offer.title.lowercased().contains($0) }
        }
        let found = begun.isEmpty ? named : begun
        guard let offer = found.first, found.count == 1 else {
            throw Failure(
                .refused,
                found.isEmpty
                    ? "You have no offer '\(DisplayText.line(text))'. See 'stoa sale offers'."
                    : "'\(DisplayText.line(text))' fits several offers. Give the digits of one, as "
                        + "'stoa sale offers' shows them."
            )
        }
        return offer
    }
}
