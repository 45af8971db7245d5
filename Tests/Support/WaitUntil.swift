import Concurrency

/// Waits until a condition holds.
///
/// What is waited for happens in a node, on a chain or in another process. Questions without a
/// pause would take the processor from it. The limit of the test ends a wait for what never comes.
package func waitUntil(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await SystemMonotonicClock().wait(.milliseconds(20)) }
}

/// Waits until a question has an answer, and returns it.
package func waitFor<Value>(_ ask: () async throws -> Value?) async throws -> Value {
    while true {
        if let value = try await ask() { return value }
        try await SystemMonotonicClock().wait(.milliseconds(20))
    }
}
