import HeapModule

/// Amounts that keys have used and that all of them regain equally.
///
/// A key that has regained its whole amount is not remembered. One call takes time logarithmic in
/// the number of keys.
///
/// Source: Parekh and Gallager, "A Generalized Processor Sharing Approach", 1993.
struct FairShares<Key: Hashable & Comparable & Sendable>: Sendable {
    /// The level at which a key is whole again, unless it uses more before.
    private struct Return: Comparable {
        let level: Double
        let key: Key

        static func < (left: Return, right: Return) -> Bool {
            (left.level, left.key) < (right.level, right.key)
        }
    }

    private var returns = Heap<Return>()
    private var wholeAt: [Key: Double] = [:]
    /// The amount regained, since the start, by each key that was never whole.
    private var level = 0.0

    /// The number of keys that have used something.
    var count: Int { wholeAt.count }

    /// Returns the amount that a key has used and that has not been refilled.
    func used(by key: Key) -> Double { wholeAt[key].map { max(0, $0 - level) } ?? 0 }

    mutating func use(_ amount: Double, by key: Key) {
        guard amount > 0 else { return }
        let before = wholeAt[key]
        let level = max(level, before ?? level) + amount
        wholeAt[key] = level
        // One return for each key: when it is due, it detects that more was used.
        if before == nil { returns.insert(Return(level: level, key: key)) }
    }

    /// Gives an amount back, divided equally, `shareMax` to one key at most.
    ///
    /// - Returns: The keys that are whole now, and the amount left after the others got their
    ///   shares.
    mutating func giveBack(
        _ amount: Double,
        shareMax: Double = .infinity
    ) -> (whole: [Key], left: Double) {
        var (whole, left, share): ([Key], Double, Double) = ([], amount, shareMax)
        while left > 0, share > 0, let next = returns.min {
            let step = min(share, left / Double(wholeAt.count))
            let gap = max(0, next.level - level)
            guard gap <= step else {
                level += step
                left -= step * Double(wholeAt.count)
                break
            }
            level = max(level, next.level)
            left -= gap * Double(wholeAt.count)
            share -= gap
            returns.removeMin()
            if let due = wholeAt[next.key], due > level {
                returns.insert(Return(level: due, key: next.key))
            } else {
                wholeAt[next.key] = nil
                whole.append(next.key)
            }
        }
        return (whole, max(0, left))
    }

    /// Forgets keys; their used amounts are not regained.
    mutating func forget(_ keys: some Sequence<Key>) {
        for key in keys { wholeAt[key] = nil }
        returns = Heap(wholeAt.map { Return(level: $0.value, key: $0.key) })
    }
}
