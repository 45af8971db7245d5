/// Limits the key derivations that run at a time, and decides which is next.
///
/// Each deliberately takes much time and memory. At most one of the running ones is for another
/// machine: whatever strangers guess, the others are for this machine. The operator goes first,
/// then this machine, then the other networks in turn.
///
/// Pure: it names those that wait by numbers.
struct DerivationQueue: Sendable {
    /// The answer to a request to run.
    enum Decision: Equatable {
        case runs
        /// Waits until ``leave(_:)`` returns this number.
        case waits(UInt64)
        case full
    }

    static let runningMax = 2
    static let elsewhereRunningMax = 1
    /// The maximum for the operator, and for this machine, each.
    static let waitingMax = 64
    /// The maximum for other machines: each makes the last one wait a second or more longer.
    static let elsewhereWaitingMax = 8
    static let networkWaitingMax = 2

    private var running: [CallerGroup] = []
    private var waiting: [(number: UInt64, caller: CallerGroup)] = []
    private var lastNumber: UInt64 = 0
    private var lastElsewhere: CallerGroup?

    mutating func enter(_ caller: CallerGroup) -> Decision {
        if mayRun(caller) {
            begin(caller)
            return .runs
        }
        let ofKind = waiting.count { $0.caller.rank == caller.rank }
        let ofNetwork = waiting.count { $0.caller == caller }
        let hasRoom =
            caller.isElsewhere
            ? ofKind < Self.elsewhereWaitingMax && ofNetwork < Self.networkWaitingMax
            : ofKind < Self.waitingMax
        guard hasRoom else { return .full }
        lastNumber += 1
        waiting.append((lastNumber, caller))
        return .waits(lastNumber)
    }

    /// Ends a derivation; to be called once by each that ran.
    ///
    /// - Returns: The waiting numbers that run now.
    mutating func leave(_ caller: CallerGroup) -> [UInt64] {
        if let place = running.firstIndex(of: caller) { running.remove(at: place) }
        var begun: [UInt64] = []
        while let place = nextPlace {
            let (number, caller) = waiting.remove(at: place)
            begin(caller)
            begun.append(number)
        }
        return begun
    }

    /// Leaves the queue; `false` if this number does not wait, because it already runs or never
    /// arrived.
    mutating func giveUp(_ number: UInt64) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return false }
        waiting.remove(at: place)
        return true
    }

    private mutating func begin(_ caller: CallerGroup) {
        running.append(caller)
        if caller.isElsewhere { lastElsewhere = caller }
    }

    private func mayRun(_ caller: CallerGroup) -> Bool {
        let elsewhere = running.count { $0.isElsewhere }
        return running.count < Self.runningMax
            && (!caller.isElsewhere || elsewhere < Self.elsewhereRunningMax)
    }

    /// The number of the next one that can run, if any.
    private var nextPlace: Int? {
        let ready = waiting.indices.filter { mayRun(waiting[$0].caller) }
        return ready.min { left, right in
            order(of: waiting[left].caller, left) < order(of: waiting[right].caller, right)
        }
    }

    private func order(of caller: CallerGroup, _ place: Int) -> (Int, Int, Int) {
        (caller.rank, caller == lastElsewhere ? 1 : 0, place)
    }
}

extension CallerGroup {
    package var isElsewhere: Bool { if case .elsewhere = self { true } else { false } }

    /// The order of callers in the queue.
    fileprivate var rank: Int {
        switch self {
        case .operator: 0
        case .thisMachine: 1
        case .elsewhere: 2
        }
    }
}
