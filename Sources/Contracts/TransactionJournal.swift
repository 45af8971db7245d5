package import Keys
package import Market

/// Keeps what a sender did, in order; Node implements it over the store.
///
/// Entries are only ever added. When ``append(_:account:chain:)`` returns, the entry survives a
/// crash of process and machine: signed bytes are sent after that and not before.
package protocol TransactionJournal: Sendable {
    func append(_ entry: JournalEntry, account: Address, chain: ChainID) async throws

    /// All entries of an account on a chain, oldest first.
    func entries(account: Address, chain: ChainID) async throws -> [JournalEntry]
}

/// Hears how intents get on; Node implements it.
package protocol TransactionListener: Sendable {
    /// Told one at a time, after what it tells is durable; an error ends the sender.
    func handle(_ progress: IntentProgress, account: Address, chain: ChainID) async throws
}
