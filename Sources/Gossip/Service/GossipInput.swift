import Concurrency
import Market

/// Everything that can come into the service's inbox.
enum GossipInput: Sendable {
    case link(LinkEvent)
    case frame(GossipRPC, from: PeerID, unusedBytes: Int, AsyncSemaphore.Permit)
    case judged(MessageID, GossipRouter.Verdict)
    case published([UInt8], on: Topic)
    case fetched([UInt8], on: Topic)
    case joined(Topic)
    case left(Topic)
    /// A line's stream ended; `isRefused` where the peer does not speak gossip.
    case lineEnded(PeerOutbox, isRefused: Bool)
    /// None of a peer's addresses led to it; at those of `others` somebody else answered.
    case dialFailed(PeerID, others: [Multiaddr: PeerID])
    /// What the names among a peer's addresses lead to.
    case resolved(PeerID, [Multiaddr: [IPAddress]])
    case exchanged(ExchangeReport)
    /// The exchange of this place is running no more.
    case exchangeEnded(ActiveExchange)
    /// The peer asked or answered something in one of this node's protocols.
    case used(PeerID)
    /// Where a peer says that others are, in their own signatures.
    case told([PeerRecord], by: PeerID)
    case askedPeers(PeerID)
    case banned(PeerID, for: Duration, reason: String)
    case dialled(Multiaddr)
    case notesKept
    case heartbeat
}

/// Everything the service starts as a task of its own, since it waits for somebody.
enum GossipEffect: Sendable {
    case write(PeerOutbox)
    case exchange(ActiveExchange)
    case dial(PeerID, [Multiaddr])
    case resolve(PeerID, [Multiaddr], isOwn: Bool)
    case askPeers(PeerID)
    case disconnect(PeerID, LinkEnd)
    case keep([PeerNote])
}

/// How far an exchange of one topic has come.
struct ExchangeReport: Sendable {
    let place: ActiveExchange
    let topic: Topic
    let counts: ExchangeCounts
    /// Records that it brought itself; `counts` is of the whole walk.
    let accepted: Int
    let heldHere: Int
    let isOver: Bool
}

/// A message that waits for its judge.
struct PendingValidation: Sendable {
    let id: MessageID
    let message: GossipMessage
    let origin: RecordOrigin
}
