import Concurrency
package import Foundation
import Synchronization

/// The machine's clock, moved.
package final class MovedClock: WallClock {
    private let seconds = Mutex<TimeInterval>(0)

    package init() {}

    package var now: Date { SystemWallClock().now.addingTimeInterval(seconds.withLock { $0 }) }

    /// Moves it by so many seconds from the right time.
    package func move(by seconds: TimeInterval) { self.seconds.withLock { $0 = seconds } }
}
