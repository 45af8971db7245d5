package import Keys

/// Limits the key derivations that run at a time, and decides which is next.
///
/// Each deliberately takes much time and memory. At most one of the running ones is for another
/// machine: whatever strangers guess, the others are for this machine. The operator goes first,
/// then this machine, then the other networks in the order of ``NetworkTurns``.
///
/// Of each three turns of other machines, one is for a subnet from which an account was opened
/// before, and one for the subnet that began to try last: many subnets that guess without end are
/// all older. These have places too. If the queue of other machines is full, the last of the rest
/// is refused, whether it is the newcomer or waits already.
///
/// The second derivation of a request goes before all first ones: it loses no place, or a request
/// with two would never end while others crowd the queue. There are few, since only one runs.
///
/// Pure: it names those that wait by numbers.
package struct DerivationQueue: Sendable {
    /// The answer to a request to run.
    package enum Decision: Equatable, Sendable {
        case runs
        /// Waits until ``leave(_:)`` returns this number; `displaced` waits no longer, and is
        /// refused.
        case waits(UInt64, displaced: UInt64? = nil)
        case full
    }

    private struct Waiting {
        let number: UInt64
        let caller: CallerGroup
        let continues: Bool
    }

    private typealias Order = (Int, Int, UInt64, UInt64)

    package static let runningMax = 2
    package static let elsewhereRunningMax = 1
    /// The maximum for the operator, and for this machine, each.
    package static let waitingMax = 64
    /// The maximum for other machines: each makes the last one wait a second or more longer.
    package static let elsewhereWaitingMax = 8
    /// The places of those for known subnets.
    package static let knownWaitingMax = 2
    package static let networkWaitingMax = 2

    private var running: [CallerGroup] = []
    private var waiting: [Waiting] = []
    private var lastNumber: UInt64 = 0
    private var turns = NetworkTurns()
    /// The number of turns of other machines.
    private var turnCount = 0

    package init() {}

    /// - Parameters:
    ///   - caller: The group of the caller.
    ///   - continues: Whether the same request had a turn already.
    /// - Returns: Whether it runs, waits, or is refused.
    package mutating func enter(_ caller: CallerGroup, continues: Bool = false) -> Decision {
        turns.noteTry(of: caller)
        if mayRun(caller) {
            begin(caller)
            return .runs
        }
        if !continues, !hasRoom(for: caller) { return .full }
        let number = lastNumber + 1
        waiting.append(Waiting(number: number, caller: caller, continues: continues))
        let displaced = lastPlace.map { waiting.remove(at: $0).number }
        if displaced == number { return .full }
        lastNumber = number
        return .waits(number, displaced: displaced)
    }

    private func hasRoom(for caller: CallerGroup) -> Bool {
        let own = waiting.count { $0.caller == caller }
        let ofKind = waiting.count { $0.caller.rank == caller.rank }
        return caller.isElsewhere ? own < Self.networkWaitingMax : ofKind < Self.waitingMax
    }

    /// Ends a derivation; to be called once by each that ran.
    ///
    /// - Returns: The waiting numbers that run now.
    package mutating func leave(_ caller: CallerGroup) -> [UInt64] {
        if let place = running.firstIndex(of: caller) { running.remove(at: place) }
        var begun: [UInt64] = []
        while let place = nextPlace {
            let next = waiting.remove(at: place)
            begin(next.caller)
            begun.append(next.number)
        }
        return begun
    }

    /// Leaves the queue, which counts as a turn; `false` if this number does not wait, because it
    /// already runs or never arrived.
    package mutating func giveUp(_ number: UInt64) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return false }
        let left = waiting.remove(at: place)
        turns.noteTurn(of: left.caller)
        return true
    }

    /// Remembers that a caller opened an account.
    package mutating func noteSuccess(of caller: CallerGroup, on account: Address) {
        turns.noteSuccess(of: caller, on: account)
    }

    private mutating func begin(_ caller: CallerGroup) {
        running.append(caller)
        if caller.isElsewhere { turnCount += 1 }
        turns.noteTurn(of: caller)
    }

    private func mayRun(_ caller: CallerGroup) -> Bool {
        let elsewhere = running.count { $0.isElsewhere }
        return running.count < Self.runningMax
            && (!caller.isElsewhere || elsewhere < Self.elsewhereRunningMax)
    }

    /// The place of the next one that can run, if any.
    private var nextPlace: Int? {
        let ready = waiting.indices.filter { mayRun(waiting[$0].caller) }
        let near = ready.filter { !waiting[$0].caller.isElsewhere }
        if let place = near.min(by: {
            (waiting[$0].caller.rank, $0) < (waiting[$1].caller.rank, $1)
        }) {
            return place
        }
        if let place = ready.first(where: { waiting[$0].continues }) { return place }
        let ordered = inOrder(ready)
        guard !ordered.isEmpty else { return nil }
        let preferred: Int? =
            switch turnCount % 3 {
            case 1: ordered.first { turns.isKnown(waiting[$0].caller) }
            case 2: newestPlace
            default: nil
            }
        return preferred ?? ordered.first
    }

    /// The place that is lost in the queue of other machines; `nil` if they are not too many.
    private var lastPlace: Int? {
        let ordered = inOrder(
            waiting.indices.filter { waiting[$0].caller.isElsewhere && !waiting[$0].continues }
        )
        guard ordered.count > Self.elsewhereWaitingMax else { return nil }
        let known = ordered.filter { turns.isKnown(waiting[$0].caller) }
            .prefix(Self.knownWaitingMax)
        let newest = newestPlace
        return ordered.last { $0 != newest && !known.contains($0) }
    }

    /// The place of the subnet that began to try last, of those that had no turn yet.
    private var newestPlace: Int? {
        let tries = waiting.indices.compactMap { place in
            turns.firstTry(of: waiting[place].caller).map { (place, $0) }
        }
        guard let latest = tries.map(\.1).max() else { return nil }
        return inOrder(tries.filter { $0.1 == latest }.map(\.0)).first
    }

    /// Sorts places of other machines: the second one of a subnet comes after the first of all
    /// others.
    private func inOrder(_ places: [Int]) -> [Int] {
        let own = places.map { place in
            (place, (turns.order(inSubnetOf: waiting[place].caller), waiting[place].number))
        }
        var counts: [String?: Int] = [:]
        let all: [(place: Int, order: Order)] = own.sorted { $0.1 < $1.1 }.map { place, _ in
            let (number, caller) = (waiting[place].number, waiting[place].caller)
            let before = counts[caller.subnet, default: 0]
            counts[caller.subnet] = before + 1
            let (hadTurn, subnet) = turns.order(ofSubnetOf: caller)
            return (place, (before, hadTurn, subnet, number))
        }
        return all.sorted { $0.order < $1.order }.map(\.place)
    }
}

extension CallerGroup {
    /// The order of callers in the queue.
    fileprivate var rank: Int {
        switch self {
        case .operator: 0
        case .thisMachine: 1
        case .elsewhere: 2
        }
    }
}
