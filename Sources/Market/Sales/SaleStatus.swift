/// The status of a sale, as one kind of sale names it.
package protocol SaleStatus: Hashable, CaseIterable, Sendable {
    /// The name of the status in the API, such as `paid`.
    ///
    /// Kinds that share a name mean the same by it.
    var name: String { get }

    var stage: SaleStage { get }
}

/// How far a sale of any kind is.
package enum SaleStage: String, CaseIterable, Sendable {
    /// Nobody has committed to buy yet.
    case offered
    /// Somebody has committed to buy, and the sale has not ended.
    case running
    /// No further change is possible.
    case over
}
