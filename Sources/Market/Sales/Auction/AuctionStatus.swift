/// The statuses of an auction, in the contract's order.
package enum AuctionStatus: String, SaleStatus, ContractFlag {
    /// Without a bid. Becomes bid, aborted or unsold.
    case ready
    /// With a bid. Becomes sold.
    case bid
    case aborted
    case sold
    case unsold

    package var stage: SaleStage {
        switch self {
        case .ready: .offered
        case .bid: .running
        case .aborted, .sold, .unsold: .over
        }
    }
}
