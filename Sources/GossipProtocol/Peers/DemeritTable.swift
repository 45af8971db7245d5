/// Recent offences of peers or addresses, as weights that add up.
///
/// Pure and bounded: a full table removes the entry with the least weight, the oldest first.
/// Filling it with small offences under many keys therefore does not erase the worst.
struct DemeritTable<Key: Hashable & Comparable & Sendable>: Sendable {
    private struct Demerit {
        var weight: Int
        let since: Moment
    }

    private let life: Duration
    private let countMax: Int
    private var demerits: [Key: Demerit] = [:]

    init(life: Duration, countMax: Int) {
        (self.life, self.countMax) = (life, countMax)
    }

    /// Adds to the weight of `key`, and returns the sum.
    mutating func add(_ weight: Int, to key: Key, at now: Moment) -> Int {
        if let demerit = demerits[key], demerit.since + life > now {
            demerits[key]?.weight += weight
            return demerit.weight + weight
        }
        if demerits[key] == nil, demerits.count >= countMax { forgetMildest() }
        demerits[key] = Demerit(weight: weight, since: now)
        return weight
    }

    mutating func remove(_ key: Key) { demerits[key] = nil }

    mutating func expire(at now: Moment) {
        demerits = demerits.filter { $0.value.since + life > now }
    }

    private mutating func forgetMildest() {
        let mildest = demerits.min { left, right in
            (left.value.weight, left.value.since, left.key)
                < (right.value.weight, right.value.since, right.key)
        }
        if let mildest { demerits[mildest.key] = nil }
    }
}
