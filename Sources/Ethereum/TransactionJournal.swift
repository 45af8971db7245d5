package import Keys
package import Market

/// An append-only, durable journal of a sender's steps; Node implements it over the store.
///
/// When ``append(_:account:chain:)`` returns, the entry survives a crash of process and machine.
/// The sender broadcasts signed bytes only after that.
package protocol TransactionJournal: Sendable {
    func append(_ entry: JournalEntry, account: Address, chain: ChainID) async throws

    /// Returns all entries of an account on a chain, oldest first.
    func entries(account: Address, chain: ChainID) async throws -> [JournalEntry]
}

/// A receiver of the progress of intents; Node implements it.
package protocol TransactionListener: Sendable {
    /// Handles the progress of an intent that was submitted, or one change of it, which is already
    /// durable.
    ///
    /// Changes arrive one at a time. An error ends the sender.
    func handle(_ progress: IntentProgress, account: Address, chain: ChainID) async throws
}
