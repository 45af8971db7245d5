import Concurrency

/// The signal that the other end of a connection sends nothing more and has most likely closed it.
final class HangUp: Sendable {
    private let hasHappened = Broadcast(false)

    func happen() { hasHappened.send(true) }

    /// Returns when it happens, or when the task is cancelled.
    func wait() async {
        for await isOver in hasHappened.values() where isOver { return }
    }
}
