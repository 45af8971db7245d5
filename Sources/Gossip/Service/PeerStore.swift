package import GossipProtocol

/// The durable storage of the peer book; Node implements it over its store.
package protocol PeerStore: Sendable {
    /// Returns all stored notes.
    func notes() async throws -> [PeerNote]

    /// Returns the stored bans of addresses, also those that have ended.
    func addressBans() async throws -> [AddressBanNote]

    /// Stores notes, also for a cancelled caller, each replacing the previous one of the peer or
    /// address; a ban without an end is removed.
    func keep(_ notes: [PeerNote], bans: [AddressBanNote]) async throws
}

/// A peer store that stores nothing.
package struct EmptyPeerStore: PeerStore {
    package init() {}

    package func notes() -> [PeerNote] { [] }

    package func addressBans() -> [AddressBanNote] { [] }

    package func keep(_ notes: [PeerNote], bans: [AddressBanNote]) {}
}
