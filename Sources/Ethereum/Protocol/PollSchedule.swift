/// Decides when the head is asked for again.
///
/// Pure: the caller passes in what happened and when.
///
/// Source: Docs/operations.md, section 5.3.
struct PollSchedule {
    private let interval: Duration
    private let limits: ChainLimits

    init(interval: Duration, limits: ChainLimits) {
        (self.interval, self.limits) = (interval, limits)
    }

    /// Decides when the next poll is due.
    ///
    /// - Parameters:
    ///   - polledAt: When the last poll ended.
    ///   - announcedAt: When an endpoint last announced a block; `nil` while none does.
    ///   - isQuiet: Whether all is applied and nothing waits to be confirmed.
    /// - Returns: That time, which may have passed.
    func due(after polledAt: Duration, announcedAt: Duration?, isQuiet: Bool) -> Duration {
        guard let announcedAt, isQuiet else { return polledAt + interval }
        let silent = max(polledAt, announcedAt) + max(interval, limits.silentPollAfter)
        return min(silent, polledAt + max(interval, limits.quietPollMax))
    }

    /// The time between two announced blocks that are handled.
    var pause: Duration { min(interval, limits.announcementPause) }
}
