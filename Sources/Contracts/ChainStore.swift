package import Market

/// Keeps what the follower has applied; Node implements it over the store.
///
/// Each call is one durable transaction: when it returns, all of it survives a crash, and a crash
/// before leaves nothing of it. Events are kept under ``ContractEvent/storedKey``.
package protocol ChainStore: Sendable {
    /// The checkpoint last committed for a chain, or `nil` at the first start.
    func checkpoint(of chain: ChainID) async throws -> FollowerCheckpoint?

    /// Adds the range's events and replaces the checkpoint.
    func apply(
        _ range: AppliedRange,
        _ checkpoint: FollowerCheckpoint,
        to chain: ChainID
    ) async throws

    /// The events kept of some blocks, in the chain's order.
    func events(of chain: ChainID, in range: ClosedRange<UInt64>) async throws -> [AppliedEvent]

    /// What was last kept by ``keep(_:of:)``, or `nil` at the first start.
    func sources(of chain: ChainID) async throws -> SourceLedger?

    /// Replaces what is known of a second endpoint's word.
    func keep(_ sources: SourceLedger, of chain: ChainID) async throws

    /// Removes every event above `block`, all for `nil`, and replaces the checkpoint.
    func rollBack(
        to block: BlockID?,
        _ checkpoint: FollowerCheckpoint,
        of chain: ChainID
    ) async throws
}

/// Hears what happens on a chain; Node implements it.
package protocol ChainListener: Sendable {
    /// Told one at a time, in order; the follower waits until it returns, so it may take its time
    /// but must not wait for the follower. An error ends the service.
    func handle(_ update: ChainUpdate, on chain: ChainID) async throws
}
