package import GossipProtocol
package import Market

/// Decides which addresses from other peers' leases this node dials.
package protocol HomeDials: Sendable {
    /// Whether the address may be dialled or resolved now; if so, counts it as tried.
    func mayDial(_ address: Multiaddr, of home: PeerID) async -> Bool

    /// Whether an address may be dialled now that a host name resolved to.
    func mayDial(resolved address: Multiaddr) async -> Bool

    /// Records that the home was reached by this host name.
    func wasReached(by name: Multiaddr) async
}

extension GossipService: HomeDials {
    package func mayDial(_ address: Multiaddr, of home: PeerID) -> Bool {
        book.takeHome(address, of: home, at: now)
    }

    package func mayDial(resolved address: Multiaddr) -> Bool {
        book.takeHomeTarget(address, at: now)
    }

    package func wasReached(by name: Multiaddr) { book.noteHome(at: name) }
}
