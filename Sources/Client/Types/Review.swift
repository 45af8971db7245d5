public import Foundation

/// A review by one side of a finished sale about the other.
public struct Review: Codable, Hashable, Sendable, DescribedType {
    public var record: String
    public var author: String
    /// The account that it is about.
    public var subject: String
    public var sale: String
    /// The round that it is about; `nil` for a sale without rounds.
    public var round: UInt64?
    /// The id of the sale's chain.
    public var chain: UInt64
    public var listing: String?
    /// 1 to 5.
    public var stars: Int
    public var text: String
    /// Pictures and documents, in the order shown; at most three.
    public var media: [ListingMedia]?
    /// How the sale ended.
    public var outcome: String
    public var price: Money
    public var createdAt: Date
    /// Whether its author has published another, different review of the same sale.
    ///
    /// Both are shown, and neither counts.
    public var isContradicted: Bool

    package static let fields: [String: FieldFacts] = [
        "record": .hash, "author": .address, "subject": .address, "sale": .hash, "round": .round,
        "chain": .chain,
        "listing": .listing, "stars": .stars, "text": "As described.", "media": .files,
        "outcome": FieldFacts("complete").oneOf(["complete", "refunded", "settled"]),
    ]

    public init(
        record: String,
        author: String,
        subject: String,
        sale: String,
        round: UInt64? = nil,
        chain: UInt64,
        listing: String?,
        stars: Int,
        text: String,
        media: [ListingMedia]? = nil,
        outcome: String,
        price: Money,
        createdAt: Date,
        isContradicted: Bool = false
    ) {
        self.record = record
        self.author = author
        self.subject = subject
        (self.sale, self.round) = (sale, round)
        self.chain = chain
        self.listing = listing
        self.stars = stars
        self.text = text
        self.media = media
        self.outcome = outcome
        self.price = price
        self.createdAt = createdAt
        self.isContradicted = isContradicted
    }
}

/// Asks to publish a review.
public struct ReviewDraft: Codable, Hashable, Sendable, DescribedType {
    public var sale: String
    /// For a sale with rounds: which one; `nil` is the newest that the account has not reviewed.
    public var round: UInt64?
    public var stars: Int
    /// Without a text, only the stars are published.
    public var text: String?
    /// Files that were added to the node, at most three.
    public var media: [ListingMedia]?

    package static let fields: [String: FieldFacts] = [
        "sale": .hash.orName, "round": .round, "stars": .stars,
        "text": FieldFacts("As described.").lengths(0...4_096), "media": .files.counts(0...3),
    ]

    public init(
        sale: String,
        round: UInt64? = nil,
        stars: Int,
        text: String? = nil,
        media: [ListingMedia]? = nil
    ) {
        (self.sale, self.round) = (sale, round)
        self.stars = stars
        self.text = text
        self.media = media
    }
}

/// The reviews to return.
public enum ReviewScope: Hashable, Sendable {
    /// All about one listing.
    case listing(String)
    /// All about one account.
    case account(String)
    /// The reviews of one sale, by both sides.
    case sale(String)
}
