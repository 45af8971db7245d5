package import Market

/// How far an exchange of one topic with one peer has come.
package struct ExchangeStatus: Hashable, Sendable {
    /// In one word, for people.
    package enum Summary: Hashable, Sendable {
        case notAsked
        case asking
        /// The peer has what this node has, and nothing else, as far as both could be compared.
        case equal
        /// This node has all the peer offers; the peer lacks so many of this node's.
        case ahead(Int)
        case missing(Int)
        /// All is here but what this node refuses.
        case refused(Int)
        /// Offered, and not served when asked for.
        case unproven(Int)
    }

    package var counts = ExchangeCounts()
    package var isRunning = false
    /// Seconds of Unix time; `nil` if the peer was never asked to the end.
    package var endedAt: Int64?
    /// What this node held when the last exchange ended.
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

/// One linked peer as an operator sees it.
package struct PeerStatus: Sendable {
    package let link: LinkInfo
    /// What it says it is; `nil` until it identified itself.
    package let agentVersion: String?
    /// Topics it wants.
    package let topics: [Topic]
    /// Topics in whose mesh it is.
    package let meshes: [Topic]
    /// Frames it lost by reading too slowly.
    package let framesDropped: Int
    package let exchanges: [Topic: ExchangeStatus]
}

/// One topic as an operator sees it.
package struct TopicStatus: Sendable {
    package let topic: Topic
    package let mesh: [PeerID]
    /// Linked peers that want the topic.
    package let subscribers: [PeerID]
    package let exchanges: [PeerID: ExchangeStatus]
}

/// What gossip has come to since the start.
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

/// What changed, for who wants to follow it.
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
