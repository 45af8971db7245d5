import Concurrency
import Gossip
import GossipProtocol
import Logging
import Market
import Support

/// A gossip node for one test, with its links, records and service.
struct GossipNode: Sendable {
    static let topic = Topic("/stoa/test/1")

    let links: any PeerLinks
    let box = RecordBox()
    let service: GossipService

    init(
        _ links: any PeerLinks,
        bootstrap: [Multiaddr] = [],
        seed: UInt64 = 1,
        source: (any RecordSource)? = nil,
        peerStore: any PeerStore = EmptyPeerStore(),
        change: (inout GossipSettings) -> Void = { _ in }
    ) {
        var settings = GossipSettings()
        settings.heartbeat = .milliseconds(50)
        // As long as with a heartbeat of one second.
        settings.gossip.gossipHeartbeats *= 20
        settings.gossip.cacheHeartbeats *= 20
        settings.bootstrap = bootstrap
        change(&settings)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        self.links = links
        service = GossipService(
            links: links,
            validator: box,
            source: source ?? box,
            peerStore: peerStore,
            settings: settings,
            seed: seed,
            logger: logger
        )
    }

    /// Runs `body` while all nodes run on one topic, then stops them.
    static func with(
        _ nodes: [GossipNode],
        _ body: @Sendable () async throws -> Void
    ) async throws {
        // All of them register their protocols before the first one dials.
        for node in nodes { await node.service.attach() }
        try await withThrowingTaskGroup { group in
            for node in nodes {
                group.addTask { try await node.links.run() }
                group.addTask { try await node.service.run() }
            }
            defer { group.cancelAll() }
            for node in nodes { await node.service.join(topic) }
            try await body()
        }
    }

    func publish(_ record: SignedRecord) async throws {
        try await box.put(record.bytes, on: Self.topic)
        await service.publish(record.bytes, on: Self.topic)
    }

    /// Returns once a change satisfies `holds`.
    func wait(until holds: (GossipChange) -> Bool) async {
        for await change in service.changes where holds(change) { return }
    }

    /// Returns once `peer` is in the topic's mesh.
    func waitForMesh(with peer: PeerID) async {
        await wait { $0 == .meshed(peer, Self.topic) }
    }
}

/// Runs `body` while links without a service, as other programs have, answer and drop their events.
func withRunning(
    _ all: [MemoryLinks],
    _ body: @Sendable () async throws -> Void
) async throws {
    try await withThrowingTaskGroup { group in
        for links in all {
            group.addTask { try await links.run() }
            group.addTask { while await links.events.receive() != nil {} }
        }
        defer { group.cancelAll() }
        try await body()
    }
}
