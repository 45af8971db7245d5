package import Market

/// What the router tells of each peer's conduct, and asks of its standing.
///
/// The hooks of gossipsub 1.1's peer score; ``EqualScores`` until a score decides.
/// Source: libp2p specs, gossipsub-v1.1.md, "Peer Scoring".
package protocol PeerScoring: Sendable {
    /// Below zero a peer is not grafted, below ``GossipLimits/graylistBelow`` not heard.
    func score(of peer: PeerID) -> Double

    mutating func noteFirstDelivery(by peer: PeerID, topic: Topic)
    mutating func noteDuplicate(by peer: PeerID, topic: Topic)
    mutating func noteRejected(by peer: PeerID, topic: Topic)
    mutating func noteBrokenPromise(by peer: PeerID)
    mutating func noteMisconduct(by peer: PeerID)
    mutating func noteGone(_ peer: PeerID)
}

/// Every peer stands alike.
package struct EqualScores: PeerScoring {
    package init() {}

    package func score(of peer: PeerID) -> Double { 0 }
    package mutating func noteFirstDelivery(by peer: PeerID, topic: Topic) {}
    package mutating func noteDuplicate(by peer: PeerID, topic: Topic) {}
    package mutating func noteRejected(by peer: PeerID, topic: Topic) {}
    package mutating func noteBrokenPromise(by peer: PeerID) {}
    package mutating func noteMisconduct(by peer: PeerID) {}
    package mutating func noteGone(_ peer: PeerID) {}
}
