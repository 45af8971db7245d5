public import Foundation

/// A listing as a row of a list shows it, in at most 1,200 bytes of JSON.
///
/// Texts that are longer in JSON than a row has room for are cut, and end with an ellipsis.
public struct ListingRow: Codable, Hashable, Sendable, DescribedType {
    /// The listing's id, which begins with the seller's address.
    public var id: String
    /// See ``ListingContent/type``.
    public var type: String
    public var title: String
    /// The first picture, without its type and length; `nil` if it has none.
    public var picture: ListingMedia?
    public var chain: UInt64
    /// How it is sold, see ``ListingContent/payment``.
    public var payment: String
    /// The current price, as ``Listing/price``; the listed one while the sale is not seen.
    public var price: Money
    /// See ``Listing/state``.
    public var state: String
    /// The code of ``Listing/status``, the state in a shop's words.
    ///
    /// The values of its pattern are the row's own: the amount is the price, the counts are those
    /// of the pieces or the free seats.
    public var status: String
    /// As many of the first tags as the row has room for.
    public var tags: [String]
    /// Where it is handed over, or around which place it is shipped; `nil` for neither.
    public var place: String?
    public var pieces: Listing.Pieces?
    /// The number of bids in its auction so far; `nil` if it is sold otherwise.
    public var bids: UInt64?
    /// The free seats of an open course.
    public var freeSeats: UInt64?
    /// The number of enrolments in all rounds of a course.
    public var students: UInt64?
    /// The average of all evaluations of a course, from 0 to 100; `nil` without any.
    public var average: UInt64?
    /// When an open offer ends.
    public var endsAt: Date?
    /// See ``Listing/distance``.
    public var distance: Int?
    /// See ``Listing/own``.
    public var own: String?
    /// The seller, as far as the node knows.
    public var seller: Listing.Seller?

    package static let fields: [String: FieldFacts] = [
        "id": .listing.about("It begins with the seller's address."),
        "type": FieldFacts("goods").oneOf(["goods", "digital", "course"]), "title": .title,
        "picture": .about("The first picture, without its type and length."),
        "chain": .chain, "payment": .payment,
        "price": .about("The current price; the listed one while the sale is not seen."),
        "state": .listingState,
        "status": FieldFacts("standing.highestBid").about(
            "The code of the state in a shop's words; its values are the row's own: 'amount' is "
                + "'price', 'free' and 'count' are of 'pieces', or 'count' is 'freeSeats'."
        ),
        "tags": FieldFacts("bicycle").about("The first tags, as far as there is room."),
        "place": FieldFacts("Berlin").about("Where it is handed over, or sent around."),
        "bids": FieldFacts(3).about("The number of bids in its auction so far."),
        "students": FieldFacts(12).about("The number of enrolments in all rounds of a course."),
        "average": .points,
        "distance": FieldFacts(1_200).about("From 'near' to its point, in metres."),
        "own": FieldFacts("student").oneOf([
            "seller", "buyer", "bidder", "arbiter", "teacher", "student",
        ]).about("The caller's part in its sale; a student is enrolled in the last round."),
        "seller": .about("Who sells it."),
    ]

    public init(
        id: String,
        type: String,
        title: String,
        picture: ListingMedia? = nil,
        chain: UInt64,
        payment: String,
        price: Money,
        state: String,
        status: String,
        tags: [String] = [],
        place: String? = nil
    ) {
        (self.id, self.type, self.title) = (id, type, title)
        (self.picture, self.chain, self.payment) = (picture, chain, payment)
        (self.price, self.state, self.status) = (price, state, status)
        (self.tags, self.place) = (tags, place)
    }
}

extension ListingRow: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("average", average)
            json.field("bids", bids)
            json.field("chain", chain)
            json.field("distance", distance)
            json.field("endsAt", endsAt)
            json.field("freeSeats", freeSeats)
            json.field("id", id)
            json.field("own", own)
            json.field("payment", payment)
            json.field("picture", picture)
            json.field("pieces", pieces)
            json.field("place", place)
            json.field("price", price)
            json.field("seller", seller)
            json.field("state", state)
            json.field("status", status)
            json.field("students", students)
            json.field("tags", tags)
            json.field("title", title)
            json.field("type", type)
        }
    }
}
