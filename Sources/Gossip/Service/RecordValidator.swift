package import GossipProtocol
package import Market

/// Validates records from peers, and stores those that it accepts.
///
/// Node implements it over the rules of records, the chain and the store.
package protocol RecordValidator: Sendable {
    /// Validates one message; returns `.accept` only once the record is durable.
    ///
    /// The verdict makes this node pass the message on. Called by many tasks at once
    /// (``GossipSettings/validationsMax``), so that writes can be grouped; the work of one call
    /// must be bounded. `origin` is that of the peer that delivered it first, by gossip or in an
    /// exchange.
    func validate(
        _ data: [UInt8],
        on topic: Topic,
        from origin: RecordOrigin
    ) async -> Verdict
}
