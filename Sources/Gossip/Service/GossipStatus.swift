package import GossipProtocol
package import Market

/// The state of the exchange of one topic with one peer.
package struct ExchangeStatus: Hashable, Sendable {
    /// The state in one word, for people.
    package enum Summary: Hashable, Sendable {
        case notAsked
        case asking
        /// The peer has the same records as this node, as far as both could be compared.
        case equal
        /// This node has all the peer's records; the peer lacks this many of this node's.
        case ahead(Int)
        case missing(Int)
        /// This node has all the peer's records except this many that it refuses.
        case refused(Int)
        /// Records that the peer offered and then did not serve.
        case unproven(Int)
    }

    package var counts = ExchangeCounts()
    package var isRunning = false
    /// Seconds of Unix time; `nil` if no exchange was completed.
    package var endedAt: Int64?
    /// Records that this node had when the last exchange ended.
    package var heldHere = 0

    package init() {}

    package var summary: Summary {
        if endedAt == nil { return isRunning ? .asking : .notAsked }
        if counts.missing > 0 || !counts.isComplete { return .missing(counts.missing) }
        if counts.unproven > 0 { return .unproven(counts.unproven) }
        if counts.refused + counts.rejected > 0 {
            return .refused(counts.refused + counts.rejected)
        }
        let behind = heldHere - counts.held - counts.accepted
        return behind > 0 ? .ahead(behind) : .equal
    }
}

/// One linked peer, for operators.
package struct PeerStatus: Sendable {
    package let link: LinkInfo
    /// The program it names; `nil` until it has identified itself.
    package let agentVersion: String?
    /// Its current Unix time in seconds, as it sent it with its description; `nil` until then, or
    /// if it is another program.
    package let time: Int64?
    /// Topics it subscribes to.
    package let topics: [Topic]
    /// Topics in whose mesh it takes part.
    package let meshes: [Topic]
    /// Frames that were dropped because it read too slowly.
    package let framesDropped: Int
    package let exchanges: [Topic: ExchangeStatus]
}

/// One topic, for operators.
package struct TopicStatus: Sendable {
    package let topic: Topic
    package let mesh: [PeerID]
    /// Linked peers that subscribe to the topic.
    package let subscribers: [PeerID]
    package let exchanges: [PeerID: ExchangeStatus]
}

/// Counts of gossip since the start.
package struct GossipCounts: Hashable, Sendable {
    package var published = 0
    package var accepted = 0
    package var rejected = 0
    package var ignored = 0
    package var framesDropped = 0
    package var fetched = 0
    package var bans = 0
    package var addressBans = 0
    /// Offences by their name.
    package var offences: [String: Int] = [:]

    package init() {}
}

/// A change of gossip's state, for observers.
package enum GossipChange: Hashable, Sendable {
    case linked(PeerID)
    case unlinked(PeerID)
    /// The peer takes no gossip from this node.
    case muted(PeerID)
    case meshed(PeerID, Topic)
    case unmeshed(PeerID, Topic)
    case exchanged(PeerID, Topic, ExchangeStatus)
    case banned(PeerID, reason: String)
}
