import Client
import Foundation
import Market
import Testing

@testable import Trade

/// Listings as rows of a list show them.
struct ListingRowTests {
    private static let hash = "0x" + String(repeating: "f", count: 64)
    private static let address = "0x" + String(repeating: "a", count: 40)

    /// A listing whose texts are as long as the rules allow, and need an escape for each byte.
    private static func longest(_ change: (inout Client.Listing) -> Void) -> Client.Listing {
        func text(_ byteCount: Int) -> String { String(repeating: "\"", count: byteCount) }
        let content = ListingContent(
            type: "digital",
            title: text(ListingRules.titleByteCountMax),
            description: text(ListingRules.descriptionByteCountMax),
            category: text(ListingRules.categoryByteCountMax),
            tags: (0..<ListingRules.tagsMax).map { _ in text(ListingRules.tagByteCountMax) },
            media: (0..<ListingRules.goodsMediaMax).map { _ in
                ListingMedia(id: hash, type: "image/jpeg", length: 15_728_640)
            },
            price: Money(amount: String(repeating: "9", count: 78), currency: address),
            chain: .max,
            payment: "enrolment",
            delivery: "shipping",
            pickupPlace: text(Delivery.placeByteCountMax)
        )
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        var listing = Client.Listing(
            id: address + "." + String(repeating: "f", count: 64),
            record: hash,
            author: address,
            content: content,
            anchor: nil,
            isAsPromised: true,
            state: "without_sale",
            status: Sentence("standing.enrolmentClosed"),
            salePhase: "transferred",
            endsAt: time,
            createdAt: time,
            firstSeenAt: time
        )
        change(&listing)
        return listing
    }

    private static func row(_ change: (inout Client.Listing) -> Void) -> ListingRow {
        var row = ListingRow(longest(change))
        (row.distance, row.own) = (20_040_000, "student")
        row.seller =
            Client.Listing.Seller(
                name: String(repeating: "\\", count: Profile.nameByteCountMax),
                avatar: ListingMedia(id: hash, type: "image/jpeg", length: 15_728_640),
                rating: 500,
                reviewers: 1_000_000
            ).short
        return row
    }

    @Test func `the row of the longest listing has at most 1,200 bytes`() {
        let rows = [
            Self.row { $0.bids = .max },
            Self.row { $0.pieces = Client.Listing.Pieces(free: 20, total: 20) },
            Self.row { ($0.freeSeats, $0.students, $0.average) = (10_000, 1_000_000, 100) },
        ]
        for row in rows {
            var json = JSONWriter()
            row.write(to: &json)
            #expect(json.bytes.count <= 1_200 && json.bytes.count > 1_000)
            #expect(row.title.hasSuffix("…") && row.seller?.name?.hasSuffix("…") == true)
        }
    }

    @Test func `a row says what its listing does, as far as there is room`() {
        let long = String(repeating: "한", count: 53)
        let row = Self.row { listing in
            listing.content.title = long
            listing.content.tags = ["bicycle", "red", String(repeating: "x", count: 60), "y"]
            listing.content.pickupPlace = nil
            listing.content.media?.insert(ListingMedia(id: "0x0a", type: "application/pdf"), at: 0)
            listing.price = Money(amount: "7", currency: "native")
            listing.state = "unknown"
        }
        // A legal title has room unless much of it is escaped.
        #expect(row.title == long && row.tags == ["bicycle", "red"] && row.place == nil)
        #expect(row.price.amount == "7" && row.status == "state.unknown")
        #expect(row.picture == ListingMedia(id: Self.hash))
    }

    @Test(
        arguments: [
            ("Lamp", 4, "Lamp"), ("Lamps", 4, "L…"), ("\"\"\"", 5, "\"…"), ("한국어", 6, "한…"),
            ("", 0, ""),
        ]
    )
    func `cuts a text by the bytes that it takes in JSON`(text: String, most: Int, cut: String) {
        #expect(text.cut(toJSONBytes: most) == cut)
    }
}
