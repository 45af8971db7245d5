package import Keys
package import Market

/// Why collected mail is not shown.
package enum MailDropReason: String, Sendable, CaseIterable {
    /// None of the device's keys opens it: noise, or sealed to a key that was deleted long ago.
    case unopened
    /// Opened, but malformed, for another account, or not signed.
    case malformed
    /// No certificate of the sending device was found.
    case uncertified
    /// From an account that this one has blocked.
    case blocked
    /// More than an account can send before it is answered.
    case overLimits = "over_limits"
}

/// Counts dropped mail, so that it is reported in batches instead of one by one.
///
/// Laws: a report has every mail counted since the last one, and an account gets at most one report
/// in `interval`. All keys are accounts of this node.
package struct MailDrops: Sendable {
    private var counts: [Address: [MailDropReason: Int]] = [:]
    private var nextReport: [Address: Timestamp] = [:]

    package init() {}

    package mutating func add(_ reason: MailDropReason, of account: Address) {
        counts[account, default: [:]][reason, default: 0] += 1
    }

    /// Removes and returns the counts to report to an account now.
    ///
    /// - Returns: `nil` if nothing was dropped, or the last report is younger than `interval`.
    package mutating func report(
        to account: Address,
        at now: Timestamp,
        interval: Duration
    ) -> [MailDropReason: Int]? {
        if let after = nextReport[account], after > now { return nil }
        guard let found = counts.removeValue(forKey: account) else { return nil }
        nextReport[account] = now.advanced(by: interval)
        return found
    }
}
