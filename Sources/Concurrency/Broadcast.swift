import Synchronization

/// Gives any number of readers the newest of some values.
///
/// A reader that is slow misses values in between, never the newest.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var newest: Value?
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextReader = 0
        var isFinished = false
    }

    private let state: Mutex<State>

    /// Begins with a value, if there is one yet.
    package init(_ value: Value? = nil) { state = Mutex(State(newest: value)) }

    /// The newest value; `nil` if there is none yet.
    package var newest: Value? { state.withLock { $0.newest } }

    /// `first`, or the newest value, at once; then each newer one, until the broadcast is finished.
    package func values(startingWith first: Value? = nil) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let reader = state.withLock { state -> Int? in
                guard !state.isFinished else { return nil }
                if let value = first ?? state.newest { continuation.yield(value) }
                defer { state.nextReader += 1 }
                state.readers[state.nextReader] = continuation
                return state.nextReader
            }
            guard let reader else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.readers[reader] = nil }
            }
        }
    }

    /// Sends a value to all readers, in the order of calls.
    package func send(_ value: Value) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.newest = value
            for reader in state.readers.values { reader.yield(value) }
        }
    }

    /// Ends the streams of all readers, and at once those of later ones.
    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}

extension Broadcast where Value == Void {
    /// A broadcast of signals: "look again", without a value.
    package convenience init() { self.init(()) }

    /// Signals all readers.
    package func send() { send(()) }
}
