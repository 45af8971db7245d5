import Concurrency
import Synchronization

/// A clock that moves only when it is told to, or by what is waited on it.
package final class ManualClock: MonotonicClock {
    private let now = Mutex(Duration.zero)

    package init() {}

    package var uptime: Duration { now.withLock { $0 } }

    package func advance(_ duration: Duration) { now.withLock { $0 += duration } }

    /// Time passes at once, but others get their turn.
    package func wait(_ duration: Duration) async throws {
        try Task.checkCancellation()
        advance(duration)
        await Task.yield()
    }
}
