/// Token buckets by key, which refill with time and are kept after their links end.
///
/// Pure and bounded. A full bucket equals a new one, so only full ones are removed. If the table
/// has no room for more, all new keys share one bucket.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    /// The capacity of a bucket, and its inflow.
    struct Rate: Sendable {
        let burst: Double
        let perSecond: Double

        init(burst: Int, every interval: Duration) {
            (self.burst, perSecond) = (Double(burst), 1 / (interval / .seconds(1)))
        }

        /// Refills `amount` over `time`; the burst is `amount` too.
        init(_ amount: Int, in time: Duration) {
            (burst, perSecond) = (Double(amount), Double(amount) / (time / .seconds(1)))
        }
    }

    private struct Bucket {
        var level: Double
        var at: Moment
    }

    private let rate: Rate
    private let countMax: Int
    private var buckets: [Key: Bucket] = [:]
    private var shared: Bucket?

    init(_ rate: Rate, countMax: Int) {
        (self.rate, self.countMax) = (rate, countMax)
    }

    var count: Int { buckets.count }

    /// Whether a key has no bucket of its own because the table is full.
    func isShared(by key: Key) -> Bool { buckets[key] == nil && buckets.count >= countMax }

    /// Returns how much a key may take now.
    func level(of key: Key, at now: Moment) -> Double {
        if let bucket = buckets[key] { return filled(bucket, at: now) }
        return buckets.count < countMax
            ? rate.burst : shared.map { filled($0, at: now) } ?? rate.burst
    }

    /// Takes `amount`; returns `false` and takes nothing if the bucket holds less.
    mutating func take(_ amount: Double = 1, of key: Key, at now: Moment) -> Bool {
        if buckets[key] == nil, buckets.count >= countMax { forgetFull(at: now) }
        let level = level(of: key, at: now)
        guard level >= amount else { return false }
        put(Bucket(level: level - amount, at: now), for: key)
        return true
    }

    /// Takes `amount`, or all there is, for something that was already spent.
    mutating func drain(_ amount: Double, of key: Key, at now: Moment) {
        if buckets[key] == nil, buckets.count >= countMax { forgetFull(at: now) }
        put(Bucket(level: max(0, level(of: key, at: now) - amount), at: now), for: key)
    }

    private mutating func put(_ bucket: Bucket, for key: Key) {
        if buckets[key] != nil || buckets.count < countMax {
            buckets[key] = bucket
        } else {
            shared = bucket
        }
    }

    private func filled(_ bucket: Bucket, at now: Moment) -> Double {
        let seconds = max(.zero, now.sinceStart - bucket.at.sinceStart) / Duration.seconds(1)
        return min(rate.burst, bucket.level + seconds * rate.perSecond)
    }

    private mutating func forgetFull(at now: Moment) {
        buckets = buckets.filter { filled($0.value, at: now) < rate.burst }
    }
}
