/// The status of a direct sale; raw values are the contract's.
package enum DirectSaleStatus: UInt64, SaleStatus {
    /// Becomes sold or aborted.
    case ready = 1
    case sold = 2
    case aborted = 4

    package var name: String {
        switch self {
        case .ready: "ready"
        case .sold: "sold"
        case .aborted: "aborted"
        }
    }

    package var stage: SaleStage {
        switch self {
        case .ready: .offered
        case .sold, .aborted: .over
        }
    }

    /// The status as a person sees it, in Solirey's words.
    ///
    /// One call pays, hands over the token and credits the seller, so Solirey's `purchased` and
    /// `transferred` never last.
    package var label: String {
        switch self {
        case .ready: "ready"
        case .sold: "complete"
        case .aborted: "aborted"
        }
    }
}
