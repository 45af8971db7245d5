/// Token buckets by key, which refill with time and are kept after their links end.
///
/// Pure and bounded. A full bucket equals a new one, so full buckets are removed if the table has
/// no room, and then the half of the others that is nearest to full: no key is worse off without a
/// bucket.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    /// The capacity of a bucket, and its inflow.
    package struct Rate: Sendable {
        let burst: Double
        let perSecond: Double

        package init(burst: Int, every interval: Duration) {
            (self.burst, perSecond) = (Double(burst), 1 / (interval / .seconds(1)))
        }

        /// Refills `amount` over `time`; the burst is `amount` too.
        package init(_ amount: Int, in time: Duration) {
            (burst, perSecond) = (Double(amount), Double(amount) / (time / .seconds(1)))
        }

        private init(burst: Double, perSecond: Double) {
            (self.burst, self.perSecond) = (burst, perSecond)
        }

        /// The rate of `count` keys together.
        package func times(_ count: Int) -> Rate {
            Rate(burst: burst * Double(count), perSecond: perSecond * Double(count))
        }
    }

    private struct Bucket {
        var level: Double
        var at: Moment
    }

    private let rate: Rate
    private let countMax: Int
    private var buckets: [Key: Bucket] = [:]

    package init(_ rate: Rate, countMax: Int) {
        (self.rate, self.countMax) = (rate, countMax)
    }

    package var count: Int { buckets.count }

    /// Returns how much a key may take now.
    package func level(of key: Key, at now: Moment) -> Double {
        buckets[key].map { filled($0, at: now) } ?? rate.burst
    }

    /// Takes `amount`; returns `false` and takes nothing if the bucket holds less.
    package mutating func take(_ amount: Double = 1, of key: Key, at now: Moment) -> Bool {
        let level = level(of: key, at: now)
        guard level >= amount else { return false }
        put(Bucket(level: level - amount, at: now), for: key)
        return true
    }

    /// Takes `amount`, or all there is, for a cost that has already arisen.
    package mutating func drain(_ amount: Double, of key: Key, at now: Moment) {
        put(Bucket(level: max(0, level(of: key, at: now) - amount), at: now), for: key)
    }

    private mutating func put(_ bucket: Bucket, for key: Key) {
        if buckets[key] == nil, buckets.count >= countMax { makeRoom(at: bucket.at) }
        buckets[key] = bucket
    }

    private func filled(_ bucket: Bucket, at now: Moment) -> Double {
        let seconds = max(.zero, now.sinceStart - bucket.at.sinceStart) / Duration.seconds(1)
        return min(rate.burst, bucket.level + seconds * rate.perSecond)
    }

    private mutating func makeRoom(at now: Moment) {
        buckets = buckets.filter { filled($0.value, at: now) < rate.burst }
        guard buckets.count >= countMax else { return }
        let emptiest = buckets.sorted { filled($0.value, at: now) < filled($1.value, at: now) }
            .prefix(countMax / 2)
        buckets = Dictionary(uniqueKeysWithValues: emptiest.map { ($0.key, $0.value) })
    }
}
