import Keys

/// The side for which a picture is decoded.
struct PictureOwner: Hashable, Sendable {
    /// `nil` for the smaller versions of other nodes' pictures.
    let account: Address?
    var isElsewhere = false

    /// The smaller versions of other nodes' pictures.
    static let peers = PictureOwner(account: nil)
}

/// Decides whose picture is decoded next.
///
/// The account whose pictures took the least time of late, in seconds, is next; of several, they take
/// turns, however many pictures each of them adds. An account regains a twentieth of the time that
/// passes, and owes at most half a minute. One decoder is never for accounts of other machines.
///
/// Pure: it names those that wait by numbers.
struct DecoderQueue: Sendable {
    /// How long the time of a decoder counts, as a multiple of it.
    static let memory = 20
    /// How long it counts at most.
    static let memoryMax = Duration.seconds(600)

    private let runningMax: Int
    private let elsewhereMax: Int
    private var running: [PictureOwner] = []
    private var waiting: [(number: UInt64, owner: PictureOwner)] = []
    /// When the time that accounts' pictures took counts no longer.
    private var owing: [Address: Duration] = [:]

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
        let elsewhere = running.count { $0.isElsewhere }
        guard running.count < runningMax else { return nil }
        let ready = waiting.indices.filter {
            !waiting[$0].owner.isElsewhere || elsewhere < elsewhereMax
        }
        guard let place = ready.min(by: { order($0, at: now) < order($1, at: now) }) else {
            return nil
        }
        let (number, owner) = waiting.remove(at: place)
        running.append(owner)
        return number
    }

    /// Ends a picture that was decoded, or given up meanwhile, after the time that it took.
    mutating func leave(
        _ owner: PictureOwner,
        after time: Duration = .zero,
        at now: Duration = .zero
    ) {
        if let place = running.firstIndex(of: owner) { running.remove(at: place) }
        owing = owing.filter { $0.value > now }
        guard let account = owner.account else { return }
        owing[account] = min((owing[account] ?? now) + time * Self.memory, now + Self.memoryMax)
    }

    /// Leaves the queue; `false` if this number does not wait.
    mutating func giveUp(_ number: UInt64) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return false }
        waiting.remove(at: place)
        return true
    }

    /// Of accounts that owe as much, the second picture of one comes after the first ones of the others.
    private func order(_ place: Int, at now: Duration) -> (Int64, Int, Int) {
        let owner = waiting[place].owner
        let until = owner.account.flatMap { owing[$0] } ?? now
        let owed = max(until - now, .zero) / Self.memory
        let others =
            running.count { $0.account == owner.account }
            + waiting[..<place].count { $0.owner.account == owner.account }
        return (owed.components.seconds, others, place)
    }
}
