import Foundation
import Testing

@testable import Client

/// What is written directly is what the encoder makes of it, byte for byte.
struct JSONWriterTests {
    private static let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    private static let time = Date(timeIntervalSince1970: 1_763_700_000.123)

    /// Content with as few fields as it can have.
    private static let bare = ListingContent(
        title: "Lamp",
        price: Money(amount: "1", currency: "native")
    )

    /// Content with every field.
    private static var full: ListingContent {
        var content = ListingContent(
            type: "course",
            title: "\"Glass\" \\ lamp",
            description: "Line one.\nLine two:\ttab.",
            category: "lamps",
            tags: ["red", "öl"],
            media: [
                ListingMedia(id: "0x01", type: "image/jpeg", length: 9), ListingMedia(id: "2"),
            ],
            price: Money(amount: "500000000000000000", currency: address),
            chain: 8_217,
            payment: "escrow",
            item: "7",
            identifier: "frame1",
            delivery: "pickup",
            shipsTo: ["DE", "FR"],
            shipsWithin: ShippingDistance(
                metres: 50_000,
                place: "Berlin",
                point: GeographicPoint(latitude: 52.52, longitude: -13)
            ),
            pickupPlace: "Mitte",
            terms: EscrowTerms(),
            auction: AuctionTerms(durationSeconds: 1, minIncrement: 2, extensionSeconds: 3),
            direct: DirectSaleTerms(offerUntil: 4, buyer: address),
            course: CourseTerms(
                seats: 5,
                startsAt: 6,
                endsAt: 7,
                beginSeconds: 8,
                ratingSeconds: 9
            ),
            pieces: 5
        )
        content.curriculum = [CurriculumSession(title: "Bowline", content: "Tie it.")]
        content.terms?.sellerDeposit = "2"
        content.terms?.buyerDeposit = "3"
        content.terms?.latePenalty = "4"
        content.terms?.arbiter = address
        content.terms?.arbiterFee = "5"
        content.terms?.shipSeconds = 6
        content.terms?.confirmSeconds = 7
        content.terms?.rulingSeconds = 8
        content.terms?.offerUntil = 9
        content.terms?.buyer = address
        return content
    }

    private static func listing(_ content: ListingContent, isFull: Bool) -> Listing {
        var listing = Listing(
            id: "\(address).0f",
            record: "0x0f",
            author: address,
            content: content,
            anchor: nil,
            isAsPromised: nil,
            salePhase: nil,
            createdAt: time,
            firstSeenAt: time.addingTimeInterval(0.001)
        )
        guard isFull else { return listing }
        listing.anchor = Listing.Anchor(chain: 1, contract: address, sale: "0x02")
        listing.isAsPromised = false
        listing.salePhase = "listed"
        listing.price = Money(amount: "6", currency: "native")
        listing.highestBid = Money(amount: "7", currency: "native")
        listing.minimalBid = Money(amount: "8", currency: "native")
        listing.freeSeats = .max
        (listing.students, listing.average, listing.raters) = (12, 82, 3)
        listing.own = "student"
        (listing.maker, listing.isResale) = (address, true)
        listing.pieces = Listing.Pieces(free: 2, total: 3)
        listing.seller = Listing.Seller(
            name: "Anna",
            avatar: ListingMedia(id: "0x0a", type: "image/jpeg", length: 9),
            rating: 450,
            reviewers: 2
        )
        listing.bids = 2
        listing.changes = ["title"]
        listing.promised = Sale.Commitment(
            title: "Vase",
            description: "\"Blue\"",
            identifier: "7",
            curriculum: [CurriculumSession(title: "Bowline")]
        )
        listing.rivals = [
            IdentifierCheck.Use(
                listing: "0x03",
                title: "Lamp",
                author: address,
                state: "open",
                authorsSales: 3,
                tokenSince: time
            )
        ]
        listing.tokenSince = time
        listing.distance = 1_200
        listing.endsAt = time
        return listing
    }

    @Test func `writes rows as the encoder does`() throws {
        var row = ListingRow(
            id: "\(Self.address).0f",
            type: "course",
            title: "\"Knots\"",
            picture: ListingMedia(id: "0x0a"),
            chain: 1,
            payment: "enrolment",
            price: Money(amount: "6", currency: "native"),
            state: "open",
            status: "standing.seats",
            tags: ["knots", "sea"],
            place: "Kiel"
        )
        #expect(try Self.written(row) == Self.encoded(row))
        row.pieces = Listing.Pieces(free: 2, total: 3)
        (row.bids, row.freeSeats, row.students, row.average) = (1, 2, 3, 4)
        (row.endsAt, row.distance, row.own) = (Self.time, 5, "student")
        row.seller = Listing.Seller(name: "Ana", rating: 450, reviewers: 2)
        #expect(try Self.written(row) == Self.encoded(row))
        let fields = try JSONSerialization.jsonObject(with: Data(Self.written(row).utf8))
        let named = try #require(fields as? [String: Any])
        #expect(named.count == Mirror(reflecting: row).children.count)
    }

    private static func written(_ value: some JSONWritable) -> String {
        var json = JSONWriter()
        value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func encoded(_ value: some Encodable) throws -> String {
        String(decoding: try WireCoding.encoder().encode(value), as: UTF8.self)
    }

    @Test func `writes listings as the encoder does`() throws {
        let listings = [
            Self.listing(Self.bare, isFull: false), Self.listing(Self.full, isFull: true),
        ]
        #expect(try Self.written(listings) == Self.encoded(listings))
        // The full one has every field there is, so that a new one is not forgotten.
        let fields = try JSONSerialization.jsonObject(with: Data(Self.written(listings[1]).utf8))
        let named = try #require(fields as? [String: Any])
        #expect(named.count == Mirror(reflecting: listings[1]).children.count)
        let content = try #require(named["content"] as? [String: Any])
        #expect(content.count == Mirror(reflecting: listings[1].content).children.count)
    }

    @Test func `escapes texts as the encoder does`() throws {
        let scalars = (0..<0x300).compactMap { Unicode.Scalar($0) }
        let texts = scalars.map { "a\($0)" } + ["", "/", "\u{2028}", "漢字", "🇩🇪", "e\u{301}"]
        #expect(try Self.written(texts) == Self.encoded(texts))
    }

    @Test func `writes numbers as the encoder does`() throws {
        let fractions = [0, 13, -0.0, 52.52, -13.405, 1e-7, 1e21]
        #expect(try Self.written(fractions) == Self.encoded(fractions))
        #expect(try Self.written([UInt64.max, 0]) == Self.encoded([UInt64.max, 0]))
    }
}
