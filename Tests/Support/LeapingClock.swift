import Concurrency
import Synchronization

/// The machine's monotonic clock, which a test puts forward.
package final class LeapingClock: MonotonicClock {
    private let leap = Mutex(Duration.zero)

    package init() {}

    package var uptime: Duration { SystemMonotonicClock().uptime + leap.withLock { $0 } }

    package func wait(_ duration: Duration) async throws {
        try await SystemMonotonicClock().wait(duration)
    }

    /// Moves the time; what waits already goes on waiting.
    package func leap(_ duration: Duration) { leap.withLock { $0 += duration } }
}
