import Concurrency

/// The signal that the other end of a connection sends nothing more and has most likely closed it.
final class HangUp: Sendable {
    private let hasHappened = Broadcast(false)

    func happen() { hasHappened.send(true) }

    /// Returns when it happens, or when the task is cancelled.
    func wait() async {
        for await isOver in hasHappened.values() where isOver { return }
    }

    /// Runs work until it ends, and cancels it when the other end hangs up.
    ///
    /// - Returns: The work's result, also that of work that its cancellation does not end.
    /// - Throws: ``ClientHungUp`` if the work was cancelled for that; else what `body` throws.
    func during<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                await self.wait()
                return nil
            }
            if case .some(.some(let value)) = try await group.next() { return value }
            group.cancelAll()
            do {
                if case .some(.some(let value)) = try await group.next() { return value }
            } catch is CancellationError {}
            // The wait ends, too, when this task is cancelled.
            try Task.checkCancellation()
            throw ClientHungUp()
        }
    }
}

/// The other end of a connection has ended its sending side, so nothing more is done for it.
struct ClientHungUp: Error {}
