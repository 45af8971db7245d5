import HeapModule
import Market

/// Shares one rate of bytes fairly between keys.
///
/// Each key has an allowance that it may use at once. Used bytes come back: the rate is divided
/// equally between all keys whose allowance is not full, at most `shareBytesPerSecond` each. A key
/// that uses little therefore always finds its allowance, whatever the others do.
///
/// A new key gets a first part of its allowance from a pool that all newcomers share, because new
/// keys are free. Until its allowance has been full once, it refills only from what the known keys
/// leave of the rate, so newcomers, however many, take nothing from known keys. If the table is
/// full, keys that have at least as much as a new key are forgotten, newcomers first and the
/// longest idle first; if no key can be forgotten, newcomers share one allowance.
///
/// Pure: the caller passes in the time. One call takes time logarithmic in the number of keys.
///
/// Source: Parekh and Gallager, "A Generalized Processor Sharing Approach", 1993;
/// Docs/protocol.md, section 4.11.
package struct FairBudget<Key: Hashable & Comparable & Sendable>: Sendable {
    private enum Flow: Hashable, Comparable, Sendable {
        case key(Key)
        /// The allowance that newcomers share if no key can be forgotten for them.
        case newcomers
    }

    private struct FlowState {
        /// Whether its allowance has been full once.
        var isKnown: Bool
        /// The level of its class at which the allowance is full again.
        var wholeAt: Double
        /// Whether it has an entry in `refills`.
        var isRefilling: Bool
    }

    /// The level at which an allowance is full again, unless more is used meanwhile.
    private struct Refill: Comparable {
        let level: Double
        let flow: Flow

        static func < (left: Refill, right: Refill) -> Bool {
            (left.level, left.flow) < (right.level, right.flow)
        }
    }

    /// Flows that share equally the rate that the class before them leaves.
    private struct Class {
        var refills = Heap<Refill>()
        /// Bytes that came back to each flow that was never full, since the start.
        var level = 0.0

        /// Returns the bytes per second of each flow, of `rate` for all and at most `shareMax`.
        func speed(of rate: Double, shareMax: Double) -> Double {
            refills.isEmpty ? 0 : min(shareMax, rate / Double(refills.count))
        }

        /// Returns the seconds until the next allowance is full; `nil` if none refills.
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

    /// Takes bytes from a key's allowance; `false`, and nothing is taken, if it has too few.
    package mutating func admit(_ byteCount: Int, of key: Key, at now: Moment) -> Bool {
        advance(to: now)
        let flow = flow(of: key)
        guard let use = uses[flow] else { return false }
        let used = used(use) + Double(byteCount)
        guard used <= Double(limits.allowanceBytes) else { return false }
        set(flow, use, used: used)
        return true
    }

    /// Whether ``admit(_:of:at:)`` would succeed.
    package mutating func hasRoom(for byteCount: Int, of key: Key, at now: Moment) -> Bool {
        advance(to: now)
        guard let use = uses[flow(of: key)] else { return false }
        return used(use) + Double(byteCount) <= Double(limits.allowanceBytes)
    }

    /// Refills the allowances for the time that has passed.
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

    /// Ends the next refill of a class, unless its flow has used more meanwhile.
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
        // One refill per flow: when it is due, it detects that more was used.
        if !use.isRefilling, used > 0 {
            self[keyPath: path].refills.insert(Refill(level: use.wholeAt, flow: flow))
            use.isRefilling = true
        }
        uses[flow] = use
    }

    /// Returns the flow of a key; makes room for a new one.
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

    /// Forgets half of the keys that have at least as much as a new key would get.
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
