package import Keys
package import Market

/// The listings that a caller does not want to see: hidden, and still there.
package struct HiddenListings: Hashable, Sendable {
    /// Accounts whose listings are all hidden.
    package private(set) var sellers: Set<Address> = []
    private var listings: Set<ListingID> = []
    /// The sales of those listings: counts know a listing by its sale.
    private var sales: Set<Bytes32> = []

    package init() {}

    package var isEmpty: Bool { sellers.isEmpty && listings.isEmpty }

    /// Hides all listings of an account.
    package mutating func hide(_ seller: Address) { sellers.insert(seller) }

    /// Hides one listing, and its sale if it has one.
    package mutating func hide(_ listing: ListingID, sale: Bytes32?) {
        listings.insert(listing)
        if let sale { sales.insert(sale) }
    }

    package func hides(_ listing: ListingID) -> Bool {
        sellers.contains(listing.author) || listings.contains(listing)
    }

    /// Whether a listing of which only the author and sale are known is hidden.
    package func hides(saleOf seller: Address, _ sale: Bytes32?) -> Bool {
        sellers.contains(seller) || sale.map(sales.contains) == true
    }
}
