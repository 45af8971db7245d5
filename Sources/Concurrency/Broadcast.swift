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
        /// The number of the newest value.
        var version = 0
        /// The number of the last value that readers were given.
        var given = 0
        /// Whether a caller gives values to the readers.
        var isGiving = false

        /// Returns the newest value and its readers, unless they already have it; then no task
        /// delivers values any longer.
        mutating func next() -> (Value, [AsyncStream<Value>.Continuation])? {
            guard given < version, !isFinished, let newest else {
                isGiving = false
                return nil
            }
            given = version
            return (newest, Array(readers.values))
        }
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
    ///
    /// While one caller gives a value to the readers, it also gives them those of other callers. It
    /// holds no lock while it does so: giving a value wakes a task, which may be in the middle of
    /// being cancelled, and its cancellation removes a reader here.
    package func send(_ value: Value) {
        let gives = state.withLock { state in
            guard !state.isFinished else { return false }
            state.newest = value
            state.version += 1
            defer { state.isGiving = true }
            return !state.isGiving
        }
        guard gives else { return }
        while let (value, readers) = state.withLock({ $0.next() }) {
            for reader in readers { reader.yield(value) }
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
