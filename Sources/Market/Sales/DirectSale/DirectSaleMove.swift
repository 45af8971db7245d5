package import Texts

/// A move in a direct sale.
package enum DirectSaleMove: String, CaseIterable, Sendable {
    /// Creates the sale: anyone.
    case list
    /// Pays the price and receives the token: anyone but the seller, before the offer ends.
    case pay
    /// Withdraws the offer: the seller at any time, anyone once the offer has ended.
    case abort

    /// The name of the contract's function.
    package var name: String { rawValue }
}

/// The change at a deadline of a direct sale.
package enum DirectSaleDeadlineEffect: String, DeadlineEffect {
    /// The offer has ended; anyone can abort, which returns the token to the seller.
    case offerEnds

    package var consequence: Sentence {
        switch self {
        case .offerEnds: Sentence("direct.offerEnds")
        }
    }
}

package typealias DirectSaleDeadline = MoveDeadline<DirectSaleDeadlineEffect>
package typealias DirectSaleOutlook = MoveOutlook<DirectSaleMove, DirectSaleDeadlineEffect>
