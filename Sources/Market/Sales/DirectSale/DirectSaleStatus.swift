/// The statuses of a direct sale, in the contract's order.
package enum DirectSaleStatus: String, SaleStatus, ContractFlag {
    /// Becomes sold or aborted.
    case ready
    case sold
    case aborted

    package var stage: SaleStage {
        switch self {
        case .ready: .offered
        case .sold, .aborted: .over
        }
    }
}
