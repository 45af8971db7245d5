package import GossipProtocol
package import Market
import Synchronization

/// Nodes that reach each other without sockets, by the addresses they were given.
///
/// Everything between a dial and a protocol's bytes is exact: bounded streams, half-closing,
/// resets, closed links. There is no encryption and no time: limits of duration are not kept.
package final class MemoryNetwork: Sendable {
    private struct State {
        var nodes: [Multiaddr: MemoryLinks] = [:]
        var blocked: Set<[PeerID]> = []
        var names: [String: [IPAddress]] = [:]
        var lookUps: [String] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Makes a node that listens on `/ip4/127.0.0.1/tcp/<port>`.
    package func node(_ peer: PeerID, port: UInt16) -> MemoryLinks {
        let address = Multiaddr(text: "/ip4/127.0.0.1/tcp/\(port)")?.expecting(peer)
        guard let address else { preconditionFailure("a number is a port") }
        let node = MemoryLinks(peer: peer, address: address, network: self)
        state.withLock { $0.nodes[address.expecting(nil)] = node }
        return node
    }

    /// Lets nobody reach a node any more, as when its process has ended.
    package func forget(_ node: MemoryLinks) {
        state.withLock { state in
            let place = node.address.expecting(nil)
            if state.nodes[place] === node { state.nodes[place] = nil }
        }
    }

    /// Makes dials between the two fail, or work again.
    package func block(_ one: PeerID, _ other: PeerID, _ isBlocked: Bool = true) {
        state.withLock { state in
            if isBlocked {
                state.blocked.insert([one, other].sorted())
            } else {
                state.blocked.remove([one, other].sorted())
            }
        }
    }

    /// Lets a name lead somewhere, from now on.
    package func name(_ name: String, _ addresses: [IPAddress]) {
        state.withLock { $0.names[name] = addresses }
    }

    /// Names looked up so far, each as often as it was.
    package var lookUps: [String] { state.withLock { $0.lookUps } }

    func resolve(_ address: Multiaddr) -> [Multiaddr] {
        if address.ipAddress != nil { return [address] }
        let found = state.withLock { state in
            state.lookUps.append(address.hostText)
            return state.names[address.hostText] ?? []
        }
        return found.map { ipAddress in
            Multiaddr(
                host: ipAddress.isIP4 ? .ip4(ipAddress) : .ip6(ipAddress),
                port: address.port,
                peer: address.peer
            )
        }
    }

    func find(_ address: Multiaddr, for caller: PeerID) -> MemoryLinks? {
        state.withLock { state in
            guard let found = state.nodes[address.expecting(nil)],
                !state.blocked.contains([caller, found.localPeer].sorted())
            else { return nil }
            return found
        }
    }
}
