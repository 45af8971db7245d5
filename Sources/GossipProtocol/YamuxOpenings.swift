/// A rate limit for streams that a peer opens, against opening and resetting them endlessly.
///
/// An opening is refused if the peer has too many streams open, or opens them faster than its
/// bucket refills. Refusals are forgiven slowly, so a peer that never stops counts as an attacker.
struct YamuxOpenings: Sendable {
    private let limits: YamuxLimits
    private var tokens: Double
    private var refusals = 0.0
    private var at = Moment.start

    init(limits: YamuxLimits) {
        self.limits = limits
        tokens = limits.openingsMax
    }

    /// Whether refusals are still enough; if not, the link must end.
    var isTolerable: Bool { refusals <= Double(limits.refusedOpeningsMax) }

    /// Counts one opening; `false` if it must be refused.
    mutating func admit(hasRoom: Bool, at now: Moment) -> Bool {
        let seconds = max(.zero, now.sinceStart - at.sinceStart) / Duration.seconds(1)
        at = now
        tokens = min(limits.openingsMax, tokens + seconds * limits.openingsPerSecond)
        refusals = max(0, refusals - seconds * limits.refusalsForgivenPerSecond)
        guard hasRoom, tokens >= 1 else {
            refusals += 1
            return false
        }
        tokens -= 1
        return true
    }
}
