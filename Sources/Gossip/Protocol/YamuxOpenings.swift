/// Counts the streams a peer opens, so that opening and resetting them over and over ends.
///
/// An opening is refused if the peer has too many streams open, or opens them faster than its
/// bucket fills. Refusals are forgiven slowly: a peer that never stops is taken for an attacker.
struct YamuxOpenings: Sendable {
    private let limits: YamuxLimits
    private var tokens: Double
    private var refusals = 0.0
    private var at = Moment.start

    init(limits: YamuxLimits) {
        self.limits = limits
        tokens = limits.openingsMax
    }

    /// Whether the peer is still to be answered with refusals only.
    var isTolerable: Bool { refusals <= Double(limits.refusedOpeningsMax) }

    /// Takes one opening; `false` if it must be refused.
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
