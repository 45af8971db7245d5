import Synchronization

/// A broadcast of the newest value to any number of readers; a slow reader skips older values.
final class LatestValue<Value: Sendable>: Sendable {
    private struct State {
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextReader = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Returns a stream that starts with `value` and ends with ``finish()``.
    func stream(startingWith value: Value) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.yield(value)
            let reader = state.withLock { state -> Int? in
                guard !state.isFinished else { return nil }
                defer { state.nextReader += 1 }
                state.readers[state.nextReader] = continuation
                return state.nextReader
            }
            guard let reader else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.forget(reader)
            }
        }
    }

    func send(_ value: Value) {
        let readers = state.withLock { Array($0.readers.values) }
        for reader in readers { reader.yield(value) }
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    private func forget(_ reader: Int) {
        state.withLock { state in state.readers[reader] = nil }
    }
}
