import CProcess
import Foundation

/// Runs key derivations, which take a second or more of a processor on purpose.
///
/// Each is on a thread of its own, because those of Swift's tasks are as many as there are
/// processors, and serve the peers and the API. The thread has a lower priority, so that those go
/// first on a single processor too. ``DerivationQueue`` decides how many run at a time.
///
/// Source: sched(7), "The nice value"; Docs/operations.md, section 7.3.
enum DerivationThread {
    /// A tenth of the processor of a thread that has 0, if both want all of it.
    static let niceness: Int32 = 10

    /// Runs `body` to its end, whether or not the caller is cancelled.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                // Where the system refuses, the derivation is as quick as the rest.
                _ = stoa_be_nice(niceness)
                continuation.resume(with: Result { try body() })
            }
        }
    }
}
