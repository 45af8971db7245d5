import Answers
import Client
package import Concurrency
package import Ethereum
import Foundation
import Synchronization

/// The time after which an operation that still waits for its owner's sign-in or signature is not
/// sent.
///
/// An owner who signs in after a month must not find an old purchase sent at once.
package final class SigningDeadline: Sendable {
    /// Counted from an operation's start.
    private let max: Duration
    private let clock: any WallClock
    private let begunAt = Mutex<[IntentID: Date]>([:])

    package init(after max: Duration = .seconds(86_400), clock: any WallClock = .system) {
        (self.max, self.clock) = (max, clock)
    }

    /// Whether it is too late for an intent.
    ///
    /// The same holds for an unrecorded one: an earlier run may have left it, and only its
    /// operation, once resumed, can tell whether it is still wanted.
    package func isOver(for intent: IntentID) -> Bool {
        begunAt.withLock { $0[intent] }.map { isOver(since: $0) } ?? true
    }

    /// Whether it is too late for an operation that began at that time.
    func isOver(since beginning: Date) -> Bool {
        clock.now > beginning.addingTimeInterval(max / .seconds(1))
    }

    func note(_ intent: IntentID, begunAt date: Date) {
        begunAt.withLock { $0[intent] = date }
    }

    func forget(_ intent: IntentID) {
        begunAt.withLock { $0[intent] = nil }
    }

    /// Returns the message to the owner.
    ///
    /// - Parameter wasRequested: Whether a wallet outside the node was asked for a transaction, and
    ///   so may have sent it on its own.
    /// - Returns: The refusal, in words that deny no transaction that may have been sent.
    func refusal(wasRequested: Bool) -> Refusal {
        Refusal(
            .waitedTooLong,
            Sentence(
                wasRequested ? "refusal.waitedForWallet" : "refusal.waitedForOwner",
                ["hours": "\(Int(max / .seconds(3_600)))"]
            )
        )
    }
}
