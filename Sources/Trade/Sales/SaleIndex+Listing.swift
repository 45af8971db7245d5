import Market

/// The sales that were made one after another for one listing, as at other prices.
extension SaleIndex {
    /// The number of a token's newest sales among which those of a listing are looked for.
    private static let listingSalesMax = 256

    /// Returns the newest sales of a sale's token that were made for the same listing, the newest
    /// first.
    func sales(forListingOf sale: Market.Sale) -> [Market.Sale] {
        guard let token = sale.state.item else { return [] }
        return views(of: token, limit: Self.listingSalesMax).reversed().map(\.sale).filter {
            $0.seller == sale.seller && $0.state.slot == sale.state.slot
        }
    }

    /// Returns the last sale of a listing that was open to anyone before it was reserved.
    func sale(before reserved: Market.Sale) -> Market.Sale? {
        sales(forListingOf: reserved).first { sale in
            sale.listedAt < reserved.listedAt && sale.kind == reserved.kind
                && sale.state.offer?.offer.reservation == nil
        }
    }

    /// Returns the sale with which an unsold one's token was put up next for the same listing, as
    /// at another price; `nil` if the chain shows none.
    func next(after sale: Market.Sale) -> (listing: ListingID, sale: Market.Sale)? {
        guard sale.stage == .over, sale.buyer == nil, let slot = sale.state.slot else { return nil }
        let sales = sales(forListingOf: sale)
        guard let index = sales.firstIndex(where: { $0.reference == sale.reference }), index > 0
        else { return nil }
        return (ListingID(author: sale.seller, slot: slot), sales[index - 1])
    }
}
