package import GossipProtocol

/// Settings of gossip, and bounds on its cost.
///
/// Source: Docs/protocol.md, sections 8 and 9; Docs/operations.md, section 7.
package struct GossipSettings: Sendable {
    package var policy: MessagePolicy = .strictNoSign
    /// Peers to dial at the start, each with its peer id.
    package var bootstrap: [Multiaddr] = []
    package var gossip = GossipLimits()
    package var exchange = ExchangeLimits()
    package var peers = PeerBookLimits()

    package var heartbeat = Duration.seconds(1)
    /// From one exchange with a peer to the next, plus or minus a quarter.
    package var exchangeInterval = Duration.seconds(300)
    /// Events that wait for the service; senders wait while the inbox is full.
    package var inboxMax = 64
    /// Frames of one stream that may wait in the inbox.
    package var framesAheadMax = 2
    /// How long one exchange may take; its records are kept, and the next one resumes there.
    package var exchangeMax = Duration.seconds(300)
    /// Messages validated at one time.
    package var validationsMax = 64
    /// Exchanges this node serves at one time.
    package var servingsMax = 32
    /// Streams of one protocol that one peer may have open here.
    package var streamsPerPeerMax = 2
    /// Frames and bytes that wait for one peer; half as much again for control messages.
    package var outboxFramesMax = 1_024
    package var outboxBytesMax = 4 << 20
    /// Bytes that wait for all peers together; `outboxesMax` outboxes share half of it equally.
    package var outboxesBytesMax = 128 << 20
    package var outboxesMax = 256
    /// How long a link is kept on which the peer neither asks nor answers anything.
    package var uselessMax = Duration.seconds(600)
    /// How long a peer may take to read one frame.
    package var writeMax = Duration.seconds(30)
    /// How long a peer may take to answer one question.
    package var answerMax = Duration.seconds(30)
    /// Gossip streams to a peer that keeps its link but ends its streams: a burst, and an interval.
    package var outboxesPerLinkMax = 3
    package var lineInterval = Duration.seconds(600)
    /// The maximum number of peers sent in one answer, and read from one answer.
    package var sentPeersMax = 32
    /// How often one peer may ask for other peers at once, and heartbeats until it may ask again.
    package var peerQuestionsBurst = 16
    package var peerQuestionBeats = 32
    /// Records of one exchange that are passed on to the mesh.
    package var relayedPerExchangeMax = 64

    package init() {}

    /// Bytes that each outbox may always hold, whatever the others hold.
    var outboxShareBytes: Int { outboxesBytesMax / 2 / outboxesMax }

    /// Stops the program if settings contradict each other.
    package func check() {
        gossip.check()
        exchange.check()
        peers.check()
        precondition(
            gossip.frameBytesMax <= MessageSplitter.messageBytesMax,
            "no link would hold a peer's frame"
        )
        precondition(
            outboxBytesMax * 3 / 2 <= outboxesBytesMax / 2,
            "an outbox would not find its room while all others are empty"
        )
        precondition(
            gossip.sentFrameBytesMax <= min(outboxBytesMax, outboxShareBytes),
            "an outbox's share would not hold one frame"
        )
        precondition(
            inboxMax > 0 && validationsMax > 0 && framesAheadMax > 0,
            "nothing would ever be validated"
        )
        precondition(
            sentPeersMax * GossipService.sentRecordBytes <= MessageSplitter.messageBytesMax,
            "no link would hold a list of peers"
        )
        precondition(answerMax < exchangeMax, "an exchange could not wait for one answer")
        precondition(heartbeat > .zero && heartbeat < exchangeInterval, "time would not pass")
        precondition(
            bootstrap.allSatisfy { $0.peer != nil },
            "each bootstrap address names its peer: …/p2p/<peer id>"
        )
    }
}
