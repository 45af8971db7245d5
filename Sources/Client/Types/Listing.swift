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
    /// The same in a shop's words, with the highest bid or the free seats.
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

/// The content of a listing, as its seller writes it.
public struct ListingContent: Codable, Hashable, Sendable, DescribedType {
    /// `goods`, `digital` or `course`.
    ///
    /// A digital work was added to the node (``StoaClient/addWork(_:named:progress:)``): its
    /// category is `digital`, its delivery `online`, its identifier that of the work, and it shows
    /// one picture.
    public var type: String
    public var title: String
    public var description: String
    public var category: String
    public var tags: [String]
    /// Pictures and documents that were added to the node, at most six, in the order shown.
    ///
    /// In an edit, `nil` keeps them. In a listing that is read it is never `nil`.
    public var media: [ListingMedia]?
    /// The sessions of a course, in order, at most 40; `nil` if there are none.
    ///
    /// In an edit, `nil` keeps it, and an empty list removes it.
    public var curriculum: [CurriculumSession]?
    /// The price; of an auction, the minimum first bid.
    public var price: Money
    /// The id of the chain on which it is sold; `nil` in a new listing is the node's only one.
    public var chain: UInt64?
    /// `escrow`, `direct` or `auction`, and `enrolment` for a course.
    ///
    /// Only an escrow protects a buyer of goods.
    public var payment: String
    /// The token to sell again, in decimal; `nil` to mint a new one.
    ///
    /// The account must own it, and ``identifier`` must be the one that it was made for. In a
    /// listing that is read it is `nil`; its ``Sale/item`` is the token.
    public var item: String?
    /// A text that distinguishes this item from every other, such as a serial number.
    public var identifier: String
    /// `shipping`, `pickup` or `online`.
    public var delivery: String
    /// The places that the seller ships to, all countries, all states or all cities; none means
    /// everywhere.
    ///
    /// A country is an ISO 3166 code, a state is written "Bavaria, DE", and a city
    /// "Munich, Bavaria, DE". A listing that is read has states and cities in small letters and
    /// without commas. Empty if there is a ``shipsWithin``.
    public var shipsTo: [String]
    /// The distance that the seller ships over.
    public var shipsWithin: ShippingDistance?
    /// The place at which the buyer collects it, for `pickup`.
    public var pickupPlace: String?
    /// The terms of an escrow.
    public var terms: EscrowTerms?
    /// The terms of an auction.
    public var auction: AuctionTerms?
    /// The terms of a direct sale.
    public var direct: DirectSaleTerms?
    /// The terms of a course's first round.
    public var course: CourseTerms?
    /// How many pieces of it a new listing offers; `nil` is one.
    ///
    /// In a listing that is read it is `nil`: ``Listing/pieces`` counts them.
    public var pieces: Int?

    package static let fields: [String: FieldFacts] = [
        "type": FieldFacts("goods").oneOf(["goods", "digital", "course"]),
        "title": .title.lengths(1...160).about("One line."),
        "description": FieldFacts("Ridden for two summers.").lengths(1...8_192),
        "category": .category.pattern("^[a-z0-9-]{1,40}$"),
        "tags": FieldFacts("bicycle").lengths(1...30).counts(1...5),
        "media": .files.counts(0...6).notInExample,
        "curriculum": FieldFacts().counts(0...40).notInExample,
        "price": .about("The price as listed."),
        "chain": .chain.notInExample, "payment": .payment,
        "item": FieldFacts("1").notInExample.about(
            "The number of the seller's token to resell."
        ),
        "identifier": .identifier.example("WTU 123 456"),
        "delivery": FieldFacts("shipping").oneOf(.deliveries),
        "shipsTo": FieldFacts("DE").counts(0...20).about(
            "Only countries (ISO 3166 codes), only states ('Bavaria, DE') or only cities "
                + "('Munich, Bavaria, DE'); everywhere if it is empty and there is no distance."
        ),
        "shipsWithin": FieldFacts().notInExample, "pickupPlace": FieldFacts().notInExample,
        "terms": FieldFacts().notInExample, "auction": FieldFacts().notInExample,
        "direct": FieldFacts().notInExample, "course": FieldFacts().notInExample,
        "pieces": FieldFacts(1).numbers(1...20).notInExample.about(
            "How many pieces a new listing offers, each in a sale of its own."
        ),
    ]

    public init(
        type: String = "goods",
        title: String,
        description: String = "",
        category: String = "",
        tags: [String] = [],
        media: [ListingMedia]? = nil,
        curriculum: [CurriculumSession]? = nil,
        price: Money,
        chain: UInt64? = nil,
        payment: String = "escrow",
        item: String? = nil,
        identifier: String = "",
        delivery: String = "shipping",
        shipsTo: [String] = [],
        shipsWithin: ShippingDistance? = nil,
        pickupPlace: String? = nil,
        terms: EscrowTerms? = nil,
        auction: AuctionTerms? = nil,
        direct: DirectSaleTerms? = nil,
        course: CourseTerms? = nil,
        pieces: Int? = nil
    ) {
        self.type = type
        self.title = title
        self.description = description
        self.category = category
        self.tags = tags
        self.media = media
        self.curriculum = curriculum
        self.price = price
        self.chain = chain
        self.payment = payment
        self.item = item
        self.identifier = identifier
        self.delivery = delivery
        self.shipsTo = shipsTo
        self.shipsWithin = shipsWithin
        self.pickupPlace = pickupPlace
        self.terms = terms
        self.auction = auction
        self.direct = direct
        self.course = course
        self.pieces = pieces
    }

    /// Leaves out the terms of every kind of sale.
    package mutating func removeTerms() { (terms, auction, direct, course) = (nil, nil, nil, nil) }

    /// The payments whose terms are given, each with the name of their field.
    package var givenTerms: [(payment: String, field: String)] {
        [
            ("escrow", "terms", terms != nil), ("auction", "auction", auction != nil),
            ("direct", "direct", direct != nil), ("enrolment", "course", course != nil),
        ].filter(\.2).map { ($0.0, $0.1) }
    }
}

extension ListingContent: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("auction", auction)
            json.field("category", category)
            json.field("chain", chain)
            json.field("course", course)
            json.field("curriculum", curriculum)
            json.field("delivery", delivery)
            json.field("description", description)
            json.field("direct", direct)
            json.field("identifier", identifier)
            json.field("item", item)
            json.field("media", media)
            json.field("payment", payment)
            json.field("pickupPlace", pickupPlace)
            json.field("pieces", pieces)
            json.field("price", price)
            json.field("shipsTo", shipsTo)
            json.field("shipsWithin", shipsWithin)
            json.field("tags", tags)
            json.field("terms", terms)
            json.field("title", title)
            json.field("type", type)
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
