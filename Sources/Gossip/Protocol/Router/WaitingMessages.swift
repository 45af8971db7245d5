import DequeModule
import Market

/// The messages that wait to be judged, and the room that they share.
///
/// The room is divided by origin: if it is full, the origin that holds most gives up the message
/// that it brought last, unless it is the new message's own origin. Origins are judged by turns.
/// So whatever some origins send at once, a message of another finds room and is judged soon.
///
/// Source: Nagle, "On Packet Switches with Infinite Storage", 1985; Docs/protocol.md, section 8.6.
struct WaitingMessages: Sendable {
    /// Peers whose messages share one part of the room.
    enum Origin: Hashable, Comparable, Sendable {
        case address(AddressGroup)
        /// A peer of this machine, or whose address is unknown.
        case peer(PeerID)
    }

    private struct Queue: Sendable {
        var ids: Deque<MessageID> = []
        var byteCount = 0
    }

    private let bytesMax: Int
    /// The bytes that a message takes at least, so that short ones are bounded in number.
    private let placeBytes: Int
    private var queues: [Origin: Queue] = [:]
    /// Origins with waiting messages; the first is judged next.
    private var turns: Deque<Origin> = []
    private var places: [MessageID: (origin: Origin, byteCount: Int)] = [:]
    private var judged: [MessageID: Int] = [:]
    private var byteCount = 0
    /// No origin holds more than this; it may be less.
    private var mostBytes = 0

    init(limits: GossipLimits) {
        bytesMax = limits.pendingBytesMax
        placeBytes = limits.pendingBytesMax / limits.pendingMax
    }

    /// The number of messages that are being judged.
    var judgedCount: Int { judged.count }

    /// Returns the messages that must go before one of `origin` is added; `nil` if it has no room.
    mutating func victims(for dataCount: Int, of origin: Origin) -> [MessageID]? {
        let size = max(dataCount, placeBytes)
        var excess = byteCount + size - bytesMax
        if excess <= 0 { return [] }
        let own = (queues[origin]?.byteCount ?? 0) + size
        guard own < mostBytes else { return nil }
        var held = queues.mapValues { (byteCount: $0.byteCount, count: $0.ids.count) }
        mostBytes = held.values.map(\.byteCount).max() ?? 0
        var victims: [MessageID] = []
        while excess > 0 {
            let most = held.max { ($0.value.byteCount, $0.key) < ($1.value.byteCount, $1.key) }
            guard let most, most.key != origin, own < most.value.byteCount,
                let queue = queues[most.key]
            else { return nil }
            let victim = queue.ids[most.value.count - 1]
            let victimBytes = places[victim]?.byteCount ?? 0
            held[most.key] = (most.value.byteCount - victimBytes, most.value.count - 1)
            excess -= victimBytes
            victims.append(victim)
        }
        return victims
    }

    /// Adds a message behind those of its origin.
    mutating func add(_ id: MessageID, _ dataCount: Int, of origin: Origin) {
        let size = max(dataCount, placeBytes)
        byteCount += size
        append(id, size, to: origin)
    }

    /// Removes a message that is not judged yet.
    mutating func remove(_ id: MessageID) {
        guard let size = takeOut(id) else { return }
        byteCount -= size
    }

    /// Counts a waiting message for another origin that brought it too, if that holds less.
    ///
    /// Otherwise an origin that holds most could bring another's message first, so that it goes.
    mutating func share(_ id: MessageID, with origin: Origin) -> Bool {
        guard let place = places[id], let queue = queues[place.origin] else { return false }
        let own = (queues[origin]?.byteCount ?? 0) + place.byteCount
        guard origin != place.origin, own < queue.byteCount, let size = takeOut(id) else {
            return false
        }
        append(id, size, to: origin)
        return true
    }

    /// Takes the next message to be judged; it holds its room until ``end(_:)``.
    mutating func next() -> MessageID? {
        guard let origin = turns.first, let id = queues[origin]?.ids.first,
            let size = takeOut(id)
        else { return nil }
        judged[id] = size
        if turns.first == origin {
            turns.removeFirst()
            turns.append(origin)
        }
        return id
    }

    /// Gives back the room of a message that was judged.
    mutating func end(_ id: MessageID) {
        byteCount -= judged.removeValue(forKey: id) ?? 0
    }

    private mutating func append(_ id: MessageID, _ size: Int, to origin: Origin) {
        if queues[origin] == nil { turns.append(origin) }
        places[id] = (origin, size)
        queues[origin, default: Queue()].ids.append(id)
        queues[origin]?.byteCount += size
        mostBytes = max(mostBytes, queues[origin]?.byteCount ?? 0)
    }

    /// Takes a waiting message out of its origin's queue; returns the bytes that it counts.
    private mutating func takeOut(_ id: MessageID) -> Int? {
        guard let place = places.removeValue(forKey: id) else { return nil }
        if queues[place.origin]?.ids.first == id {
            queues[place.origin]?.ids.removeFirst()
        } else if queues[place.origin]?.ids.last == id {
            queues[place.origin]?.ids.removeLast()
        } else if let index = queues[place.origin]?.ids.firstIndex(of: id) {
            queues[place.origin]?.ids.remove(at: index)
        }
        queues[place.origin]?.byteCount -= place.byteCount
        if queues[place.origin]?.ids.isEmpty == true {
            queues[place.origin] = nil
            turns.removeAll { $0 == place.origin }
        }
        return place.byteCount
    }
}
