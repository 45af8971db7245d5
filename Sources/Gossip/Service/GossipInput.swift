import Market

/// Everything that can come into the service's inbox.
enum GossipInput: Sendable {
    case link(LinkEvent)
    case frame(GossipRPC, from: PeerID)
    case judged(MessageID, GossipRouter.Verdict)
    case published([UInt8], on: Topic)
    case fetched([UInt8], on: Topic)
    case joined(Topic)
    case left(Topic)
    case offended(PeerID, PeerOffence)
    /// A line's stream ended; `isRefused` where the peer does not speak gossip.
    case lineEnded(PeerLine, isRefused: Bool)
    case dialFailed(PeerID)
    case exchanged(PeerID, Topic, ExchangeTally, heldHere: Int, isOver: Bool)
    /// No exchange with this peer is running any more.
    case exchangeEnded(PeerID)
    /// Where a peer says that others are, in their own signatures.
    case told([PeerRecord], by: PeerID)
    case askedPeers(PeerID)
    case banned(PeerID, for: Duration, reason: String)
    case dialled(Multiaddr)
    case notesKept
    case heartbeat
}

/// Everything the service starts as a task of its own, since it waits for somebody.
enum GossipWork: Sendable {
    case write(PeerLine)
    case exchange(PeerID, [Topic])
    case dial(PeerID, [Multiaddr])
    case askPeers(PeerID)
    case disconnect(PeerID, reason: String)
    case keep([PeerNote])
}

/// A message that waits for its judge.
struct GossipJob: Sendable {
    let id: MessageID
    let message: GossipMessage
    let origin: RecordOrigin
}
