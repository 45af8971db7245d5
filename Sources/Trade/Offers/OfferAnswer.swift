import Client
import Keys
import Market

/// A seller's answer to an offer: another sale of the listing that is reserved for the offer's
/// buyer.
///
/// It is an acceptance only if everything but price, end and buyer is as the sale said for which
/// the offer was made: a seller could otherwise put other terms or another thing in its place.
///
/// Source: Docs/protocol.md, section 19.4.
struct OfferAnswer {
    /// How long after the acceptance the sale can be listed, in seconds: ten minutes for the consent,
    /// and ten for the transactions.
    private static let delayMax: UInt64 = 1_200

    private let content: MailPriceOffer.Content
    private let offered: Market.Sale
    private let listing: FoundListing
    private let current: Market.Sale

    /// Returns `nil` if nothing is reserved for the buyer since.
    init?(
        _ content: MailPriceOffer.Content,
        for offered: Market.Sale,
        from buyer: Address,
        _ listing: FoundListing,
        as current: Market.Sale
    ) {
        guard current.reference != offered.reference, current.listedAt > offered.listedAt,
            current.state.offer?.offer.reservation?.buyer == buyer
        else { return nil }
        (self.content, self.offered) = (content, offered)
        (self.listing, self.current) = (listing, current)
    }

    /// The differences from the offer and from the sale that it names.
    var differences: [Sentence] {
        guard current.kind == offered.kind else {
            return [
                Sentence(
                    "offer.otherKind",
                    [
                        "now": "payment.\(current.kind.rawValue)",
                        "then": "payment.\(offered.kind.rawValue)",
                    ]
                )
            ] + contentDifferences
        }
        guard current.currency == offered.currency else {
            let values = ["now": money(current.price, of: current), "then": money(content.price)]
            return [Sentence("offer.otherCurrency", values)] + contentDifferences
        }
        return priceDifference + timeDifferences + termDifferences + contentDifferences
    }

    private var priceDifference: [Sentence] {
        guard current.price != content.price else { return [] }
        return [difference("price", .amount(current.price), .amount(content.price))]
    }

    /// The chain does not show when the offer was accepted, so the time of the listing counts.
    private var timeDifferences: [Sentence] {
        guard let until = current.state.offer?.offer.reservation?.until.seconds else { return [] }
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

    private var termDifferences: [Sentence] {
        let now = current.state.offer?.offer.details(at: current.price) ?? []
        let then = offered.state.offer?.offer.details(at: current.price) ?? []
        return zip(now, then).compactMap { now, then in
            now == then ? nil : difference(now.name, now.value, then.value)
        }
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

    private func difference(
        _ name: String,
        _ now: TermDetail.Value,
        _ then: TermDetail.Value
    ) -> Sentence {
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
        default: return Sentence("preview.promisedTerms")
        }
    }

    private func money(_ amount: Amount) -> String { money(amount, of: offered) }

    private func money(_ amount: Amount, of sale: Market.Sale) -> String {
        amount.value(in: sale.currency, on: sale.reference.contract.chain)
    }
}
