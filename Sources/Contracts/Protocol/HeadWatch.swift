/// Judges a chain's health from the heads seen, their age, and how far the follower is.
///
/// Pure: it is told what was seen and when, on the monotonic clock and, only to notice a head whose
/// own time is long past, on the wall clock.
package struct HeadWatch: Sendable {
    private let headAgeMax: Duration?
    private let headLagSecondsMax: UInt64?
    package private(set) var head: ChainHead?

    package init(headAgeMax: Duration?, headLagSecondsMax: UInt64?) {
        (self.headAgeMax, self.headLagSecondsMax) = (headAgeMax, headLagSecondsMax)
    }

    /// Takes a head; the same one again keeps the time of its first arrival.
    ///
    /// - Returns: Whether it is another head than before.
    package mutating func saw(_ header: BlockHeader, at uptime: Duration) -> Bool {
        guard head?.header != header else { return false }
        head = ChainHead(header: header, arrived: uptime)
        return true
    }

    package func health(
        of follower: ChainFollower,
        at uptime: Duration,
        wallClockSeconds: UInt64
    ) -> ChainHealth {
        guard let head else { return .starting }
        if follower.isRescanning { return .rescanning }
        if follower.isBehind { return .stale(.behind) }
        if let headAgeMax, uptime - head.arrived > headAgeMax { return .stale(.noNewBlock) }
        if let headLagSecondsMax, head.header.timestamp + headLagSecondsMax < wallClockSeconds {
            return .stale(.oldTimestamp)
        }
        if follower.isCaughtUp { return .following }
        return .catchingUp(applied: follower.applied?.number ?? 0, head: head.header.number)
    }
}
