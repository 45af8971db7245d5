/// Determines a chain's health from its heads, their age, and the progress of the follower.
///
/// Pure: the caller passes the time, on the monotonic clock. The wall clock serves only to notice a
/// head whose timestamp is long past or far ahead.
package struct HeadWatch: Sendable {
    private let headAgeMax: Duration?
    private let headLagSecondsMax: UInt64?
    private let headLeadSecondsMax: UInt64?
    /// Whether the chain's time goes by the newest head that a second endpoint has too.
    package var needsSecond: Bool
    private var newest: ChainHead?
    /// The heads that no second endpoint has confirmed yet, oldest first.
    private var unconfirmed: [ChainHead] = []
    /// The newest head that was confirmed.
    private var confirmed: ChainHead?
    /// The wall clock's time at the newest head's arrival, if no block may be ahead of it.
    private var latest: UInt64?

    package init(
        headAgeMax: Duration?,
        headLagSecondsMax: UInt64?,
        headLeadSecondsMax: UInt64?,
        needsSecond: Bool = false
    ) {
        (self.headAgeMax, self.headLagSecondsMax) = (headAgeMax, headLagSecondsMax)
        (self.headLeadSecondsMax, self.needsSecond) = (headLeadSecondsMax, needsSecond)
    }

    /// The newest head, with the time that counts.
    ///
    /// Until a second endpoint has confirmed a head, that time is not ahead of the wall clock.
    package var head: ChainHead? {
        guard let newest, needsSecond else { return newest }
        if let confirmed { return newest.going(by: confirmed.timed) }
        guard let latest, latest < newest.header.timestamp else { return newest }
        return newest.going(by: TimedBlock(seconds: latest, arrived: newest.arrived))
    }

    /// Records a head; if it is the same as before, the time of its first arrival stays.
    ///
    /// - Parameters:
    ///   - header: The head.
    ///   - uptime: The present time.
    ///   - wallClockSeconds: The wall clock's time, in seconds of Unix time.
    /// - Returns: Whether it differs from the head before.
    package mutating func saw(
        _ header: BlockHeader,
        at uptime: Duration,
        wallClockSeconds: UInt64? = nil
    ) -> Bool {
        guard newest?.header != header else { return false }
        let isFollowed = newest.map { $0.header.number < header.number } ?? false
        let head = ChainHead(header: header, arrived: uptime, isFollowed: isFollowed)
        newest = head
        latest = headLeadSecondsMax == nil ? nil : wallClockSeconds
        unconfirmed.removeAll { $0.header.number >= header.number }
        unconfirmed.append(head)
        if unconfirmed.count > ChainLimits().headsUnconfirmedMax { unconfirmed.removeFirst() }
        return true
    }

    /// Returns the newest head up to a height whose time no second endpoint has confirmed yet.
    package func unconfirmed(upTo height: UInt64) -> BlockHeader? {
        unconfirmed.last { $0.header.number <= height }?.header
    }

    /// Forgets the heads that no second endpoint has confirmed, because another endpoint is
    /// followed: it may give these blocks other times.
    package mutating func forgetUnconfirmed() { unconfirmed = [] }

    /// Records that a second endpoint has a head, with its time.
    package mutating func confirm(_ header: BlockHeader) {
        guard let index = unconfirmed.lastIndex(where: { $0.header == header }) else { return }
        confirmed = unconfirmed[index]
        unconfirmed.removeSubrange(...index)
    }

    package func health(
        of follower: ChainFollower,
        at uptime: Duration,
        wallClockSeconds: UInt64
    ) -> ChainHealth {
        guard let head = newest else { return .starting }
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
