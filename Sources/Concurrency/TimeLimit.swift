/// Runs `body` for at most `limit`, and then cancels it.
///
/// - Throws: `error` if `body` has not returned in time; else what `body` throws.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration,
    throwing error: any Error,
    clock: any MonotonicClock,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await clock.wait(limit)
            throw error
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
