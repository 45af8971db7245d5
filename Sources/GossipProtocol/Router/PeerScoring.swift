package import Market

/// Scores peers by the conduct that the router reports.
///
/// These are the hooks of gossipsub 1.1's peer score; ``EqualScores`` is used until a score is
/// implemented.
///
/// Source: libp2p specs, gossipsub-v1.1.md, "Peer Scoring".
package protocol PeerScoring: Sendable {
    /// Returns the score of a peer.
    ///
    /// Below zero a peer is not grafted; below ``GossipLimits/graylistBelow`` it is ignored.
    func score(of peer: PeerID) -> Double

    /// Records a new link; peers of one `group` may have one owner (the specification's P6).
    mutating func noteLink(to peer: PeerID, group: AddressGroup?)
    mutating func noteFirstDelivery(by peer: PeerID, topic: Topic)
    mutating func noteDuplicate(by peer: PeerID, topic: Topic)
    mutating func noteRejected(by peer: PeerID, topic: Topic)
    mutating func noteBrokenPromise(by peer: PeerID)
    /// Records how many unknown ids the peer asked for.
    mutating func noteUnknownAsked(by peer: PeerID, count: Int)
    mutating func noteEmptyFrame(by peer: PeerID)
    /// Records that the peer broke a rule or exceeded a limit (P7).
    mutating func noteMisconduct(by peer: PeerID)
    mutating func noteGone(_ peer: PeerID)
}

/// Scores that treat all peers alike.
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
