/// The limits of auctions, equal to the contract's.
///
/// Source: Docs/contracts.md, section 10.
package enum AuctionLimits {
    package static let durationMax = Duration.days(30)
    package static let minIncrementBasisPoints: ClosedRange<UInt64> = 100...5_000
    package static let extensionTime = Duration.seconds(60)...Duration.days(1)
    /// The latest end is so long after the first one, whatever bids arrive.
    package static let extensionsMax = Duration.days(30)
}
