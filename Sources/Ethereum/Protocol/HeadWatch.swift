/// Determines a chain's health from its heads, their age, and the progress of the follower.
///
/// Pure: the caller passes the time, on the monotonic clock. The wall clock serves only to notice a
/// head whose timestamp is long past or far ahead.
package struct HeadWatch: Sendable {
    private let headAgeMax: Duration?
    private let headLagSecondsMax: UInt64?
    private let headLeadSecondsMax: UInt64?
    package private(set) var head: ChainHead?

    package init(
        headAgeMax: Duration?,
        headLagSecondsMax: UInt64?,
        headLeadSecondsMax: UInt64?
    ) {
        (self.headAgeMax, self.headLagSecondsMax) = (headAgeMax, headLagSecondsMax)
        self.headLeadSecondsMax = headLeadSecondsMax
    }

    /// Records a head; if it is the same as before, the time of its first arrival stays.
    ///
    /// - Returns: Whether it differs from the head before.
    package mutating func saw(_ header: BlockHeader, at uptime: Duration) -> Bool {
        guard head?.header != header else { return false }
        let isFollowed = head.map { $0.header.number < header.number } ?? false
        head = ChainHead(header: header, arrived: uptime, isFollowed: isFollowed)
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
        let timestamp = head.header.timestamp
        if let headLeadSecondsMax, timestamp > wallClockSeconds + headLeadSecondsMax {
            return .stale(.futureTimestamp)
        }
        if let headAgeMax, uptime - head.arrived > headAgeMax { return .stale(.noNewBlock) }
        if let headLagSecondsMax, timestamp + headLagSecondsMax < wallClockSeconds {
            return .stale(.oldTimestamp)
        }
        if follower.isCaughtUp { return .following }
        return .catchingUp(applied: follower.applied?.number ?? 0, head: head.header.number)
    }
}
