import HeapModule
import Market

/// Shares one rate of bytes fairly between those who use it.
///
/// Each has an allowance that it may use at once. What it has used comes back: the rate is divided
/// equally between all whose allowance is not whole, up to a rate for one. So who uses little always
/// finds its allowance, whatever the others do.
///
/// Whoever is new gets a first part of its allowance from a pool that all newcomers share, because
/// being new is free. Those with a whole allowance are remembered while there is room, and the
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
        /// The level at which the allowance is whole again.
        var wholeAt: Double
        /// Whether it has an entry among the refills.
        var isRefilling: Bool
    }

    /// When an allowance is whole again, unless more was used meanwhile.
    private struct Refill: Comparable {
        let level: Double
        let holder: Holder

        static func < (left: Refill, right: Refill) -> Bool {
            (left.level, left.holder) < (right.level, right.holder)
        }
    }

    private let limits: FairBudgetLimits
    private var uses: [Holder: Use] = [:]
    private var refills = Heap<Refill>()
    /// Bytes that came back to each whose allowance was not whole, since the start.
    private var level = 0.0
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
        let old = uses[holder] ?? Use(wholeAt: level, isRefilling: false)
        let used = max(0, old.wholeAt - level) + Double(byteCount)
        guard used <= Double(limits.allowanceBytes) else { return false }
        set(holder, used: used, isRefilling: old.isRefilling)
        return true
    }

    /// Lets allowances grow for the time that has passed.
    private mutating func advance(to now: Moment) {
        var seconds = max(.zero, now.sinceStart - at.sinceStart) / Duration.seconds(1)
        at = max(at, now)
        let whole = Double(limits.newcomersBytes)
        pool = min(whole, pool + seconds * Double(limits.newcomersBytesPerSecond))
        while seconds > 0, let next = refills.min {
            let share = Double(limits.bytesPerSecond) / Double(refills.count)
            let speed = min(Double(limits.shareBytesPerSecond), share)
            let needed = (next.level - level) / speed
            guard needed <= seconds else {
                level += seconds * speed
                return
            }
            seconds -= needed
            level = max(level, next.level)
            settle(next)
        }
    }

    /// Ends a refill, unless its holder has used more meanwhile.
    private mutating func settle(_ refill: Refill) {
        refills.removeMin()
        guard let use = uses[refill.holder] else { return }
        uses[refill.holder]?.isRefilling = false
        if use.wholeAt > level {
            set(refill.holder, used: use.wholeAt - level, isRefilling: false)
        }
    }

    private mutating func set(_ holder: Holder, used: Double, isRefilling: Bool) {
        uses[holder] = Use(wholeAt: level + used, isRefilling: isRefilling || used > 0)
        // One refill for each: it finds in its turn that more was used.
        if !isRefilling, used > 0 { refills.insert(Refill(level: level + used, holder: holder)) }
    }

    /// Who counts for a key; makes room for one that is new.
    private mutating func holder(of key: Key) -> Holder {
        if uses[.key(key)] != nil { return .key(key) }
        if uses.count >= limits.keysMax { forgetIdle() }
        let holder = uses.count < limits.keysMax ? Holder.key(key) : .newcomers
        guard uses[holder] == nil else { return holder }
        let first = min(pool, Double(limits.firstBytes))
        pool -= first
        set(holder, used: Double(limits.allowanceBytes) - first, isRefilling: false)
        return holder
    }

    /// Forgets half of those whose allowance is whole, the longest idle first.
    private mutating func forgetIdle() {
        let idle = uses.filter { !$0.value.isRefilling && $0.key != .newcomers }
            .sorted { ($0.value.wholeAt, $0.key) < ($1.value.wholeAt, $1.key) }
        for (holder, _) in idle.prefix((idle.count + 1) / 2) { uses[holder] = nil }
    }
}
