import Synchronization

/// Those who want to know that there are new changes; each is told the latest number alone.
///
/// A slow follower misses numbers, never changes: it reads them from the table when it comes.
final class ChangeFollowers: Sendable {
    private struct State {
        var last: UInt64
        var nextFollower = 0
        var entries: [Int: AsyncStream<UInt64>.Continuation] = [:]
    }

    private let state: Mutex<State>

    init(last: UInt64) {
        state = Mutex(State(last: last))
    }

    /// The number of the last durable change, at once, then the newer ones as they come.
    func numbers() -> AsyncStream<UInt64> {
        let (stream, entry) = AsyncStream.makeStream(
            of: UInt64.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let follower = state.withLock { state in
            let follower = state.nextFollower
            state.nextFollower += 1
            state.entries[follower] = entry
            entry.yield(state.last)
            return follower
        }
        entry.onTermination = { [weak self] _ in
            self?.forget(follower)
        }
        return stream
    }

    func tell(_ last: UInt64) {
        state.withLock { state in
            guard last > state.last else { return }
            state.last = last
            for entry in state.entries.values { entry.yield(last) }
        }
    }

    private func forget(_ follower: Int) {
        state.withLock { _ = $0.entries.removeValue(forKey: follower) }
    }
}
