public import Foundation

/// A buyer's offer to buy a listing at another price, which only buyer and seller know.
public struct PriceOffer: Codable, Hashable, Sendable, DescribedType {
    /// The hash of its content and its sender.
    public var id: String
    public var listing: String
    public var title: String
    /// The account that made it.
    public var buyer: String
    public var price: Money
    /// The price at which the listing is on sale now.
    public var listedPrice: Money
    public var chain: UInt64
    public var sentAt: Date
    /// Until when the seller can accept it.
    public var until: Date
    /// How long the buyer has to pay once it is accepted.
    public var paymentSeconds: UInt64
    /// `open` or `expired`; `accepted` while the thing is reserved for the buyer; `lapsed` if the
    /// buyer has not paid in time; `paid`; or `over` if the listing has changed otherwise.
    public var state: String
    /// Until when the buyer can pay, once it is accepted.
    public var payUntil: Date?
    /// How the sale that the seller reserved for the buyer instead differs from the offer.
    public var reason: [Sentence]?
    /// The node's plan if the buyer of an accepted offer does not pay, in words; `nil` if it has
    /// none, and for the buyer.
    public var ifUnpaid: [Sentence]?

    package static let fields: [String: FieldFacts] = [
        "id": .hash, "listing": .listing, "title": .title, "buyer": .address, "chain": .chain,
        "until": .about("Until when the seller can accept it, on the chain's clock."),
        "paymentSeconds": .about("How long the buyer has to pay once it is accepted."),
        "state": FieldFacts("open")
            .oneOf(["open", "expired", "accepted", "lapsed", "paid", "over"]),
        "payUntil": .about("Until when the buyer can pay, on the chain's clock."),
        "reason": .about(
            "If the seller reserved it for the buyer on other terms, which is no acceptance: each "
                + "difference."
        ).notInExample,
        "ifUnpaid": .ifUnpaid,
    ]

    public init(
        id: String,
        listing: String,
        title: String,
        buyer: String,
        price: Money,
        listedPrice: Money,
        chain: UInt64,
        sentAt: Date,
        until: Date,
        paymentSeconds: UInt64,
        state: String,
        payUntil: Date? = nil,
        reason: [Sentence]? = nil,
        ifUnpaid: [Sentence]? = nil
    ) {
        self.id = id
        self.listing = listing
        self.title = title
        self.buyer = buyer
        (self.price, self.listedPrice, self.chain) = (price, listedPrice, chain)
        (self.sentAt, self.until) = (sentAt, until)
        self.paymentSeconds = paymentSeconds
        (self.state, self.payUntil, self.reason) = (state, payUntil, reason)
        self.ifUnpaid = ifUnpaid
    }
}

/// Offers to buy a listing at another price.
public struct PriceOfferDraft: Codable, Hashable, Sendable, DescribedType {
    /// The price, in the listing's currency.
    public var price: String
    /// Until when the seller can accept it, in seconds since 1970; `nil` for three days from now.
    public var until: UInt64?
    /// How long the buyer has to pay once it is accepted; `nil` for two days.
    public var paymentSeconds: UInt64?

    package static let fields: [String: FieldFacts] = [
        "price": .amount(as: "Below the listing's price, in its currency."),
        "until": .seconds.about(
            "Until when the seller can accept it, in seconds since 1970, at most 30 days ahead; 3 "
                + "days if left out."
        ).notInExample,
        "paymentSeconds": FieldFacts(172_800).numbers(3_600...604_800)
            .about("How long the buyer has to pay once it is accepted; 2 days if left out."),
    ]

    public init(price: String, until: UInt64? = nil, paymentSeconds: UInt64? = nil) {
        (self.price, self.until, self.paymentSeconds) = (price, until, paymentSeconds)
    }
}

/// Accepts a buyer's offer.
public struct OfferAcceptance: Codable, Hashable, Sendable, DescribedType {
    /// The time of the preview by which the buyer must pay, in seconds since 1970; `nil` counts
    /// from now.
    public var payUntil: UInt64?

    package static let fields: [String: FieldFacts] = [
        "payUntil": .seconds.about(
            "The deadline of the preview, in seconds since 1970, so that what was shown is signed; "
                + "without it the buyer's time counts from now."
        ).notInExample
    ]

    public init(payUntil: UInt64? = nil) { self.payUntil = payUntil }
}
