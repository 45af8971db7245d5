package import Market

/// Decides which addresses of strangers' leases this node dials.
package protocol HomeDials: Sendable {
    /// Whether an address may be dialled now, or its name looked up; if so, it counts as tried.
    func mayDial(_ address: Multiaddr, of home: PeerID) async -> Bool

    /// Whether an address may be dialled now to which a name led that was looked up.
    func mayDial(resolved address: Multiaddr) async -> Bool

    /// The home was reached by this name.
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
