import HeapModule
import Market

/// Shares one rate of bytes fairly between those who use it.
///
/// Each has an allowance that it may use at once. What it has used comes back: the rate is divided
/// equally between all whose allowance is not whole, up to a rate for one. So who uses little always
/// finds its allowance, whatever the others do.
///
/// Whoever is new gets a first part of its allowance from a pool that all newcomers share, because
/// being new is free. Until its allowance has been whole once, what comes to it is of what the
/// others leave of the rate, so that newcomers, however many, take nothing from those who were there
/// before. Those who lost nothing by it are forgotten if there is no room, newcomers before others
/// and the longest idle first; if nobody can be forgotten, newcomers share one allowance.
///
/// Pure: it is told the time. The work for one call is logarithmic in the number of keys.
///
/// Source: Parekh and Gallager, "A Generalized Processor Sharing Approach", 1993;
/// Docs/protocol.md, section 4.11.
package struct FairBudget<Key: Hashable & Comparable & Sendable>: Sendable {
    private enum Flow: Hashable, Comparable, Sendable {
        case key(Key)
        /// What newcomers share if nobody can be forgotten for them.
        case newcomers
    }

    private struct FlowState {
        /// Whether its allowance was whole once.
        var isKnown: Bool
        /// The level of its class at which the allowance is whole again.
        var wholeAt: Double
        /// Whether it has an entry among the refills.
        var isRefilling: Bool
    }

    /// When an allowance is whole again, unless more was used meanwhile.
    private struct Refill: Comparable {
        let level: Double
        let flow: Flow

        static func < (left: Refill, right: Refill) -> Bool {
            (left.level, left.flow) < (right.level, right.flow)
        }
    }

    /// Those who share equally what the class before them leaves.
    private struct Class {
        var refills = Heap<Refill>()
        /// Bytes that came back to each whose allowance was not whole, since the start.
        var level = 0.0

        /// Bytes a second for each of them, if all have `rate` together and one at most `shareMax`.
        func speed(of rate: Double, shareMax: Double) -> Double {
            refills.isEmpty ? 0 : min(shareMax, rate / Double(refills.count))
        }

        /// Seconds until the next has its allowance back; `nil` if nobody is waiting, or for ever.
        func next(at speed: Double) -> Double? {
            speed > 0 ? refills.min.map { max(0, $0.level - level) / speed } : nil
        }
    }

    private let limits: FairBudgetLimits
    private var uses: [Flow: FlowState] = [:]
    private var known = Class()
    private var fresh = Class()
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
        let flow = flow(of: key)
        guard let use = uses[flow] else { return false }
        let used = used(use) + Double(byteCount)
        guard used <= Double(limits.allowanceBytes) else { return false }
        set(flow, use, used: used)
        return true
    }

    /// Whether ``admit(_:of:at:)`` would take so many bytes off a key's allowance.
    package mutating func hasRoom(for byteCount: Int, of key: Key, at now: Moment) -> Bool {
        advance(to: now)
        guard let use = uses[flow(of: key)] else { return false }
        return used(use) + Double(byteCount) <= Double(limits.allowanceBytes)
    }

    /// Lets allowances grow for the time that has passed.
    private mutating func advance(to now: Moment) {
        var seconds = max(.zero, now.sinceStart - at.sinceStart) / Duration.seconds(1)
        at = max(at, now)
        let whole = Double(limits.newcomersBytes)
        pool = min(whole, pool + seconds * Double(limits.newcomersBytesPerSecond))
        while seconds > 0 {
            let rate = Double(limits.bytesPerSecond)
            let shareMax = Double(limits.shareBytesPerSecond)
            let speed = known.speed(of: rate, shareMax: shareMax)
            let rest = max(0, rate - speed * Double(known.refills.count))
            let freshSpeed = fresh.speed(of: rest, shareMax: shareMax)
            let (next, freshNext) = (known.next(at: speed), fresh.next(at: freshSpeed))
            let step = min(seconds, next ?? seconds, freshNext ?? seconds)
            seconds -= step
            known.level += step * speed
            fresh.level += step * freshSpeed
            if step == next { settle(\.known) }
            if step == freshNext { settle(\.fresh) }
            if next == nil, freshNext == nil { return }
        }
    }

    private func used(_ use: FlowState) -> Double {
        max(0, use.wholeAt - (use.isKnown ? known : fresh).level)
    }

    /// Ends the next refill of a class, unless its holder has used more meanwhile.
    private mutating func settle(_ path: WritableKeyPath<Self, Class>) {
        guard let refill = self[keyPath: path].refills.popMin() else { return }
        self[keyPath: path].level = max(self[keyPath: path].level, refill.level)
        guard var use = uses[refill.flow] else { return }
        use.isRefilling = false
        let used = used(use)
        if used == 0, refill.flow != .newcomers { use.isKnown = true }
        set(refill.flow, use, used: used)
    }

    private mutating func set(_ flow: Flow, _ use: FlowState, used: Double) {
        var use = use
        let path: WritableKeyPath<Self, Class> = use.isKnown ? \.known : \.fresh
        use.wholeAt = self[keyPath: path].level + used
        // One refill for each: it finds in its turn that more was used.
        if !use.isRefilling, used > 0 {
            self[keyPath: path].refills.insert(Refill(level: use.wholeAt, flow: flow))
            use.isRefilling = true
        }
        uses[flow] = use
    }

    /// Who counts for a key; makes room for one that is new.
    private mutating func flow(of key: Key) -> Flow {
        if uses[.key(key)] != nil { return .key(key) }
        if uses.count >= limits.keysMax { forgetIdle() }
        let flow = uses.count < limits.keysMax ? Flow.key(key) : .newcomers
        guard uses[flow] == nil else { return flow }
        let first = min(pool, Double(limits.firstBytes))
        pool -= first
        let missing = Double(limits.allowanceBytes) - first
        set(flow, FlowState(isKnown: missing == 0, wholeAt: 0, isRefilling: false), used: missing)
        return flow
    }

    /// Forgets half of those who would begin with no more than they have.
    private mutating func forgetIdle() {
        let first = Double(limits.allowanceBytes - limits.firstBytes)
        let idle = uses.filter { flow, use in
            flow != .newcomers && (use.isKnown ? !use.isRefilling : used(use) <= first)
        }.sorted {
            ($0.value.isKnown ? 1 : 0, $0.value.wholeAt, $0.key)
                < ($1.value.isKnown ? 1 : 0, $1.value.wholeAt, $1.key)
        }
        for (flow, _) in idle.prefix((idle.count + 1) / 2) { uses[flow] = nil }
        fresh.refills = Heap(fresh.refills.unordered.filter { uses[$0.flow] != nil })
    }
}
