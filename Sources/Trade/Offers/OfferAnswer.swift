import Client
import Keys
import Market

/// A later sale of the listing than the one that an offer names, which its buyer could buy.
///
/// It is an acceptance only if it is reserved for the buyer, and everything but price, end and
/// buyer is as the sale said for which the offer was made: a seller could otherwise put other terms
/// or another thing in its place. One that anyone can buy is compared too, but for its price and
/// its end, which the buyer sees.
///
/// Source: Docs/protocol.md, section 19.4.
struct OfferAnswer {
    /// How long after the acceptance the sale can be listed, in seconds: ten minutes for the consent,
    /// and ten for the transactions.
    private static let delayMax: UInt64 = 1_200

    /// Whether only the offer's buyer can buy; otherwise anyone can.
    let isReserved: Bool
    /// `nil` if the buyer has withdrawn the offer.
    private let content: MailPriceOffer.Content?
    private let offered: Market.Sale
    private let listing: FoundListing
    private let current: Market.Sale

    /// Returns `nil` if there is no later sale that the buyer could buy.
    init?(
        _ content: MailPriceOffer.Content?,
        for offered: Market.Sale,
        from buyer: Address,
        _ listing: FoundListing,
        as current: Market.Sale
    ) {
        guard current.reference != offered.reference, current.listedAt > offered.listedAt,
            let terms = current.state.offer?.offer,
            terms.reservation.map({ $0.buyer == buyer }) ?? true
        else { return nil }
        isReserved = terms.reservation != nil
        (self.content, self.offered) = (content, offered)
        (self.listing, self.current) = (listing, current)
    }

    /// The differences from the offer and from the sale that it names.
    var differences: [Sentence] {
        kindDifference + priceDifference + timeDifferences + termDifferences + contentDifferences
    }

    /// The differences after the sentence that they answer the offer otherwise; `nil` without any.
    var words: [Sentence]? { Self.words(of: differences, isReserved: isReserved) }

    static func words(of differences: [Sentence], isReserved: Bool) -> [Sentence]? {
        guard !differences.isEmpty else { return nil }
        return [Sentence(isReserved ? "offer.otherTerms" : "offer.changedTerms")] + differences
    }

    private var kindDifference: [Sentence] {
        guard current.kind != offered.kind else { return [] }
        let (now, then) = (current.kind.rawValue, offered.kind.rawValue)
        return [Sentence("offer.otherKind", ["now": "payment.\(now)", "then": "payment.\(then)"])]
    }

    /// The price, as far as the listing answers the offer; one for everybody is another price of
    /// the sale, unless it is in another currency.
    private var priceDifference: [Sentence] {
        let then = content.map(\.price) ?? offered.price
        guard current.currency == offered.currency else {
            let values = [
                "now": money(current.price), "then": then.value(in: offered.currency, on: chain),
            ]
            return [Sentence("offer.otherCurrency", values)]
        }
        guard isReserved, content != nil, current.price != then else { return [] }
        return [difference("price", .amount(current.price), .amount(then))].compactMap(\.self)
    }

    /// The chain does not show when the offer was accepted, so the time of the listing counts.
    private var timeDifferences: [Sentence] {
        guard let content, let until = current.state.offer?.offer.reservation?.until.seconds else {
            return []
        }
        let (listedAt, then) = (current.listedAt.time.seconds, content.paymentSeconds)
        var differences: [Sentence] = []
        if listedAt >= content.until.seconds + Self.delayMax {
            differences.append(Sentence("offer.late", ["time": content.until.value]))
        }
        let now = until - min(listedAt, until)
        if now > then || now + Self.delayMax < then {
            let left = Duration.seconds(Int64(clamping: now)).value
            let offered = Duration.seconds(Int64(clamping: then)).value
            differences.append(Sentence("offer.otherEnd", ["now": left, "then": offered]))
        }
        return differences
    }

    /// The terms of each kind of sale; those of the earlier one as the same shares of the price.
    private var termDifferences: [Sentence] {
        let now = current.state.offer?.offer.details(at: current.price) ?? []
        let then = offered.state.offer?.offer.details(at: current.price) ?? []
        let old = then.filter { term in !now.contains { $0.name == term.name } }
        return now.compactMap { term in
            difference(term.name, term.value, then.first { $0.name == term.name }?.value)
        } + old.compactMap { difference($0.name, nil, $0.value) }
    }

    /// The token, and the seller's promise, of which the earlier sale has the hash.
    private var contentDifferences: [Sentence] {
        var differences: [Sentence] = []
        if current.state.item != offered.state.item {
            differences.append(Sentence("offer.otherItem"))
        }
        if listing.listing.fulfilment(slot: listing.id.slot, sale: current) == .notPromised
            || !listing.promise.isKept(from: offered)
        {
            differences.append(Sentence("offer.otherContent"))
        }
        return differences
    }

    /// Returns how a term differs; `nil` if it does not.
    ///
    /// A kind of sale without the term has none.
    private func difference(
        _ name: String,
        _ now: TermDetail.Value?,
        _ then: TermDetail.Value?
    ) -> Sentence? {
        guard now != then else { return nil }
        let term = "label.\(name)"
        switch (now, then) {
        case (.amount(let now), .amount(let then)):
            let values = ["term": term, "now": money(now), "then": money(then)]
            return Sentence("offer.otherAmount", values)
        case (.duration(let now), .duration(let then)):
            let values = ["term": term, "now": now.value, "then": then.value]
            return Sentence("offer.otherDuration", values)
        case (.account(let now?), .account(let then?)):
            let values = ["term": term, "now": now.checksummed, "then": then.checksummed]
            return Sentence("offer.otherAccount", values)
        case (.account(let now?), _):
            let values = ["term": term, "now": now.checksummed]
            return Sentence("offer.accountAdded", values)
        case (_, .account(let then?)):
            let values = ["term": term, "then": then.checksummed]
            return Sentence("offer.accountRemoved", values)
        case (.amount(let now), _):
            return Sentence("offer.amountAdded", ["term": term, "now": money(now)])
        case (.duration(let now), _):
            return Sentence("offer.durationAdded", ["term": term, "now": now.value])
        case (_, .amount), (_, .duration): return Sentence("offer.termRemoved", ["term": term])
        // Neither names an account.
        case (.account(nil), _), (nil, _): return nil
        }
    }

    private var chain: ChainID { current.reference.contract.chain }

    private func money(_ amount: Amount) -> String { amount.value(in: current.currency, on: chain) }
}
