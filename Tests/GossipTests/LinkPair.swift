import Concurrency
import Gossip
import GossipProtocol
import Keys
import Logging
import Market

/// Two or more nodes with real sockets on the loopback interface, for one test.
struct LinkPair: Sendable {
    static let any = Multiaddr(text: "/ip4/127.0.0.1/tcp/0") ?? unreachable

    private static let unreachable = Multiaddr(host: .dns("nowhere"), port: 1)

    let ana: Links
    let bo: Links
    /// The address at which Bo listens.
    let address: Multiaddr

    /// Runs `body` while both nodes run, then stops them.
    static func with<Value: Sendable>(
        limits: LinkLimits = LinkLimits(),
        _ body: @Sendable (LinkPair) async throws -> Value
    ) async throws -> Value {
        let ana = try node(limits)
        let bo = try node(limits)
        let address = try await bo.listen(on: any)[0]
        return try await withThrowingTaskGroup { group in
            group.addTask { try await ana.run() }
            group.addTask { try await bo.run() }
            defer { group.cancelAll() }
            return try await body(LinkPair(ana: ana, bo: bo, address: address))
        }
    }

    static func node(
        _ limits: LinkLimits = LinkLimits(),
        identity: PrivateKey = .random(),
        resolver: NameResolver = NameResolver()
    ) throws -> Links {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try Links(
            identity: identity,
            agentVersion: "stoa/test",
            limits: limits,
            resolver: resolver,
            logger: logger
        )
    }
}

extension Links {
    /// Returns the next event, which the test expects.
    func nextEvent() async throws -> LinkEvent {
        guard let event = await events.receive() else { throw LinkError.linkEnded(.stopped) }
        return event
    }

    /// Waits for the next link to end, and returns the reason.
    func nextEnd() async throws -> LinkEnd {
        while true {
            if case .closed(_, let end) = try await nextEvent() { return end }
        }
    }

    /// Waits for the next offence of a peer.
    func nextOffence() async throws -> PeerOffence {
        while true {
            if case .offended(_, let offence) = try await nextEvent() { return offence }
        }
    }

    /// Waits for the next identify description of a peer.
    func nextDescription() async throws -> PeerDescription {
        while true {
            if case .identified(_, let description) = try await nextEvent() { return description }
        }
    }
}
