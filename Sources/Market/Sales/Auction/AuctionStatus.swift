/// The status of an auction; raw values are the contract's.
package enum AuctionStatus: UInt64, SaleStatus {
    /// Without a bid. Becomes bid, aborted or unsold.
    case ready = 1
    /// With a bid. Becomes sold.
    case bid = 2
    case aborted = 4
    case sold = 8
    case unsold = 16

    package var name: String {
        switch self {
        case .ready: "ready"
        case .bid: "bid"
        case .aborted: "aborted"
        case .sold: "sold"
        case .unsold: "unsold"
        }
    }

    package var stage: SaleStage {
        switch self {
        case .ready: .offered
        case .bid: .running
        case .aborted, .sold, .unsold: .over
        }
    }
}

/// The status of an auction as a person sees it, in Solirey's words.
///
/// It depends on the time, because the bidding ends without a transaction.
package enum AuctionLabel: String, CaseIterable, Sendable {
    /// Open, without a bid.
    case ready
    /// Open, with a bid.
    case bid
    /// The bidding is over, and the token is not with a winner: anyone can end the auction, or it
    /// ended without a bid.
    case ended
    /// Over: the winner has the token.
    case transferred
    /// Taken back by the seller.
    case aborted
}
