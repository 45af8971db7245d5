import Concurrency
import Synchronization

/// The new blocks that an endpoint announces.
package final class HeadSubscription: Sendable {
    private let heads: BoundedQueue<NotifiedHead>
    private let hasEnded = Mutex(false)

    /// Creates a subscription that keeps at most `elementsMax` blocks for its reader.
    package init(elementsMax: Int) { heads = BoundedQueue(elementsMax: elementsMax) }

    /// Whether the connection of the subscription has ended.
    package var isEnded: Bool { hasEnded.withLock { $0 } }

    /// Whether an announcement would be dropped now, because the reader is too slow.
    var isFull: Bool { heads.isFull }

    /// Adds an announcement; it is dropped if the reader is too slow.
    package func add(_ head: NotifiedHead) { _ = heads.offer(head) }

    /// Ends the subscription after the latest addition.
    package func end() {
        hasEnded.withLock { $0 = true }
        heads.finish()
    }

    /// Waits for the next announcement; `nil` at the end, or if this task is cancelled.
    package func next() async -> NotifiedHead? { await heads.receive() }
}

/// An endpoint's announcement of a new block, which is a hint until it is checked.
package enum NotifiedHead: Equatable, Sendable {
    case block(AnnouncedBlock)
    /// It is not a block's header.
    case unreadable(String)
}
