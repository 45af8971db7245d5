package import Market

/// What the router tells of each peer's conduct, and asks of its standing.
///
/// The hooks of gossipsub 1.1's peer score; ``EqualScores`` until a score decides.
/// Source: libp2p specs, gossipsub-v1.1.md, "Peer Scoring".
package protocol PeerScoring: Sendable {
    /// Below zero a peer is not grafted, below ``GossipLimits/graylistBelow`` not heard.
    func score(of peer: PeerID) -> Double

    /// A link to it opened; peers of one `group` may be one owner's (the specification's P6).
    mutating func noteLink(to peer: PeerID, group: AddressGroup?)
    mutating func noteFirstDelivery(by peer: PeerID, topic: Topic)
    mutating func noteDuplicate(by peer: PeerID, topic: Topic)
    mutating func noteRejected(by peer: PeerID, topic: Topic)
    mutating func noteBrokenPromise(by peer: PeerID)
    /// It asked for so many ids that were never here.
    mutating func noteUnknownAsked(by peer: PeerID, count: Int)
    mutating func noteEmptyFrame(by peer: PeerID)
    /// It broke a rule, or went beyond a bound (P7).
    mutating func noteMisconduct(by peer: PeerID)
    mutating func noteGone(_ peer: PeerID)
}

/// Every peer stands alike.
package struct EqualScores: PeerScoring {
    package init() {}

    package func score(of peer: PeerID) -> Double { 0 }
    package mutating func noteLink(to peer: PeerID, group: AddressGroup?) {}
    package mutating func noteFirstDelivery(by peer: PeerID, topic: Topic) {}
    package mutating func noteDuplicate(by peer: PeerID, topic: Topic) {}
    package mutating func noteRejected(by peer: PeerID, topic: Topic) {}
    package mutating func noteBrokenPromise(by peer: PeerID) {}
    package mutating func noteUnknownAsked(by peer: PeerID, count: Int) {}
    package mutating func noteEmptyFrame(by peer: PeerID) {}
    package mutating func noteMisconduct(by peer: PeerID) {}
    package mutating func noteGone(_ peer: PeerID) {}
}
