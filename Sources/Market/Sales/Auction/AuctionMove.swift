package import Texts

/// A move in an auction.
package enum AuctionMove: String, CaseIterable, Sendable {
    /// Creates the auction: anyone.
    case list
    /// Withdraws it: the seller, before the end and the first bid.
    case abort
    /// Bids an amount: anyone but the seller, before the end.
    case bid
    /// Hands out token and money: anyone, from the end on.
    case end

    /// The name of the contract's function.
    package var name: String { rawValue }
}

/// The change at a deadline of an auction.
package enum AuctionDeadlineEffect: String, DeadlineEffect {
    /// Bidding has ended and the seller can no longer abort; anyone can end the auction.
    case biddingEnds

    package var consequence: Sentence {
        switch self {
        case .biddingEnds: Sentence("auction.biddingEnds")
        }
    }
}

package typealias AuctionDeadline = MoveDeadline<AuctionDeadlineEffect>
package typealias AuctionOutlook = MoveOutlook<AuctionMove, AuctionDeadlineEffect>
