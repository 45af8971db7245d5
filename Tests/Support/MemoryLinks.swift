package import Concurrency
package import Gossip
package import GossipProtocol
package import Market

/// A node's links in a ``MemoryNetwork``: the twin of the real ones, for tests without sockets.
package actor MemoryLinks: PeerLinks {
    typealias Answer = @Sendable (any PeerStream) async throws -> Void

    private static let streamsMax = 4_096
    private static let eventsMax = 4_096

    package nonisolated let localPeer: PeerID
    package nonisolated let address: Multiaddr
    package nonisolated let bannedAddresses = BannedAddresses()
    package nonisolated let events = BoundedQueue<LinkEvent>(elementsMax: eventsMax)

    private let network: MemoryNetwork
    private nonisolated let arrivals = BoundedQueue<MemoryStream>(elementsMax: streamsMax)
    private var answers: [String: Answer] = [:]
    private var open: [PeerID: (links: MemoryLinks, info: LinkInfo)] = [:]
    private var streams: [PeerID: [MemoryStream]] = [:]
    /// Whether it has stopped and nobody reads its events any longer.
    private var isOver = false

    init(peer: PeerID, address: Multiaddr, network: MemoryNetwork) {
        localPeer = peer
        self.address = address
        self.network = network
    }

    package func handle(
        protocol protocolID: String,
        _ body: @escaping @Sendable (any PeerStream) async throws -> Void
    ) {
        answers[protocolID] = body
    }

    package nonisolated func resolve(_ address: Multiaddr, isOwn: Bool) -> [Multiaddr] {
        network.resolve(address)
    }

    package func dial(_ address: Multiaddr, isReported: Bool) async throws -> PeerID {
        let unreachable = LinkError.unreachable(address, reason: "nobody listens there")
        guard !isOver, let other = network.find(address, for: localPeer) else {
            throw unreachable
        }
        let peer = other.localPeer
        if peer == localPeer { throw LinkError.ownAddress }
        if let expected = address.peer, expected != peer {
            throw LinkError.linkEnded(.tls(.wrongPeer(peer)))
        }
        if open[peer] != nil { return peer }
        add(other, .outbound)
        guard await other.add(self, .inbound) else {
            await remove(peer, .lost)
            throw unreachable
        }
        return peer
    }

    package func open(protocols: [String], to peer: PeerID) async throws -> any PeerStream {
        guard let other = open[peer]?.links else { throw LinkError.notLinked(peer) }
        guard let chosen = await other.choice(of: protocols) else {
            throw LinkError.protocolsRefused(protocols)
        }
        let pair = MemoryStream.pair(localPeer, peer, protocolID: chosen)
        guard open[peer] != nil, other.arrivals.offer(pair.other) else {
            throw LinkError.streamReset
        }
        streams[peer, default: []].append(pair.one)
        return pair.one
    }

    package func disconnect(_ peer: PeerID, reason: LinkEnd) async {
        guard let other = open[peer]?.links else { return }
        await remove(peer, reason)
        await other.remove(localPeer, .closedByPeer)
    }

    package func links() -> [LinkInfo] { open.values.map(\.info) }

    package func link(to peer: PeerID) -> LinkInfo? { open[peer]?.info }

    /// Answers streams until cancelled.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            while let stream = await arrivals.receive() {
                guard let answer = answers[stream.protocolID] else {
                    stream.reset()
                    continue
                }
                group.addTask {
                    do {
                        try await answer(stream)
                        try await stream.closeWrite()
                    } catch {
                        stream.reset()
                    }
                }
            }
            group.cancelAll()
        }
        isOver = true
        for peer in open.keys { await disconnect(peer, reason: .stopped) }
        answers = [:]
        events.finish()
    }

    private func choice(of protocols: [String]) -> String? {
        protocols.first { answers[$0] != nil }
    }

    /// Notes a link; false if this node has stopped.
    @discardableResult
    private func add(_ other: MemoryLinks, _ direction: LinkInfo.Direction) -> Bool {
        guard !isOver else { return false }
        let info = LinkInfo(
            peer: other.localPeer,
            address: other.address,
            direction: direction,
            openedAt: 0
        )
        open[other.localPeer] = (other, info)
        let isQueued = events.offer(.opened(info))
        precondition(isQueued, "a test reads its events or has fewer than \(Self.eventsMax)")
        return true
    }

    private func remove(_ peer: PeerID, _ reason: LinkEnd) async {
        guard open.removeValue(forKey: peer) != nil else { return }
        for stream in streams.removeValue(forKey: peer) ?? [] { stream.reset() }
        await events.send(.closed(peer, reason))
    }
}
