/// Keeps the peer book over a restart; Node fills it, over the store.
package protocol PeerStore: Sendable {
    /// All that was kept.
    func notes() async throws -> [PeerNote]

    /// Keeps these, each in place of what was kept of its peer.
    func keep(_ notes: [PeerNote]) async throws
}

/// Keeps nothing.
package struct EmptyPeerStore: PeerStore {
    package init() {}

    package func notes() -> [PeerNote] { [] }

    package func keep(_ notes: [PeerNote]) {}
}
