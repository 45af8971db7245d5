import Keys
import Market
import Storage

/// Signed listings that differ in what a test looks for.
enum SampleListings {
    static func record(
        _ slot: UInt8,
        title: String = "Some thing",
        description: String = "Works.",
        price: String = "10000",
        category: String = "vehicle",
        tags: [String] = ["used"],
        delivery: Delivery? = nil,
        endsAt: Timestamp? = nil,
        author: UInt8 = 1,
        at time: Timestamp? = nil,
        currency: Currency = .native,
        isAuction: Bool = false,
        anchor: ListingAnchor? = nil,
        pieces: PieceRole? = nil,
        in place: Bytes32? = nil
    ) throws -> SignedRecord {
        let price = Amount(decimal: price) ?? .zero
        let terms = try EscrowTerms.standard(
            price: price,
            currency: currency,
            form: .goods,
            now: ChainTime(seconds: 1_780_000_000)
        )
        let auction = AuctionTerms(currency: currency, startingBid: price)
        let shipping = try ShippingLimits(.places(.countries, ["germany", "austria"]))
        let listing = try Listing(
            form: .goods,
            title: title,
            description: description,
            category: category,
            tags: tags,
            identifier: ItemIdentifier(normalising: "frame \(slot)"),
            delivery: delivery ?? .shipping(shipping),
            chain: ChainID(31_337),
            terms: isAuction ? .auction(auction) : .escrow(terms),
            endsAt: endsAt,
            anchor: anchor,
            pieces: pieces
        )
        let key = SampleRecords.key(author)
        let draft = RecordDraft(
            network: "test",
            author: key.address,
            content: .listing(listing),
            slot: place ?? Bytes32(repeating: slot),
            createdAt: time ?? .sample(UInt64(slot))
        )
        return try draft.signed(by: key)
    }
}
