/// Limits the key derivations that run at a time, and decides which is next.
///
/// Each deliberately takes much time and memory. At most one of the running ones is for another
/// machine: whatever strangers guess, the others are for this machine. The operator goes first,
/// then this machine, then the other networks in turn.
///
/// If the queue of other machines is full, a network takes the place of one that has more there, or
/// that has as many and had its turn later: no number of networks that come again and again keeps
/// one out that did not have its turn yet.
///
/// Pure: it names those that wait by numbers.
struct DerivationQueue: Sendable {
    /// The answer to a request to run.
    enum Decision: Equatable {
        case runs
        /// Waits until ``leave(_:)`` returns this number; `displaced` waits no longer, and is
        /// refused.
        case waits(UInt64, displaced: UInt64? = nil)
        case full
    }

    static let runningMax = 2
    static let elsewhereRunningMax = 1
    /// The maximum for the operator, and for this machine, each.
    static let waitingMax = 64
    /// The maximum for other machines: each makes the last one wait a second or more longer.
    static let elsewhereWaitingMax = 8
    static let networkWaitingMax = 2
    /// The networks elsewhere whose turns are remembered.
    static let servedMax = 4_096

    private var running: [CallerGroup] = []
    private var waiting: [(number: UInt64, caller: CallerGroup)] = []
    private var lastNumber: UInt64 = 0
    /// The networks elsewhere that had a turn, each once, the latest last.
    private var served: [CallerGroup] = []

    mutating func enter(_ caller: CallerGroup) -> Decision {
        if mayRun(caller) {
            begin(caller)
            return .runs
        }
        let ofKind = waiting.count { $0.caller.rank == caller.rank }
        var displaced: UInt64?
        if caller.isElsewhere {
            guard waitingCount(of: caller) < Self.networkWaitingMax else { return .full }
            if ofKind >= Self.elsewhereWaitingMax {
                guard let place = placeTaken(by: caller) else { return .full }
                displaced = waiting.remove(at: place).number
            }
        } else if ofKind >= Self.waitingMax {
            return .full
        }
        lastNumber += 1
        waiting.append((lastNumber, caller))
        return .waits(lastNumber, displaced: displaced)
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

    /// Leaves the queue, which counts as a turn; `false` if this number does not wait, because it
    /// already runs or never arrived.
    mutating func giveUp(_ number: UInt64) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return false }
        let left = waiting.remove(at: place)
        noteTurn(of: left.caller)
        return true
    }

    private mutating func begin(_ caller: CallerGroup) {
        running.append(caller)
        noteTurn(of: caller)
    }

    private mutating func noteTurn(of caller: CallerGroup) {
        guard caller.isElsewhere else { return }
        served.removeAll { $0 == caller }
        served.append(caller)
        if served.count > Self.servedMax { served.removeFirst() }
    }

    private func waitingCount(of caller: CallerGroup) -> Int {
        waiting.count { $0.caller == caller }
    }

    /// Returns the place in the full queue of other machines that a network takes, if any.
    ///
    /// It is the newest of the network that has most there, and of those of the one that had its
    /// turn last.
    private func placeTaken(by caller: CallerGroup) -> Int? {
        let count = waitingCount(of: caller) + 1
        let turn = lastTurn(of: caller)
        let others = waiting.indices.filter {
            let other = waiting[$0].caller
            return other.isElsewhere
                && (waitingCount(of: other), lastTurn(of: other)) > (count, turn)
        }
        return others.max { weight(ofPlace: $0) < weight(ofPlace: $1) }
    }

    private func weight(ofPlace place: Int) -> (Int, Int, Int) {
        let caller = waiting[place].caller
        return (waitingCount(of: caller), lastTurn(of: caller), place)
    }

    /// Returns the order of the networks' last turns; -1 for one that had none.
    private func lastTurn(of caller: CallerGroup) -> Int { served.firstIndex(of: caller) ?? -1 }

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

    /// The networks take turns: the one that had its turn longest ago is next.
    private func order(of caller: CallerGroup, _ place: Int) -> (Int, Int, Int) {
        (caller.rank, lastTurn(of: caller), place)
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
