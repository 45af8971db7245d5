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
