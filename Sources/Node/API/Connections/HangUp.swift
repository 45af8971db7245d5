import Synchronization

/// That the other end of a connection sends nothing more, and most likely is gone.
final class HangUp: Sendable {
    private let hasHappened = Mutex(false)
    private let bell = Bell()

    func happen() {
        hasHappened.withLock { $0 = true }
        bell.ring()
    }

    /// Returns when it happens, or when cancelled.
    func wait() async {
        for await _ in bell.rings() where hasHappened.withLock({ $0 }) { return }
    }
}
