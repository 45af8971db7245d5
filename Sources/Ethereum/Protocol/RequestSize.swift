/// How large a request an endpoint answers: the blocks of a range, or the calls of a batch.
///
/// Pure. Endpoints state their limits in too many ways to be read, so a refusal halves the size.
/// The size grows again slowly, because a limit can depend on the contents of the blocks, or go
/// away: after some answers double the size is tried, and each time that is refused, after twice as
/// many answers.
package struct RequestSize: Equatable, Sendable {
    private static let patienceFirst = 4
    private static let patienceLast = 1_024

    private let sizeMax: Int
    /// The largest request to make now.
    package private(set) var size: Int
    /// How many requests of this size must be answered before a larger one is made.
    private var patience = Self.patienceFirst
    private var answers = 0
    /// Whether this size was not answered yet.
    private var isTrial = false

    package init(sizeMax: Int) { (self.sizeMax, size) = (max(1, sizeMax), max(1, sizeMax)) }

    /// Whether the endpoint refused the largest request.
    package var isLimited: Bool { size < sizeMax }

    /// Records that a request of some size was answered.
    package mutating func answered(_ asked: Int) {
        guard asked >= size, isLimited else { return }
        if isTrial { (patience, isTrial) = (Self.patienceFirst, false) }
        answers += 1
        guard answers >= patience else { return }
        (size, answers, isTrial) = (min(size * 2, sizeMax), 0, true)
    }

    /// Records that a request of some size was refused.
    package mutating func refused(_ asked: Int) {
        // A request that was in progress when the size became smaller gives no new information.
        guard asked <= size else { return }
        if isTrial { patience = min(patience * 2, Self.patienceLast) }
        (size, answers, isTrial) = (max(1, asked / 2), 0, false)
    }
}
