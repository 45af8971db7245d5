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
/// Accounts take turns, however many pictures each of them adds. One decoder is never for accounts
/// of other machines. An account whose last picture took too much comes after all others, because
/// such a picture costs it nothing and a decoder half a minute.
///
/// Pure: it names those that wait by numbers.
struct DecoderQueue: Sendable {
    /// The accounts remembered whose last picture took too much.
    static let costlyMax = 64

    private let runningMax: Int
    private let elsewhereMax: Int
    private var running: [PictureOwner] = []
    private var waiting: [(number: UInt64, owner: PictureOwner)] = []
    private var costly: [Address] = []

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
    mutating func next() -> UInt64? {
        let elsewhere = running.count { $0.isElsewhere }
        guard running.count < runningMax else { return nil }
        let ready = waiting.indices.filter {
            !waiting[$0].owner.isElsewhere || elsewhere < elsewhereMax
        }
        guard let place = ready.min(by: { order(ofPlace: $0) < order(ofPlace: $1) }) else {
            return nil
        }
        let (number, owner) = waiting.remove(at: place)
        running.append(owner)
        return number
    }

    /// Ends a picture that was decoded.
    mutating func leave(_ owner: PictureOwner) {
        if let place = running.firstIndex(of: owner) { running.remove(at: place) }
    }

    /// Leaves the queue; `false` if this number does not wait.
    mutating func giveUp(_ number: UInt64) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return false }
        waiting.remove(at: place)
        return true
    }

    /// Records whether an account's picture took too much.
    mutating func note(_ owner: PictureOwner, isCostly: Bool) {
        guard let account = owner.account else { return }
        costly.removeAll { $0 == account }
        guard isCostly else { return }
        costly.append(account)
        if costly.count > Self.costlyMax { costly.removeFirst() }
    }

    /// The second picture of an account comes after the first ones of all others.
    private func order(ofPlace place: Int) -> (Int, Int, Int) {
        let owner = waiting[place].owner
        let isCostly = owner.account.map { costly.contains($0) } ?? false
        let others =
            running.count { $0.account == owner.account }
            + waiting[..<place].count { $0.owner.account == owner.account }
        return (isCostly ? 1 : 0, others, place)
    }
}
