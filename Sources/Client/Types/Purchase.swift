/// Asks to buy, or to bid in an auction.
public struct Purchase: Codable, Hashable, Sendable, DescribedType {
    public var listing: String
    /// For an auction: the bid, in the price's smallest unit; `nil` for every other listing.
    public var bid: String?
    /// For a bid: the part that the account's credit in the auction contract pays, in the price's
    /// smallest unit; `nil` for none.
    ///
    /// A bidder's own highest bid becomes such a credit before the new bid is paid.
    public var fromCredit: String?
    /// For a course, and needed there: the round as ``ActionPreview/round`` showed it, which fixes
    /// the price.
    ///
    /// If another round is open by then, nothing is bought.
    public var round: UInt64?
    /// The place to send it to, as "DE", "Bavaria, DE" or "Munich, Bavaria, DE"; needed if the
    /// seller ships to some places only.
    ///
    /// `nil` is that of the account's own delivery address.
    public var shipTo: String?
    /// The point to send it to; needed if the seller ships within a distance.
    ///
    /// `nil` is that of the account's own delivery address, if ``shipTo`` is `nil` too.
    public var shipToPoint: GeographicPoint?
    /// The address that the node sends the seller, sealed, once it is paid; `nil` sends none.
    ///
    /// The node keeps it with the purchase, and sends it even if the caller is gone by then. It is
    /// only for items that are shipped, and not for a bid: a seller needs no address before the
    /// bidding is over.
    public var address: AddressDisclosure?
    /// The sale as ``ActionPreview/subject`` showed it, which fixes the price and all terms.
    ///
    /// If the listing now belongs to another sale, nothing is bought.
    public var sale: String?
    /// The most that may leave the account now for price and deposit; `nil` for any sum.
    ///
    /// It needs ``chain``. If it is more, or in another currency, nothing is bought. Only ``sale``
    /// fixes the arbiter and the times.
    public var leavesMax: Money?
    /// The chain of the sale, needed with ``leavesMax``: each chain has a `native` currency.
    ///
    /// If the listing is sold on another one by then, nothing is bought. `nil` for any chain.
    public var chain: UInt64?
    /// Whether to buy the originally promised item if the seller has changed the listing since.
    public var acceptsChanges: Bool?
    /// Whether one endpoint's answer is enough while no second one answers.
    public var acceptsOneSource: Bool?

    package static let fields: [String: FieldFacts] = [
        "listing": .listing.orName, "bid": .amount(as: "The whole bid.").example("2"),
        "fromCredit": .amount(as: "The part of the bid that the caller's credit pays."),
        "round": .round,
        "shipTo": FieldFacts("DE").about(
            "A country code (ISO 3166), 'Bavaria, DE' or 'Munich, Bavaria, DE', needed if the "
                + "seller limits shipping; none is that of the account's delivery address."
        ),
        "address": .about(
            "What the node sends the seller, sealed, once it is paid; without a text, that of "
                + "the account's delivery address. None sends nothing."
        ),
        "sale": .hash.about(
            "The sale as the preview showed it; nothing is bought if it has changed."
        ),
        "leavesMax": .about(
            "The most that may leave the account now for price and deposit; nothing is bought if it "
                + "is more or in another currency. It needs 'chain'."
        ),
        "chain": .chain.about(
            "The chain of the sale, needed with 'leavesMax'; nothing is bought on another one."
        ),
        "acceptsChanges": .about("Buy the promised item, whatever the seller has changed since."),
        "acceptsOneSource": .acceptsOneSource,
    ]

    public init(
        listing: String,
        bid: String? = nil,
        fromCredit: String? = nil,
        round: UInt64? = nil,
        shipTo: String? = nil,
        shipToPoint: GeographicPoint? = nil,
        address: AddressDisclosure? = nil,
        sale: String? = nil,
        leavesMax: Money? = nil,
        chain: UInt64? = nil,
        acceptsChanges: Bool? = nil,
        acceptsOneSource: Bool? = nil
    ) {
        self.listing = listing
        self.bid = bid
        self.fromCredit = fromCredit
        self.round = round
        self.shipTo = shipTo
        self.shipToPoint = shipToPoint
        self.address = address
        self.sale = sale
        self.leavesMax = leavesMax
        self.chain = chain
        self.acceptsChanges = acceptsChanges
        self.acceptsOneSource = acceptsOneSource
    }
}
