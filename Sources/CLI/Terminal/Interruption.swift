import UnixSignals

/// Handles Ctrl-C while a command waits for work that continues without it.
enum Interruption {
    /// Runs `body`; throws ``Failure`` with `words` if the person interrupts the command.
    static func telling<Value: Sendable>(
        _ words: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint) {
                    throw Failure(.interrupted, words)
                }
                return nil
            }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }
}
