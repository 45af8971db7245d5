import Keys
import Market
import Storage

/// Finds what is left to buy of listings of several pieces whose first one is sold.
///
/// Counts and facets have the sale of the first piece alone.
struct PieceLookups {
    /// The maximum number of listings whose pieces are read.
    private static let readsMax = 500

    private let store: Store
    private let saleIndexes: SaleIndexes
    private let time: ListingTimes
    /// The slots of what each seller has on offer.
    private var offered: [Address: Set<Bytes32>] = [:]
    private var readCount = 0
    /// Whether some were not read, and count as sold.
    private(set) var areOver = false

    init(_ store: Store, on saleIndexes: SaleIndexes, at time: ListingTimes) {
        (self.store, self.saleIndexes, self.time) = (store, saleIndexes, time)
    }

    /// Returns the sale of the piece that is bought next instead of a first one; `nil` if none is
    /// free.
    mutating func sale(insteadOf first: Market.Sale) throws -> Market.Sale? {
        guard let slot = first.state.slot else { return nil }
        let offered = slots(of: first.seller)
        // The chain alone tells of most that all are sold.
        let isLeft =
            !offered.isEmpty
            && (1..<PieceRole.countMax).contains {
                offered.contains(PieceRole.slot($0, of: slot))
            }
        guard isLeft else { return nil }
        guard readCount < Self.readsMax else {
            areOver = true
            return nil
        }
        readCount += 1
        guard let found = try store.listing(ListingID(author: first.seller, slot: slot)),
            found.listing.sale == first.reference
        else { return nil }
        let free = try store.pieces(of: found).free(on: saleIndexes, at: time)
        return free.last?.listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale
    }

    private mutating func slots(of seller: Address) -> Set<Bytes32> {
        if let known = offered[seller] { return known }
        let sales = saleIndexes.sales(of: seller).filter {
            $0.seller == seller && $0.stage == .offered
        }
        let slots = Set(sales.compactMap(\.state.slot))
        offered[seller] = slots
        return slots
    }
}
