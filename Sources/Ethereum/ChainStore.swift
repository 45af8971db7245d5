package import Market

/// The storage of applied events; Node implements it over the store.
///
/// Each call is one durable transaction: once it has returned, its changes survive a crash; a crash
/// before that leaves none of them. Events are stored under ``ContractEvent/storedKey``.
package protocol ChainStore: Sendable {
    /// Returns the last committed checkpoint of a chain, or `nil` at the first start.
    func checkpoint(of chain: ChainID) async throws -> FollowerCheckpoint?

    /// Adds the range's events and replaces the checkpoint.
    func apply(
        _ range: AppliedRange,
        _ checkpoint: FollowerCheckpoint,
        to chain: ChainID
    ) async throws

    /// Returns the stored events of a range of blocks, in the chain's order.
    func events(of chain: ChainID, in range: ClosedRange<UInt64>) async throws -> [AppliedEvent]

    /// Returns the ledger last stored by ``keep(_:of:)``, or `nil` at the first start.
    func sources(of chain: ChainID) async throws -> SourceLedger?

    /// Replaces the ledger of events that a second endpoint has confirmed.
    func keep(_ sources: SourceLedger, of chain: ChainID) async throws

    /// Removes every event above `block`, or all if it is `nil`, and replaces the checkpoint.
    func rollBack(
        to block: BlockID?,
        _ checkpoint: FollowerCheckpoint,
        of chain: ChainID
    ) async throws
}

/// A receiver of a chain's updates; Node implements it.
package protocol ChainListener: Sendable {
    /// Handles one update.
    ///
    /// Updates arrive one at a time, in order. The follower waits until this returns, so it may be
    /// slow but must not wait for the follower. An error ends the service.
    func handle(_ update: ChainUpdate, on chain: ChainID) async throws
}
