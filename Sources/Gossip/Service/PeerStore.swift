/// The durable storage of the peer book; Node implements it over its store.
package protocol PeerStore: Sendable {
    /// Returns all stored notes.
    func notes() async throws -> [PeerNote]

    /// Stores notes, each in place of the peer's previous one.
    func keep(_ notes: [PeerNote]) async throws
}

/// A peer store that stores nothing.
package struct EmptyPeerStore: PeerStore {
    package init() {}

    package func notes() -> [PeerNote] { [] }

    package func keep(_ notes: [PeerNote]) {}
}
