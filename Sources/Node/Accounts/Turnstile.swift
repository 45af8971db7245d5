/// Lets a few in at a time, and keeps a few more waiting, the first first.
///
/// To be kept by an actor, which gives it its order.
struct Turnstile {
    private let insideMax: Int
    private let waitingMax: Int
    private var inside = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(insideMax: Int, waitingMax: Int) {
        precondition(insideMax > 0)
        (self.insideMax, self.waitingMax) = (insideMax, waitingMax)
    }

    /// What became of a wish to go in.
    enum Answer {
        case inside
        /// To be followed by ``wait(_:)`` at once.
        case waits
        case full
    }

    mutating func enter() -> Answer {
        if inside < insideMax {
            inside += 1
            return .inside
        }
        return waiting.count < waitingMax ? .waits : .full
    }

    /// Resumes the continuation when its turn has come; it is inside then.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }

    /// To be called once by each who was inside.
    mutating func leave() {
        guard !waiting.isEmpty else {
            inside -= 1
            return
        }
        waiting.removeFirst().resume()
    }
}
