import CProcess
import Foundation

/// Runs key derivations, which deliberately take a second or more of a processor.
///
/// Each runs on its own thread, because Swift's tasks have only as many threads as there are
/// processors, and those serve the peers and the API. The thread has a lower priority, so that the
/// tasks go first on a single processor too. ``DerivationQueue`` decides how many run at a time.
///
/// Source: sched(7), "The nice value"; Docs/limits.md, section 3.2.
enum DerivationThread {
    /// A thread with it gets a tenth of what one with 0 gets, if both want all of a processor.
    static let niceness: Int32 = 10

    /// Runs `body` to its end, whether or not the caller is cancelled.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // If the system refuses, the derivation has the same priority as the rest.
                _ = stoa_be_nice(niceness)
                continuation.resume(returning: Result { try body() })
            }
        }
        return try result.get()
    }
}
