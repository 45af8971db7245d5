import Concurrency
package import Ethereum
package import Keys
package import Market
import Synchronization

/// The triggers that may advance operations: progress of their intents, or a change of the chain or
/// an account.
///
/// It keeps the newest progress of each intent until the runner takes it, so that no sender waits
/// for the runner.
package final class OperationInbox: TransactionListener {
    private let newest = Mutex<[IntentID: IntentProgress]>([:])
    private let signal = Broadcast<Void>()

    package init() {}

    package func handle(
        _ progress: IntentProgress,
        account: Address,
        chain: ChainID
    ) async throws {
        newest.withLock { $0[progress.intent] = progress }
        signal.send()
    }

    /// Has every operation checked, after a new block or an unlocked account.
    package func look() { signal.send() }

    /// One element at once, then one whenever there may be something new.
    func changes() -> AsyncStream<Void> { signal.values() }

    /// The entries since the last call.
    func takeProgress() -> [IntentID: IntentProgress] {
        newest.withLock { newest in
            defer { newest = [:] }
            return newest
        }
    }
}
