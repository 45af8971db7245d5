package import Concurrency
package import GossipProtocol
package import Market

/// The node's links to its peers: real ones over TLS, or ones in memory for tests.
package protocol PeerLinks: Sendable {
    var localPeer: PeerID { get }

    /// Events of all links, in order, for one reader: take them with `receive()`.
    ///
    /// No event is lost: if the reader is slow, new links wait.
    var events: BoundedQueue<LinkEvent> { get }

    /// Answers streams of this protocol with `body`, which runs as a child of `run()`.
    ///
    /// The stream is reset if `body` throws, and closed if it returns.
    func handle(
        protocol protocolID: String,
        _ body: @escaping @Sendable (any PeerStream) async throws -> Void
    ) async

    /// Sets the source of the number of new records that each peer delivered first.
    ///
    /// The number decides which links stay when there are too many incoming ones.
    func rankLinks(by deliveryCounts: @escaping @Sendable () async -> [PeerID: Int]) async

    /// Addresses from which no link is accepted; the owner of the peer book sets them.
    var bannedAddresses: BannedAddresses { get }

    /// Returns the IP addresses that an address leads to, each with its port and peer.
    ///
    /// That is the address itself, or those of its host name; empty if the name is unknown. A name
    /// that the operator chose is `isOwn`: look-ups of peers' names do not use its slots.
    func resolve(_ address: Multiaddr, isOwn: Bool) async -> [Multiaddr]

    /// Dials the peer at `address`, or returns the peer of an existing link.
    ///
    /// Only a few addresses that another peer reported (`isReported`) are dialled at a time, in
    /// slots separate from this node's own dials.
    ///
    /// - Returns: The peer that answered; if the address names a peer, always that one.
    /// - Throws: ``LinkError``
    func dial(_ address: Multiaddr, isReported: Bool) async throws -> PeerID

    /// Opens a stream in the first of `protocols` that the peer speaks.
    ///
    /// - Throws: ``LinkError``
    func open(protocols: [String], to peer: PeerID) async throws -> any PeerStream

    /// Ends the link to `peer`, if there is one.
    func disconnect(_ peer: PeerID, reason: LinkEnd) async

    /// The links that are open now.
    func links() async -> [LinkInfo]

    /// Returns the link to `peer`, if there is one; its byte counts are zero.
    func link(to peer: PeerID) async -> LinkInfo?

    /// The memory that all links hold for their peers, compared with the sum over the links.
    var audit: NodeBudget.Audit { get }

    /// Serves links and streams until cancelled; then closes all of them.
    func run() async throws
}

extension PeerLinks {
    /// Links that hold no memory have nothing to compare.
    package var audit: NodeBudget.Audit { NodeBudget.Audit() }

    /// Resolves an address that a peer reported.
    package func resolve(_ address: Multiaddr) async -> [Multiaddr] {
        await resolve(address, isOwn: false)
    }

    /// Dials a peer of this node's own choice.
    package func dial(_ address: Multiaddr) async throws -> PeerID {
        try await dial(address, isReported: false)
    }

    /// Links that are never too many need no decision.
    package func rankLinks(
        by deliveryCounts: @escaping @Sendable () async -> [PeerID: Int]
    ) async {}
}

/// An event of a link.
package enum LinkEvent: Sendable {
    /// A link opened. Between two `opened` of one peer there is always a `closed`.
    case opened(LinkInfo)
    /// The peer described its protocols and addresses. Comes after `opened`, possibly repeatedly.
    case identified(PeerID, PeerDescription)
    /// The peer exceeded a limit of the links' own protocols.
    case offended(PeerID, PeerOffence)
    /// The link ended, with all its streams.
    case closed(PeerID, LinkEnd)
}
