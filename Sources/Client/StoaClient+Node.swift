extension StoaClient {
    public func status() async throws -> NodeStatus { try await call(API.node.status) }

    public func chains() async throws -> [ChainStatus] { try await call(API.node.chains) }

    public func peers() async throws -> [Peer] { try await call(API.node.peers) }

    /// Connects to a peer, and returns when it is connected.
    public func connect(_ request: PeerAddress) async throws -> Peer {
        try await call(API.node.connect, request)
    }

    /// Returns events in order; see ``EventStream``.
    ///
    /// - Parameters:
    ///   - source: Which events.
    ///   - number: The last event seen; the stream continues after it. Without one, it begins with
    ///     the events after the connection.
    /// - Returns: A stream without end; each of its readers has its own connection.
    public func events(
        of source: EventSource = .account,
        after number: UInt64? = nil
    ) -> EventStream {
        EventStream(client: self, source: source, after: number)
    }
}
