package import Concurrency
package import Market

/// The node's links to its peers: real ones over TLS, or ones in memory for tests.
package protocol PeerLinks: Sendable {
    var localPeer: PeerID { get }

    /// What happened to links, in order, for one reader: take with `receive()`.
    ///
    /// Nothing is lost: a reader that is slow makes new links wait.
    var events: BoundedQueue<LinkEvent> { get }

    /// Answers streams in this protocol with `body`, which runs as a child of `run()`.
    ///
    /// The stream is reset where `body` throws, and closed where it returns.
    func handle(
        protocol protocolID: String,
        _ body: @escaping @Sendable (any PeerStream) async throws -> Void
    ) async

    /// Learns how many new records each peer brought first: by that it is judged which links stay
    /// when too many peers come.
    func judgeLinks(by deliveryCounts: @escaping @Sendable () async -> [PeerID: Int]) async

    /// Addresses from which no link is accepted; whoever judges peers sets them.
    var bannedAddresses: BannedAddresses { get }

    /// The IP addresses that an address leads to: itself, or those of its name, each with its port
    /// and peer; none for a name that is not known.
    ///
    /// A name of the operator's `isOwn`: strangers' names do not take its place.
    func resolve(_ address: Multiaddr, isOwn: Bool) async -> [Multiaddr]

    /// Links to the peer at `address`, or finds the link that is there.
    ///
    /// On a stranger's word (`isTold`) few are dialled at a time, in places apart from this node's
    /// own.
    ///
    /// - Returns: Who answered; always the one the address names, where it names one.
    /// - Throws: ``LinkError``
    func dial(_ address: Multiaddr, isTold: Bool) async throws -> PeerID

    /// Opens a stream in the first of `protocols` that the peer speaks.
    ///
    /// - Throws: ``LinkError``
    func open(protocols: [String], to peer: PeerID) async throws -> any PeerStream

    /// Ends the link to `peer`, if there is one.
    func disconnect(_ peer: PeerID, reason: LinkEnd) async

    /// The links that are open now.
    func links() async -> [LinkInfo]

    /// The link to `peer`, if there is one; its bytes are not counted.
    func link(to peer: PeerID) async -> LinkInfo?

    /// What all links hold in memory for their peers, compared with what each of them holds.
    var audit: NodeBudget.Audit { get }

    /// Serves links and streams until cancelled; then all of them are closed.
    func run() async throws
}

extension PeerLinks {
    /// Links that hold nothing in memory have nothing to compare.
    package var audit: NodeBudget.Audit { NodeBudget.Audit() }

    /// What a stranger's address leads to.
    package func resolve(_ address: Multiaddr) async -> [Multiaddr] {
        await resolve(address, isOwn: false)
    }

    /// Links to a peer of this node's own choice.
    package func dial(_ address: Multiaddr) async throws -> PeerID {
        try await dial(address, isTold: false)
    }

    /// Links that are never too many need no judging.
    package func judgeLinks(
        by deliveryCounts: @escaping @Sendable () async -> [PeerID: Int]
    ) async {}
}

/// What happened to a link.
package enum LinkEvent: Sendable {
    /// A link is there. For one peer, always between two `closed`.
    case opened(LinkInfo)
    /// The peer said what it speaks and where it is. Comes after `opened`, perhaps more than once.
    case identified(PeerID, PeerDescription)
    /// The peer went beyond a bound of the links' own protocols.
    case offended(PeerID, PeerOffence)
    /// The link is gone, with all its streams.
    case closed(PeerID, LinkEnd)
}

/// One open link as an operator sees it.
package struct LinkInfo: Hashable, Sendable {
    package enum Direction: String, Sendable {
        case inbound
        case outbound
    }

    package let peer: PeerID
    /// Where the peer's side of the socket is.
    package let address: Multiaddr
    package let direction: Direction
    /// When the link opened, in seconds of Unix time.
    package let openedAt: Int64
    package var bytesReceived: UInt64
    package var bytesSent: UInt64

    package init(
        peer: PeerID,
        address: Multiaddr,
        direction: Direction,
        openedAt: Int64,
        bytesReceived: UInt64 = 0,
        bytesSent: UInt64 = 0
    ) {
        self.peer = peer
        self.address = address
        self.direction = direction
        self.openedAt = openedAt
        self.bytesReceived = bytesReceived
        self.bytesSent = bytesSent
    }
}
