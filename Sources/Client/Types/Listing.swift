public import Foundation
public import Texts

/// An offer as its seller describes it.
public struct Listing: Codable, Hashable, Sendable, DescribedType {
    /// `<author's address>.<slot, 64 hexadecimal digits>`; the same through all edits.
    public var id: String
    /// The signed record that carries this version.
    public var record: String
    public var author: String
    public var content: ListingContent
    /// The sale on the chain that this listing names.
    public var anchor: Anchor?
    /// Whether the chain has the hash of exactly this content; `nil` while the sale is not seen.
    public var isAsPromised: Bool?
    /// The fields that the seller has changed since it was listed, of those that the sale promises;
    /// `nil` if there are none, or if its sale promises something else altogether.
    public var changes: [String]?
    /// The words that its sale promises, if the seller has changed any since; `nil` in lists.
    public var promised: Sale.Commitment?
    /// Whether it can be bought, as this node's own chain connection shows it.
    ///
    /// `open`; `over`, if its time has ended or its sale is no longer on offer; `without_sale`, if
    /// the chain shows no sale for it; or `unknown`, while the node does not see the newest blocks.
    public var state: String
    /// The state in a shop's words, with the highest bid or the free seats.
    public var status: Sentence
    /// The sale's phase, as this node's own chain connection shows it, such as `listed`.
    public var salePhase: String?
    /// The price of its sale now: of an auction the highest bid, of a course that of its last
    /// round.
    ///
    /// `nil` while the sale is not seen. ``ListingContent/price`` is the price that was listed.
    public var price: Money?
    /// Whether the market's contract takes the currency of the price.
    public var isCurrencyAccepted: Bool
    /// The highest bid of its auction so far; `nil` if there is none.
    public var highestBid: Money?
    /// The minimum bid that its auction accepts now; `nil` if it accepts none.
    public var minimalBid: Money?
    /// The number of bids in its auction so far; `nil` if it is sold otherwise.
    public var bids: UInt64?
    /// The free seats of an open course.
    public var freeSeats: UInt64?
    /// The number of enrolments in all rounds of a course; `nil` if it is none.
    public var students: UInt64?
    /// The average of all evaluations of a course, from 0 to 100; `nil` without any.
    public var average: UInt64?
    /// The number of evaluations of a course; `nil` if it is none.
    public var raters: UInt64?
    /// The signed-in account's part in its sale, such as `seller`; `nil` for none.
    ///
    /// In a course, `student` is enrolled in the last round.
    public var own: String?
    /// Who sells it; `nil` unless a search asks for it.
    public var seller: Seller?
    /// How many pieces of it there are, if several are offered; the other fields are those of the
    /// piece that is bought next.
    public var pieces: Pieces?
    /// Open listings by others with the same identifier, with the numbers of their authors'
    /// completed sales; `nil` if there are none, and in lists.
    public var rivals: [IdentifierCheck.Use]?
    /// When its token was first listed, by its chain's clock; `nil` if there are no rivals.
    public var tokenSince: Date?
    /// The account that made the token on sale; `nil` for a course, and while the sale is not seen.
    public var maker: String?
    /// Whether the token is sold again: another account made it, or it was bought before; `nil` as
    /// ``maker``.
    public var isResale: Bool?
    /// Metres from ``SearchTerms/near`` to the point around which it is shipped; `nil` if the
    /// search has no such point, or the listing has none.
    public var distance: Int?
    /// When an open offer ends, unless its sale changes before.
    public var endsAt: Date?
    public var createdAt: Date
    public var firstSeenAt: Date

    package static let fields: [String: FieldFacts] = [
        "id": .listing, "record": .hash, "author": .address,
        "isAsPromised": FieldFacts(true).about(
            "Whether the listing matches the promise of its sale."
        ),
        "changes": FieldFacts("description").oneOf([
            "curriculum", "delivery", "description", "identifier", "media", "title",
        ]).about("The promised fields that were changed after it was listed."),
        "promised": .about("The words that the sale promises, beside those that were changed."),
        "state": .listingState,
        "status": .status.example(
            Sentence("standing.highestBid", ["amount": "500000000000000000 native 1"])
        ),
        "salePhase": FieldFacts("listed").oneOf(.phases),
        "price": .about(
            "The current price: the highest bid, or that of the last round; otherwise as listed."
        ),
        "isCurrencyAccepted": true,
        "minimalBid": .about("The minimum bid that is accepted now."),
        "bids": FieldFacts(3).about("The number of bids in its auction so far."),
        "students": FieldFacts(12).about("The number of enrolments in all rounds of a course."),
        "average": .points, "raters": FieldFacts(3).about("The number of evaluations of a course."),
        "own": FieldFacts("student").oneOf([
            "seller", "buyer", "bidder", "arbiter", "teacher", "student",
        ]).about("The caller's part in its sale; a student is enrolled in the last round."),
        "seller": .about("Who sells it, if 'sellers' asks for it."),
        "pieces": .about("How many pieces there are, if several are offered."),
        "tokenSince": .tokenSince, "maker": .maker, "isResale": .isResale,
        "distance": FieldFacts(1_200).about(
            "From 'near' to the point around which it is shipped, in metres."
        ),
    ]

    public init(
        id: String,
        record: String,
        author: String,
        content: ListingContent,
        anchor: Anchor?,
        isAsPromised: Bool?,
        changes: [String]? = nil,
        state: String = "open",
        status: Sentence? = nil,
        salePhase: String?,
        price: Money? = nil,
        isCurrencyAccepted: Bool = true,
        highestBid: Money? = nil,
        minimalBid: Money? = nil,
        bids: UInt64? = nil,
        freeSeats: UInt64? = nil,
        students: UInt64? = nil,
        average: UInt64? = nil,
        raters: UInt64? = nil,
        own: String? = nil,
        pieces: Pieces? = nil,
        rivals: [IdentifierCheck.Use]? = nil,
        tokenSince: Date? = nil,
        maker: String? = nil,
        isResale: Bool? = nil,
        distance: Int? = nil,
        endsAt: Date? = nil,
        createdAt: Date,
        firstSeenAt: Date
    ) {
        self.id = id
        self.record = record
        self.author = author
        self.content = content
        self.anchor = anchor
        self.isAsPromised = isAsPromised
        self.changes = changes
        self.state = state
        self.status = status ?? Sentence("state.\(state)")
        self.salePhase = salePhase
        self.price = price
        self.isCurrencyAccepted = isCurrencyAccepted
        self.highestBid = highestBid
        self.minimalBid = minimalBid
        self.bids = bids
        self.freeSeats = freeSeats
        (self.students, self.average, self.raters) = (students, average, raters)
        self.own = own
        self.pieces = pieces
        self.rivals = rivals
        self.tokenSince = tokenSince
        (self.maker, self.isResale) = (maker, isResale)
        self.distance = distance
        self.endsAt = endsAt
        self.createdAt = createdAt
        self.firstSeenAt = firstSeenAt
    }

    /// Several pieces of one thing, each with a sale of its own.
    public struct Pieces: Codable, Hashable, Sendable, DescribedType {
        /// How many can be bought now.
        public var free: Int
        /// How many are listed, sold ones included; those that were withdrawn do not count.
        public var total: Int

        package static let fields: [String: FieldFacts] = [
            "free": FieldFacts(3).about("How many can be bought now."),
            "total": FieldFacts(5).about("How many are listed, sold ones included."),
        ]

        public init(free: Int, total: Int) { (self.free, self.total) = (free, total) }
    }

    /// The chain, contract and id of a listing's sale.
    public struct Anchor: Codable, Hashable, Sendable, DescribedType {
        public var chain: UInt64
        public var contract: String
        public var sale: String

        package static let fields: [String: FieldFacts] = [
            "chain": .chain, "contract": .address, "sale": .hash,
        ]

        public init(chain: UInt64, contract: String, sale: String) {
            self.chain = chain
            self.contract = contract
            self.sale = sale
        }
    }
}

/// How far from a place a seller ships.
public struct ShippingDistance: Codable, Hashable, Sendable, DescribedType {
    /// The buyer must be nearer than this, on the great circle.
    public var metres: UInt32
    /// The name of the place.
    public var place: String
    /// Where the place is.
    public var point: GeographicPoint

    package static let fields: [String: FieldFacts] = [
        "metres": FieldFacts(50_000).numbers(1...20_040_000).about(
            "It ships to less than this distance, in metres on the great circle."
        ),
        "place": "Berlin",
        "point": FieldFacts(GeographicPoint(latitude: 52.52, longitude: 13.405)),
    ]

    public init(metres: UInt32, place: String, point: GeographicPoint) {
        self.metres = metres
        self.place = place
        self.point = point
    }
}

/// A point on Earth in degrees of WGS 84.
public struct GeographicPoint: Codable, Hashable, Sendable, DescribedType {
    /// From -90 at the south pole to 90 at the north pole.
    public var latitude: Double
    /// From -180 to 180, east positive.
    public var longitude: Double

    package static let fields: [String: FieldFacts] = [
        "latitude": FieldFacts(48.137).numbers(-90...90).about(
            "In degrees of WGS 84, north positive."
        ),
        "longitude": FieldFacts(11.575).numbers(-180...180).about(
            "In degrees of WGS 84, east positive."
        ),
    ]

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
