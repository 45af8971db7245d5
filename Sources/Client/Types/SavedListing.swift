public import Foundation
public import Texts

/// A listing among the account's favourites, or in its cart, as the node knows it now.
public struct SavedListing: Codable, Hashable, Sendable, DescribedType {
    /// The listing's id.
    public var listing: String
    public var seller: String
    /// The name and picture in the seller's profile.
    public var profile: ProfileSummary?
    /// Since when the account has had it there.
    public var since: Date
    /// The title; of a listing that the node does not have, that of the time when it was saved.
    public var title: String?
    /// The first picture; `nil` if it has none, or the node does not have the listing.
    public var picture: ListingMedia?
    /// `nil` if the node does not have the listing, as are the fields after it.
    ///
    /// It was withdrawn, or has not arrived there yet.
    public var chain: UInt64?
    /// How it is sold, see ``ListingContent/payment``.
    public var payment: String?
    /// The current cost.
    public var price: Money?
    /// Whether it can be bought, see ``Listing/state``.
    public var state: String?
    /// The state in a shop's words.
    public var status: Sentence?
    /// In a cart: whether it was listed again, at another price or on other terms, since it was put
    /// there; `nil` if that is not known.
    public var isListedAgain: Bool?
    /// In a cart: the sale that the listing named when it was put there; `nil` if that is not known.
    public var sale: String?

    package static let fields: [String: FieldFacts] = [
        "listing": .listing, "seller": .address,
        "since": .about("Since when the account has had it there."),
        "title": .title, "chain": .chain,
        "profile": .about("The name and picture in the seller's profile."),
        "picture": .about("The first picture of the listing."),
        "payment": FieldFacts("direct").about("How it is sold."),
        "state": .listingState, "status": .status.example(Sentence("state.open")),
        "sale": .hash.about("In a cart: the sale that the listing named when it was put there.")
            .notInExample,
        "isListedAgain": FieldFacts(false).about(
            "In a cart: whether it was listed again, at another price or on other terms, since it "
                + "was put there; none if that is not known."
        ),
    ]

    public init(
        listing: String,
        seller: String,
        since: Date,
        title: String? = nil,
        chain: UInt64? = nil,
        payment: String? = nil,
        price: Money? = nil,
        state: String? = nil,
        status: Sentence? = nil,
        profile: ProfileSummary? = nil,
        picture: ListingMedia? = nil,
        isListedAgain: Bool? = nil
    ) {
        self.listing = listing
        self.seller = seller
        self.since = since
        self.title = title
        self.chain = chain
        self.payment = payment
        self.price = price
        self.state = state
        self.status = status ?? state.map { Sentence("state.\($0)") }
        (self.profile, self.picture) = (profile, picture)
        self.isListedAgain = isListedAgain
    }
}

/// The listings that the account means to buy together; each is one thing.
public struct Cart: Codable, Hashable, Sendable, DescribedType {
    /// The last added first.
    public var lines: [SavedListing]
    /// The total of the lines that can be bought now, without deposits and fees.
    public var totals: [CartTotal]

    package static let fields: [String: FieldFacts] = [
        "totals": .about("The total of the lines that can be bought, without deposits and fees.")
    ]

    public init(lines: [SavedListing], totals: [CartTotal]) {
        (self.lines, self.totals) = (lines, totals)
    }
}

/// The total of a cart's lines in one currency of one chain.
public struct CartTotal: Codable, Hashable, Sendable, DescribedType {
    public var chain: UInt64
    /// How many lines are counted.
    public var listings: Int
    public var amount: Money

    package static let fields: [String: FieldFacts] = [
        "chain": .chain,
        "listings": .about("How many lines are counted."),
    ]

    public init(chain: UInt64, listings: Int, amount: Money) {
        (self.chain, self.listings, self.amount) = (chain, listings, amount)
    }
}

/// Asks for a listing to be in the cart.
public struct CartQuantity: Codable, Hashable, Sendable, DescribedType {
    /// 1, or 0 to remove it; a listing is a single item, so more is refused.
    public var quantity: Int

    package static let fields: [String: FieldFacts] = [
        "quantity": .about("1, or 0 to remove it; a listing is a single item, so more is refused.")
    ]

    public init(quantity: Int = 1) { self.quantity = quantity }
}
