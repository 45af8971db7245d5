import HeapModule
import Market

/// Shares one rate of bytes fairly between those who use it.
///
/// Each has an allowance that it may use at once. What it has used comes back: the rate is divided
/// equally between all whose allowance is not whole, up to a rate for one. So who uses little always
/// finds its allowance, whatever the others do.
///
/// Whoever is new gets a first part of its allowance from a pool that all newcomers share, because
/// being new is free. The rest comes to newcomers from what the rate leaves when everybody has back
/// what was used, so that many who are new take nothing from those who use theirs. Those with a whole allowance are remembered while there is room, and the
/// longest idle are forgotten first; if nobody can be forgotten, newcomers share one allowance.
///
/// Pure: it is told the time. The work for one call is logarithmic in the number of keys.
///
/// Source: Parekh and Gallager, "A Generalized Processor Sharing Approach", 1993;
/// Docs/protocol.md, section 4.11.
package struct FairBudget<Key: Hashable & Comparable & Sendable>: Sendable {
    private enum Holder: Hashable, Comparable, Sendable {
        case key(Key)
        /// What newcomers share if nobody can be forgotten for them.
        case newcomers
    }

    private struct Use {
        /// The level at which all that was used has come back.
        var wholeAt: Double
        /// What a newcomer does not have of its allowance yet, while that does not grow.
        var missing: Double
        /// The level of the leftover at which it has all, while it grows.
        var grownAt: Double?
        /// Whether it has an entry among the refills.
        var isRefilling: Bool
    }

    /// When what a holder used has come back, unless more was used meanwhile.
    private struct Refill: Comparable {
        let level: Double
        let holder: Holder

        static func < (left: Refill, right: Refill) -> Bool {
            (left.level, left.holder) < (right.level, right.holder)
        }
    }

    /// When a newcomer has all of its allowance, unless it used some meanwhile.
    private struct Growth: Comparable {
        let level: Double
        let holder: Holder

        static func < (left: Growth, right: Growth) -> Bool {
            (left.level, left.holder) < (right.level, right.holder)
        }
    }

    private let limits: FairBudgetLimits
    private var uses: [Holder: Use] = [:]
    private var refills = Heap<Refill>()
    /// Bytes that came back to each whose allowance was not whole, since the start.
    private var level = 0.0
    /// Bytes of the leftover that came to each newcomer whose allowance grew, since the start.
    private var leftoverLevel = 0.0
    /// Of newcomers that grow, and of some that did.
    private var growths = Heap<Growth>()
    private var growingCount = 0
    /// Bytes that newcomers may still get at once.
    private var pool: Double
    private var at = Moment.start

    package init(limits: FairBudgetLimits) {
        limits.check()
        self.limits = limits
        pool = Double(limits.newcomersBytes)
    }

    package var keyCount: Int { uses.count }

    /// Takes so many bytes off a key's allowance; `false`, and nothing taken, if there are not so
    /// many.
    package mutating func admit(_ byteCount: Int, of key: Key, at now: Moment) -> Bool {
        advance(to: now)
        let holder = holder(of: key)
        guard let use = uses[holder] else { return false }
        let used = max(0, use.wholeAt - level) + Double(byteCount)
        guard used + missing(use) <= Double(limits.allowanceBytes) else { return false }
        set(holder, use, used: used)
        return true
    }

    /// Lets allowances grow for the time that has passed.
    private mutating func advance(to now: Moment) {
        var seconds = max(.zero, now.sinceStart - at.sinceStart) / Duration.seconds(1)
        at = max(at, now)
        let whole = Double(limits.newcomersBytes)
        pool = min(whole, pool + seconds * Double(limits.newcomersBytesPerSecond))
        while seconds > 0 {
            let (speed, leftoverSpeed) = speeds
            let refilled = refills.min.map { max(0, $0.level - level) / speed }
            let grown = growths.min.flatMap {
                leftoverSpeed > 0 ? max(0, $0.level - leftoverLevel) / leftoverSpeed : nil
            }
            let step = min(seconds, refilled ?? seconds, grown ?? seconds)
            seconds -= step
            level += step * speed
            leftoverLevel += step * leftoverSpeed
            if step == grown, let next = growths.popMin() {
                leftoverLevel = max(leftoverLevel, next.level)
                if uses[next.holder]?.grownAt == next.level { stopGrowing(next.holder) }
            }
            if step == refilled, let next = refills.popMin() {
                level = max(level, next.level)
                settle(next)
            }
        }
    }

    /// Bytes a second that come to each who used some, and of what is left to each newcomer.
    private var speeds: (used: Double, leftover: Double) {
        let share = Double(limits.shareBytesPerSecond)
        let used =
            refills.isEmpty ? 0 : min(share, Double(limits.bytesPerSecond) / Double(refills.count))
        let rest = max(0, Double(limits.bytesPerSecond) - used * Double(refills.count))
        return (used, growingCount == 0 ? 0 : min(share, rest / Double(growingCount)))
    }

    private func missing(_ use: Use) -> Double {
        use.grownAt.map { max(0, $0 - leftoverLevel) } ?? use.missing
    }

    /// Ends a refill, unless its holder has used more meanwhile.
    private mutating func settle(_ refill: Refill) {
        guard var use = uses[refill.holder] else { return }
        use.isRefilling = false
        set(refill.holder, use, used: max(0, use.wholeAt - level))
    }

    private mutating func set(_ holder: Holder, _ use: Use, used: Double) {
        var use = use
        use.wholeAt = level + used
        // One refill for each: it finds in its turn that more was used.
        if !use.isRefilling, used > 0 {
            refills.insert(Refill(level: level + used, holder: holder))
            use.isRefilling = true
        }
        uses[holder] = use
        // What it used comes back first.
        if use.isRefilling { stopGrowing(holder) } else { startGrowing(holder) }
    }

    private mutating func stopGrowing(_ holder: Holder) {
        guard var use = uses[holder], use.grownAt != nil else { return }
        (use.missing, use.grownAt) = (missing(use), nil)
        uses[holder] = use
        growingCount -= 1
    }

    private mutating func startGrowing(_ holder: Holder) {
        guard let use = uses[holder], use.grownAt == nil, use.missing > 0 else { return }
        let level = leftoverLevel + use.missing
        uses[holder]?.grownAt = level
        growingCount += 1
        growths.insert(Growth(level: level, holder: holder))
        // Those that stopped are left behind for a while.
        if growths.count > 2 * uses.count + 16 { tidyGrowths() }
    }

    private mutating func tidyGrowths() {
        growths = Heap(
            uses.compactMap { holder, use in use.grownAt.map { Growth(level: $0, holder: holder) } }
        )
        growingCount = growths.count
    }

    /// Who counts for a key; makes room for one that is new.
    private mutating func holder(of key: Key) -> Holder {
        if uses[.key(key)] != nil { return .key(key) }
        if uses.count >= limits.keysMax { forgetIdle() }
        let holder = uses.count < limits.keysMax ? Holder.key(key) : .newcomers
        guard uses[holder] == nil else { return holder }
        let first = min(pool, Double(limits.firstBytes))
        pool -= first
        let missing = Double(limits.allowanceBytes) - first
        uses[holder] = Use(wholeAt: level, missing: missing, isRefilling: false)
        startGrowing(holder)
        return holder
    }

    /// Forgets half of those who have back what they used: newcomers before others, and of both
    /// the longest idle first.
    private mutating func forgetIdle() {
        func order(_ holder: Holder, _ use: Use) -> (Int, Double, Holder) {
            (missing(use) > 0 ? 0 : 1, use.wholeAt, holder)
        }
        let idle = uses.filter { !$0.value.isRefilling && $0.key != .newcomers }
            .sorted { order($0.key, $0.value) < order($1.key, $1.value) }
        for (holder, _) in idle.prefix((idle.count + 1) / 2) { uses[holder] = nil }
        tidyGrowths()
    }
}
