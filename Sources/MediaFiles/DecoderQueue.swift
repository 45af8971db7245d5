package import Keys

/// The side that adds a picture, or asks for one.
package enum MediaCaller: Hashable, Sendable {
    case account(Address)
    /// Somebody on another machine who is not signed in, by the name of the network.
    case network(String)
    /// Somebody on this machine who is not signed in, or the operator.
    case thisMachine
}

/// The side for which a picture is decoded.
struct PictureOwner: Hashable, Sendable {
    let caller: MediaCaller
    /// Whether the caller adds it from another machine.
    var isElsewhere = false
    /// Whether it is another node's picture, of which the caller asks for a smaller version.
    var isPeers = false
}

/// Decides whose picture is decoded next.
///
/// The caller whose pictures took the least time recently, in seconds, is next; callers with equal
/// times take turns, however many pictures each of them adds or asks for. A caller regains a
/// twentieth of the time that passes, and owes at most half a minute. One decoder is never for
/// pictures that are added from other machines, and one never for those of other nodes.
///
/// Pure: it names those that wait by numbers.
struct DecoderQueue: Sendable {
    private let runningMax: Int
    private let elsewhereMax: Int
    private var running: [PictureOwner] = []
    private var waiting: [(number: UInt64, owner: PictureOwner)] = []
    /// The time that callers' pictures took.
    private var taken = RecentTime<MediaCaller>()

    init(runningMax: Int) {
        self.runningMax = runningMax
        elsewhereMax = max(1, runningMax - 1)
    }

    /// The number of pictures that wait.
    var waitingCount: Int { waiting.count }

    /// Begins to wait.
    mutating func enter(_ owner: PictureOwner, as number: UInt64) {
        waiting.append((number, owner))
    }

    /// Begins the next picture that can be decoded now; `nil` if there is none.
    mutating func next(at now: Duration = .zero) -> UInt64? {
        guard running.count < runningMax else { return nil }
        let elsewhere = running.count(where: \.isElsewhere)
        let hasPeers = running.contains(where: \.isPeers)
        let ready = waiting.indices.filter {
            let owner = waiting[$0].owner
            return !(owner.isElsewhere && elsewhere >= elsewhereMax) && !(owner.isPeers && hasPeers)
        }
        guard let place = ready.min(by: { order($0, at: now) < order($1, at: now) }) else {
            return nil
        }
        let (number, owner) = waiting.remove(at: place)
        running.append(owner)
        return number
    }

    /// Ends a picture that was decoded, or given up before that, after the time that it took.
    mutating func leave(
        _ owner: PictureOwner,
        after time: Duration = .zero,
        at now: Duration = .zero
    ) {
        if let place = running.firstIndex(of: owner) { running.remove(at: place) }
        taken.add(time, of: owner.caller, at: now)
    }

    /// Leaves the queue; `false` if this number does not wait.
    mutating func giveUp(_ number: UInt64) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return false }
        waiting.remove(at: place)
        return true
    }

    /// Of callers that owe as much, the second picture of one comes after the first ones of the
    /// others.
    private func order(_ place: Int, at now: Duration) -> (Int64, Int, Int) {
        let owner = waiting[place].owner
        let others =
            running.count { $0.caller == owner.caller }
            + waiting[..<place].count { $0.owner.caller == owner.caller }
        return (taken.time(of: owner.caller, at: now).components.seconds, others, place)
    }
}
