import Concurrency
package import Foundation
import Synchronization

/// A clock that stands until it is turned.
package final class TurnedClock: WallClock {
    private let time = Mutex(Date(timeIntervalSince1970: 1_763_700_000))

    package init() {}

    package var now: Date { time.withLock { $0 } }

    package func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
