import Concurrency
import GossipProtocol
import Market

/// Everything that can arrive in the service's inbox.
enum GossipInput: Sendable {
    case link(LinkEvent)
    case frame(GossipRPC, from: PeerID, unusedBytes: Int, AsyncSemaphore.Permit)
    case validated(MessageID, Verdict)
    case published([UInt8], on: Topic)
    case fetched([UInt8], on: Topic)
    case joined(Topic)
    case left(Topic)
    /// The stream of an outbox ended; `isRefused` if the peer does not speak gossip.
    case outboxEnded(PeerOutbox, isRefused: Bool)
    /// No address of the peer led to it; another peer answered at each address in `others`.
    case dialFailed(PeerID, others: [Multiaddr: PeerID])
    /// The addresses that a peer's host names resolved to.
    case resolved(PeerID, [Multiaddr: [IPAddress]])
    case exchanged(ExchangeReport)
    /// The exchange's peer keeps this node waiting for an answer, or has answered after all.
    case exchangeWaits(ActiveExchange, Bool)
    /// The exchange has ended.
    case exchangeEnded(ActiveExchange)
    /// Other peers' signed addresses, reported by a peer.
    case receivedPeers([PeerRecord], from: PeerID)
    case askedPeers(PeerID)
    case banned(PeerID, for: Duration, reason: String)
    case dialled(Multiaddr)
    case notesKept
    case heartbeat
}

/// Work that the service starts in its own task, because it waits.
enum GossipEffect: Sendable {
    case write(PeerOutbox)
    case exchange(ActiveExchange)
    /// `within` bounds the time for each address; `nil` leaves it to the links.
    case dial(PeerID, [Multiaddr], within: Duration?)
    case resolve(PeerID, [Multiaddr], isOwn: Bool)
    case askPeers(PeerID)
    case disconnect(PeerID, LinkEnd)
    case keep([PeerNote], bans: [AddressBanNote])
}

/// The progress of an exchange of one topic.
struct ExchangeReport: Sendable {
    let place: ActiveExchange
    let topic: Topic
    let counts: ExchangeCounts
    /// Records that this exchange delivered; `counts` covers the whole walk.
    let accepted: Int
    let heldHere: Int
    let isOver: Bool
}

/// A message that waits for validation.
struct PendingValidation: Sendable {
    let id: MessageID
    let message: GossipMessage
    let origin: RecordOrigin
}
