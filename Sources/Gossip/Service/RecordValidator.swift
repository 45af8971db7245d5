package import Market

/// Judges what peers send, and keeps what it accepts.
///
/// The service declares it and Node fills it, over the rules of records, the chain and the store.
package protocol RecordValidator: Sendable {
    /// Answers only once what it accepts is durable: the answer makes this node pass it on.
    ///
    /// Called from many tasks at once (``GossipSettings/judgesMax``), so that writes can be
    /// grouped; it must bound what it does for one call. `origin` is that of the peer that
    /// delivered it first, by gossip or in an exchange.
    func judge(
        _ data: [UInt8],
        on topic: Topic,
        from origin: RecordOrigin
    ) async -> GossipRouter.Verdict
}
