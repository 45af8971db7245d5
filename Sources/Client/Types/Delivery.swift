/// Where an account has items sent, which only its own nodes know.
public struct DeliveryAddress: Codable, Hashable, Sendable, DescribedType {
    /// Name, street, city and country, on several lines, as a seller gets it for a sale.
    public var text: String?
    /// The place, as ``Purchase/shipTo``.
    public var place: String?
    /// The point, as ``Purchase/shipToPoint``.
    public var point: GeographicPoint?

    package static let fields: [String: FieldFacts] = [
        "text": FieldFacts().lengths(1...512),
        "place": FieldFacts("Munich, Bavaria, DE").lengths(1...160),
    ]

    public init(text: String? = nil, place: String? = nil, point: GeographicPoint? = nil) {
        (self.text, self.place, self.point) = (text, place, point)
    }
}

/// Asks to send the seller of a sale the address to which to send the item.
public struct AddressDisclosure: Codable, Hashable, Sendable, DescribedType {
    /// The address; `nil` sends the text of the account's own ``DeliveryAddress``.
    public var text: String?

    package static let fields: [String: FieldFacts] = ["text": FieldFacts().lengths(1...512)]

    public init(text: String? = nil) { self.text = text }
}

/// Tells the buyer that an item was sent, or is ready to be picked up.
public struct SentNotice: Codable, Hashable, Sendable, DescribedType {
    /// A note, such as the number of the parcel; `nil` says only that it was sent, or is ready.
    public var note: String?
    /// The ids of at most six pictures that the account has added, which go with the note; `nil`
    /// for none.
    public var pictures: [String]?

    package static let fields: [String: FieldFacts] = [
        "note": .note.about("What the buyer is to know, such as the number of the parcel."),
        "pictures": .hash.counts(0...6).about("Pictures that the account has added."),
    ]

    public init(note: String? = nil, pictures: [String]? = nil) {
        (self.note, self.pictures) = (note, pictures)
    }
}

/// Asks to ship to one buyer whatever the limits of a listing say.
public struct ShippingException: Codable, Hashable, Sendable, DescribedType {
    /// The buyer's address.
    public var buyer: String

    package static let fields: [String: FieldFacts] = ["buyer": .address.orName]

    public init(buyer: String) { self.buyer = buyer }
}
