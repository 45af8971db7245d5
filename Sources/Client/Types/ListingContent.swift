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
        "item": FieldFacts("1").notInExample.about("The number of the seller's token to resell."),
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
