import Ethereum
import Keys
import Market

/// A time by both clocks: listings end by the machine's, their sales by the chain's.
package struct ListingTime: Sendable {
    static let end = ListingTime(
        wall: Timestamp(milliseconds: .max),
        chain: ChainTime(seconds: .max)
    )

    var wall: Timestamp
    var chain: ChainTime
}

/// Whether somebody can buy what a listing offers, as this node's own chain shows its sale.
///
/// Searches, pages and names ask for it by ``SaleIndex/state(of:at:)`` alone.
package enum ListingState: Sendable {
    /// Somebody can, until then unless its sale changes.
    case open(until: ListingTime)
    /// Its time has ended, or its sale is no longer on offer.
    case over
    /// No sale of this market backs it: it never had one, or the chain no longer shows it.
    case withoutSale
    /// The node does not see the newest blocks, and those that it has read do not show the sale.
    case unknown

    /// The names in the API, by ``number``.
    package static let names = ["open", "over", "without_sale", "unknown"]

    /// The position in ``names``.
    var number: UInt8 {
        switch self {
        case .open: 0
        case .over: 1
        case .withoutSale: 2
        case .unknown: 3
        }
    }

    /// The name in the API.
    var name: String { Self.names[Int(number)] }

    /// When an open offer ends; `nil` if it does not, or is not open.
    var end: ListingTime? {
        if case .open(let end) = self { end } else { nil }
    }

    /// Whether the offer is closed, as far as the node knows.
    var isClosed: Bool {
        switch self {
        case .open, .unknown: false
        case .over, .withoutSale: true
        }
    }
}

extension SaleIndex {
    /// Returns the state of a listing at a time, see ``ListingState``.
    func state(of listing: Market.Listing, at time: ListingTime) -> ListingState {
        if let endsAt = listing.endsAt, endsAt <= time.wall { return .over }
        var state = state(of: listing.sale, at: time)
        if case .open(var end) = state, let endsAt = listing.endsAt {
            end.wall = endsAt
            state = .open(until: end)
        }
        return state
    }

    /// As ``state(of:at:)``, for a listing of which only the sale is known.
    func state(of reference: SaleReference?, at time: ListingTime) -> ListingState {
        state(of: reference, shown: reference.flatMap { view(of: $0) }?.sale, at: time)
    }

    /// As ``state(of:at:)``, for a sale that was looked up; `nil` if the chain does not show it.
    func state(
        of reference: SaleReference?,
        shown sale: Market.Sale?,
        at time: ListingTime
    ) -> ListingState {
        guard reference != nil else { return .withoutSale }
        guard let sale else {
            return health == .following ? .withoutSale : .unknown
        }
        guard sale.isOffered(at: time.chain) else { return .over }
        var end = ListingTime.end
        if let offerEnd = sale.state.offerEnd(after: time.chain) { end.chain = offerEnd }
        return .open(until: end)
    }
}
