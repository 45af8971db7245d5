import Market

/// How mesh slots, and announcements, are divided among the networks of peers.
///
/// Keys and links cost nothing, so peers of one network /24 or /48 share the allowance of one peer.
/// Peers without a known address, as on this machine, count separately.
///
/// Source: Docs/protocol.md, sections 8.4 and 8.5.
extension GossipRouter {
    private enum Network: Hashable {
        case subnet([UInt8])
        case peer(PeerID)
    }

    private func network(of peer: PeerID) -> Network {
        peers[peer]?.group.map { .subnet($0.subnet) } ?? .peer(peer)
    }

    /// Returns the peers in an order in which networks take turns; those of one keep their order.
    ///
    /// Peers that are `present` had their turn before.
    func byTurns(_ list: [PeerID], after present: Set<PeerID> = []) -> [PeerID] {
        var turns: [Network: Int] = [:]
        for peer in present { turns[network(of: peer), default: 0] += 1 }
        let numbered = list.enumerated().map { index, peer in
            let network = network(of: peer)
            defer { turns[network, default: 0] += 1 }
            return (turn: turns[network] ?? 0, index: index, peer: peer)
        }
        return numbered.sorted { ($0.turn, $0.index) < ($1.turn, $1.index) }.map(\.peer)
    }

    /// Returns the member that leaves a full mesh for a peer of another network; `nil` if none
    /// does.
    ///
    /// It is one that dialled this node, of the network with most members, if that has at least two
    /// more than the peer's.
    func memberInTheWay(of peer: PeerID, _ topic: Topic) -> PeerID? {
        let mesh = mesh(of: topic)
        guard mesh.count >= limits.meshSizeHigh else { return nil }
        let members = Dictionary(grouping: mesh, by: network)
        let own = members[network(of: peer)]?.count ?? 0
        let crowds = members.values.filter { $0.count >= own + 2 }
        let inbound = crowds.compactMap { crowd -> (count: Int, peer: PeerID)? in
            let last = crowd.filter { peers[$0]?.isOutbound == false }.max()
            return last.map { (crowd.count, $0) }
        }
        return inbound.max { ($0.count, $0.peer) < ($1.count, $1.peer) }?.peer
    }
}
