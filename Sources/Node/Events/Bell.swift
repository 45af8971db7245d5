import Synchronization

/// Wakes everyone who waits for something new.
///
/// A ring says only "look again": a listener that is busy finds one ring waiting, never more.
package final class Bell: Sendable {
    private struct Listeners {
        var next = 0
        var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let listeners = Mutex(Listeners())

    package init() {}

    package func ring() {
        listeners.withLock { state in
            for continuation in state.continuations.values { continuation.yield() }
        }
    }

    /// Ends every listener's stream, and at once that of any who comes later.
    package func end() {
        let ended = listeners.withLock { state in
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in ended { continuation.finish() }
    }

    /// One ring at once, then one whenever there may be something new.
    package func rings() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = listeners.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0.continuations[id] = nil }
        }
        continuation.yield()
        return stream
    }
}
