package import Market

/// Messages of the last heartbeats, served to peers that ask for them by id.
///
/// Source: libp2p specs, gossipsub-v1.0.md, "Message Cache".
package struct MessageCache: Sendable {
    private let limits: GossipLimits
    private var messages: [MessageID: GossipMessage] = [:]
    private var windows: [[MessageID]]
    private var servings: [MessageID: [PeerID: Int]] = [:]
    private var byteCount = 0

    package init(limits: GossipLimits) {
        self.limits = limits
        windows = Array(repeating: [], count: limits.cacheHeartbeats)
    }

    package mutating func put(_ message: GossipMessage, _ id: MessageID) {
        guard messages[id] == nil, byteCount + message.data.count <= limits.cachedBytesMax else {
            return
        }
        messages[id] = message
        windows[0].append(id)
        byteCount += message.data.count
    }

    /// Returns the message for `peer`, at most `servingsMax` times.
    package mutating func serve(_ id: MessageID, to peer: PeerID) -> GossipMessage? {
        guard let message = messages[id] else { return nil }
        let count = servings[id]?[peer] ?? 0
        guard count < limits.servingsMax else { return nil }
        servings[id, default: [:]][peer] = count + 1
        return message
    }

    /// Returns the ids of `topic` that are recent enough to be announced.
    package func announceable(_ topic: Topic) -> [MessageID] {
        windows.prefix(limits.gossipHeartbeats).joined().filter { messages[$0]?.topic == topic }
    }

    /// Removes the messages of the oldest heartbeat.
    package mutating func shift() {
        for id in windows.removeLast() {
            byteCount -= messages.removeValue(forKey: id)?.data.count ?? 0
            servings[id] = nil
        }
        windows.insert([], at: 0)
    }
}
