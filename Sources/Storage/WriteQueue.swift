import Synchronization

/// One caller's write, waiting for its turn or done.
final class QueuedWrite: Sendable {
    /// Runs the caller's closure and keeps its answer; rethrows its errors.
    let run: @Sendable (inout WriteTransaction) throws -> Void
    /// Whether it is refused while there is little room.
    let isAddition: Bool
    private let failure = Mutex<(any Error)?>(nil)

    init(
        isAddition: Bool,
        _ run: @escaping @Sendable (inout WriteTransaction) throws -> Void
    ) {
        (self.isAddition, self.run) = (isAddition, run)
    }

    /// States that the write was not kept, and why.
    func fail(_ error: any Error) { failure.withLock { $0 = $0 ?? error } }

    var error: (any Error)? { failure.withLock { $0 } }
}

/// The result of a caller's closure, until its group is durable.
final class WriteResult<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)

    func keep(_ value: Value) { kept.withLock { $0 = value } }

    var value: Value? { kept.withLock { $0 } }
}

/// The writes that wait for the writer, oldest first; bounded.
final class WriteQueue: Sendable {
    private let waiting = Mutex<[QueuedWrite]>([])
    private let writesMax: Int

    init(writesMax: Int) {
        self.writesMax = writesMax
    }

    /// Takes a write, or answers `false` if the queue is full.
    func append(_ write: QueuedWrite) -> Bool {
        waiting.withLock { waiting in
            guard waiting.count < writesMax else { return false }
            waiting.append(write)
            return true
        }
    }

    var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    /// Hands out the oldest writes, at most `max`.
    func take(max: Int) -> [QueuedWrite] {
        waiting.withLock { waiting in
            let taken = Array(waiting.prefix(max))
            waiting.removeFirst(taken.count)
            return taken
        }
    }
}
