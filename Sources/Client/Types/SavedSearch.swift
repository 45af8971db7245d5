public import Foundation

/// The terms of a search, and its order; a `nil` field matches everything.
public struct SearchTerms: Codable, Hashable, Sendable, DescribedType {
    /// Words of the title, the description, the tags or the seller's name; without any, the newest
    /// listings are found.
    public var text: String?
    public var category: String?
    /// One of the tags, whole and in lower-case letters.
    public var tag: String?
    /// The seller's address.
    public var author: String?
    /// The id of the only chain to look at.
    public var chain: UInt64?
    /// The currency of the prices: `native`, or a token's address.
    public var currency: String?
    /// In the currency's smallest unit.
    public var priceMin: String?
    public var priceMax: String?
    /// As ``ListingContent/payment``.
    public var payment: String?
    /// `shipping`, `pickup` or `online`.
    public var delivery: String?
    /// The ISO 3166 code of a country that it must ship to.
    public var shipsTo: String?
    /// Where the caller is, for ``within`` and the order by distance.
    public var near: GeographicPoint?
    /// Only what is shipped around a point that is nearer to ``near`` than these kilometres, 1 to
    /// 20,000.
    public var within: Int?
    /// Only what sellers offer whose reviews average at least these stars, 1 to 5.
    public var starsMin: Int?
    /// Whether only what can reach the account's own delivery address is looked for; a saved search
    /// follows the address.
    public var reachesMe: Bool?
    /// `relevance`, `newest`, `oldest`, `cheapest`, `costliest`, `ending`, `nearest` or `popular`;
    /// by price, a ``currency`` is needed, by distance ``near``.
    public var sort: String?

    /// Whether they say nothing of what to find.
    public var matchEverything: Bool {
        var terms = self
        terms.sort = nil
        return terms == SearchTerms()
    }

    package static let fields: [String: FieldFacts] = [
        "text": "bicycle", "category": .category, "tag": FieldFacts("bicycle").lengths(1...30),
        "author": .address.orName, "chain": .chain,
        "currency": .currency, "priceMin": .bareAmount, "priceMax": .bareAmount.example("2"),
        "payment": .payment.example("direct"),
        "delivery": FieldFacts("shipping").oneOf(.deliveries),
        "shipsTo": FieldFacts("DE").form(.country).about(
            "The ISO 3166 code of a country that it must ship to."
        ),
        "within": FieldFacts(50).numbers(1...20_000).about("In kilometres; it needs 'near'."),
        "starsMin": FieldFacts(4).numbers(1...5).about(
            "Only listings of sellers whose reviews average at least this many stars."
        ),
        "reachesMe": FieldFacts(true).about(
            "Only listings that can reach the account's current delivery address."
        ),
        "sort": FieldFacts("cheapest").oneOf(.orders).about(
            "The order in which it is shown; by price it needs 'currency', by distance 'near'."
        ),
    ]

    public init(
        text: String? = nil,
        category: String? = nil,
        tag: String? = nil,
        author: String? = nil,
        chain: UInt64? = nil,
        currency: String? = nil,
        priceMin: String? = nil,
        priceMax: String? = nil,
        payment: String? = nil,
        delivery: String? = nil,
        shipsTo: String? = nil,
        near: GeographicPoint? = nil,
        within: Int? = nil,
        starsMin: Int? = nil,
        reachesMe: Bool? = nil,
        sort: String? = nil
    ) {
        self.text = text
        self.category = category
        self.tag = tag
        self.author = author
        self.chain = chain
        self.currency = currency
        self.priceMin = priceMin
        self.priceMax = priceMax
        self.payment = payment
        self.delivery = delivery
        self.shipsTo = shipsTo
        self.near = near
        self.within = within
        self.starsMin = starsMin
        self.reachesMe = reachesMe
        self.sort = sort
    }
}

/// A search that reports each new match to its account.
public struct SavedSearch: Codable, Hashable, Sendable, DescribedType {
    /// The account's own name for it.
    public var name: String
    public var terms: SearchTerms
    /// Since when; older listings are not reported.
    public var since: Date

    package static let fields: [String: FieldFacts] = ["name": "bicycles"]

    public init(name: String, terms: SearchTerms, since: Date) {
        (self.name, self.terms, self.since) = (name, terms, since)
    }
}

/// A listing that is not published yet.
public struct Draft: Codable, Hashable, Sendable, DescribedType {
    /// The account's own name for it.
    public var name: String
    public var content: ListingContent
    /// When it was last changed.
    public var changedAt: Date

    package static let fields: [String: FieldFacts] = [
        "name": "second bicycle", "content": FieldFacts().unchecked,
    ]

    public init(name: String, content: ListingContent, changedAt: Date) {
        (self.name, self.content, self.changedAt) = (name, content, changedAt)
    }
}

/// The content of a draft: the fields of a listing, without the rules for their values.
package struct DraftContent: Codable, Sendable, DescribedType {
    package var content: ListingContent

    package static let fields = ListingContent.fields.mapValues(\.unchecked)

    package init(content: ListingContent) { self.content = content }

    package init(from decoder: any Decoder) throws { content = try ListingContent(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}
