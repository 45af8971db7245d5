package import Market

/// Counts how often peers ask, each in a bucket that fills with time.
///
/// Pure: it is told the time. A table full of others gives a new peer the bucket they all share.
package struct MailMeter: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: Moment
    }

    private let limits: MailLimits
    private var buckets: [PeerID: Bucket] = [:]
    private var shared: Bucket?

    package init(limits: MailLimits) {
        self.limits = limits
    }

    package var peerCount: Int { buckets.count }

    /// Takes one question off a peer's bucket; `false` where it is empty.
    package mutating func admit(_ peer: PeerID, at now: Moment) -> Bool {
        if let bucket = buckets[peer] {
            let (isAdmitted, rest) = taken(from: bucket, at: now)
            buckets[peer] = rest
            return isAdmitted
        }
        if buckets.count >= limits.meteredPeersMax { forgetFull(at: now) }
        let fresh = Bucket(tokens: limits.burstMax, at: now)
        guard buckets.count < limits.meteredPeersMax else {
            let (isAdmitted, rest) = taken(from: shared ?? fresh, at: now)
            shared = rest
            return isAdmitted
        }
        buckets[peer] = taken(from: fresh, at: now).rest
        return true
    }

    private func filled(_ bucket: Bucket, at now: Moment) -> Double {
        let seconds = max(.zero, now.sinceStart - bucket.at.sinceStart) / Duration.seconds(1)
        return min(limits.burstMax, bucket.tokens + seconds * limits.questionsPerSecond)
    }

    private func taken(from bucket: Bucket, at now: Moment) -> (isAdmitted: Bool, rest: Bucket) {
        let tokens = filled(bucket, at: now)
        return tokens < 1
            ? (false, Bucket(tokens: tokens, at: now))
            : (true, Bucket(tokens: tokens - 1, at: now))
    }

    /// A full bucket says nothing that a fresh one would not.
    private mutating func forgetFull(at now: Moment) {
        buckets = buckets.filter { filled($0.value, at: now) < limits.burstMax }
    }
}
