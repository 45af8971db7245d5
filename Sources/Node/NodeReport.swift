import Client
import Gossip
import Market
import Storage

/// What a node says of itself to people and programs.
struct NodeReport: Sendable {
    let network: String
    let listenAddresses: [String]
    let links: any PeerLinks
    let gossip: GossipService
    let topic: Topic
    let store: Store
    let chains: @Sendable () async -> [ChainStatus]

    func status() async throws -> NodeStatus {
        NodeStatus(
            version: Version.text,
            network: network,
            peer: PeerIDText.text(of: links.localPeer),
            listenAddresses: listenAddresses,
            peers: await links.links().count,
            records: try store.read { try $0.recordCount() },
            chains: await chains()
        )
    }

    func peers() async -> [Peer] {
        var found: [Peer] = []
        for peer in await gossip.peers() {
            found.append(
                Peer(
                    id: PeerIDText.text(of: peer.link.peer),
                    addresses: [peer.link.address.description],
                    isConnected: true,
                    direction: peer.link.direction.rawValue,
                    agent: peer.agentVersion,
                    missing: peer.exchanges[topic].flatMap { status in
                        status.endedAt == nil ? nil : status.tally.missing
                    }
                )
            )
        }
        return found.sorted { $0.id < $1.id }
    }

    /// Links to a peer, and says what it is.
    ///
    /// - Throws: ``Refusal`` with `peer_unreachable`.
    func link(to address: Multiaddr) async throws -> Peer {
        await gossip.add(address)
        do {
            let peer = try await links.dial(address)
            let name = PeerIDText.text(of: peer)
            if let known = await peers().first(where: { $0.id == name }) { return known }
            return Peer(
                id: name,
                addresses: [address.description],
                isConnected: true,
                direction: "outbound",
                agent: nil,
                missing: nil
            )
        } catch {
            throw Refusal(
                .peerUnreachable,
                "\(address) cannot be reached: \(error). Check the address and that its node runs.",
                field: "address"
            )
        }
    }
}
