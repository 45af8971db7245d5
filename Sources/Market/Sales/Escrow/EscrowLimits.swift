/// The limits of escrow terms, equal to the contract's.
///
/// Source: Docs/contracts.md, section 5.
package enum EscrowLimits {
    /// A deposit is at least the price divided by this, rounded up.
    package static let depositPartsMin: UInt64 = 3
    package static let depositFactorMax: UInt64 = 10
    /// The penalty is at least the price divided by this, rounded up: 1 %.
    package static let penaltyPartsMin: UInt64 = 100
    package static let penaltyBasisPointsMax: UInt64 = 500
    package static let arbiterBasisPointsMax: UInt64 = 500
    package static let shipWindow = Duration.days(2)...Duration.days(60)
    package static let confirmWindow = Duration.days(2)...Duration.days(90)
    package static let rulingWindow = Duration.days(3)...Duration.days(60)
    package static let offerMax = Duration.days(365)
    /// The longest time for which a proposal to settle can stand.
    package static let proposalMax = Duration.days(60)
    /// The part of the price that each side loses from its deposit by the default.
    package static let forfeitBasisPoints: UInt64 = 7_500
    /// The seller's share of the price by the default.
    package static let defaultShare = SellerShare(trusted: 5_000)
}
