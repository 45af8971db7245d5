import Market

/// One frame between gossipsub peers, decoded and within limits.
///
/// Source: libp2p specs, pubsub/gossipsub/gossipsub-v1.1.md.
package struct GossipRPC: Equatable, Sendable {
    /// A request to join the sender's mesh of a topic, or the notice of leaving it.
    package enum MeshChange: Hashable, Sendable {
        case graft(Topic)
        /// With the time not to ask again, in seconds.
        case prune(Topic, backoffSeconds: UInt64)

        var topic: Topic {
            switch self {
            case .graft(let topic), .prune(let topic, _): topic
            }
        }
    }

    package struct Subscription: Hashable, Sendable {
        package let topic: Topic
        package let isWanted: Bool

        package init(topic: Topic, isWanted: Bool) {
            self.topic = topic
            self.isWanted = isWanted
        }
    }

    /// Ids of one topic that the sender can serve.
    package struct Announcement: Hashable, Sendable {
        package let topic: Topic
        package let ids: [MessageID]

        package init(topic: Topic, ids: [MessageID]) {
            self.topic = topic
            self.ids = ids
        }
    }

    package var subscriptions: [Subscription] = []
    package var messages: [GossipMessage] = []
    package var announcements: [Announcement] = []
    package var wanted: [MessageID] = []
    package var meshChanges: [MeshChange] = []

    package init() {}

    package var isEmpty: Bool {
        subscriptions.isEmpty && messages.isEmpty && announcements.isEmpty && wanted.isEmpty
            && meshChanges.isEmpty
    }
}
