import Concurrency
package import Market
import Synchronization

/// Signals the deadline watcher when to run, and whether any of its inputs has changed.
package final class DeadlineInbox: Sendable {
    private let hasChanged = Mutex(true)
    private let signal = Broadcast<Void>()

    package init() {}

    /// Records a block, with the sales that changed by it.
    package func note(_ touched: Set<SaleID>) {
        if !touched.isEmpty { hasChanged.withLock { $0 = true } }
        signal.send()
    }

    /// Records that an account may have been unlocked or added.
    package func noteAccounts() {
        hasChanged.withLock { $0 = true }
        signal.send()
    }

    /// Records that time has passed.
    func tick() { signal.send() }

    /// One element at once, then one whenever there may be something to do.
    func signals() -> AsyncStream<Void> { signal.values() }

    /// Returns whether anything has changed since this was called last.
    func takeChange() -> Bool {
        hasChanged.withLock { changed in
            defer { changed = false }
            return changed
        }
    }

    /// Has everything checked again with the next signal.
    func keepChange() { hasChanged.withLock { $0 = true } }
}
