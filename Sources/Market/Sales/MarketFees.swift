package import Keys

/// The fees that a deployment takes from each seller's part; they never change.
package struct MarketFees: Hashable, Sendable {
    /// At most 500.
    package let platformBasisPoints: UInt64
    /// At most 1,000.
    package let makerBasisPoints: UInt64
    /// The account that receives the platform's part.
    package let platform: Address

    /// Takes fees within the contracts' limits; `nil` for others.
    package init?(platformBasisPoints: UInt64, makerBasisPoints: UInt64, platform: Address) {
        guard platformBasisPoints <= 500, makerBasisPoints <= 1_000 else { return nil }
        self.platformBasisPoints = platformBasisPoints
        self.makerBasisPoints = makerBasisPoints
        self.platform = platform
    }
}
