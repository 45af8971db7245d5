import DequeModule
import Market

/// The messages that wait to be judged, and the room that they share.
///
/// The room is divided by subnet, and that of a subnet by origin: if it is full, the largest origin
/// in the largest subnet loses its latest message, unless it is the new message's own origin.
/// Subnets take turns, and within each its origins. So whatever some subnets send at once, a
/// message of another subnet finds room and is validated soon.
///
/// Source: Nagle, "On Packet Switches with Infinite Storage", 1985; Docs/protocol.md, section 8.6.
struct WaitingMessages: Sendable {
    /// Peers whose messages share one part of the room.
    enum Origin: Hashable, Comparable, Sendable {
        case address(AddressGroup)
        /// A peer of this machine, or whose address is unknown.
        case peer(PeerID)

        /// The origin that represents the whole subnet.
        var subnet: Origin {
            switch self {
            case .address(let group): .address(group.wholeSubnet)
            case .peer: self
            }
        }
    }

    private struct Queue: Sendable {
        var ids: Deque<MessageID> = []
        var byteCount = 0
    }

    private struct Subnet: Sendable {
        var byteCount = 0
        /// Origins with waiting messages; the first is judged next.
        var turns: Deque<Origin> = []
    }

    private let bytesMax: Int
    /// The bytes that a message takes at least, so that short ones are bounded in number.
    private let placeBytes: Int
    private var queues: [Origin: Queue] = [:]
    private var subnets: [Origin: Subnet] = [:]
    /// Subnets with waiting messages; an origin of the first is judged next.
    private var turns: Deque<Origin> = []
    private var places: [MessageID: (origin: Origin, byteCount: Int)] = [:]
    private var judged: [MessageID: Int] = [:]
    private var byteCount = 0
    /// The maximum for an origin or a subnet; the limit may be lower.
    private var mostBytes = (origin: 0, subnet: 0)

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
        let ofSubnet = (subnets[origin.subnet]?.byteCount ?? 0) + size
        guard own < mostBytes.origin || ofSubnet < mostBytes.subnet else { return nil }
        var held = queues.mapValues { (byteCount: $0.byteCount, count: $0.ids.count) }
        var bySubnet = subnets.mapValues(\.byteCount)
        mostBytes.origin = held.values.map(\.byteCount).max() ?? 0
        mostBytes.subnet = bySubnet.values.max() ?? 0
        var victims: [MessageID] = []
        while excess > 0 {
            // Another subnet makes room if it has more; else another origin of the same one does.
            let largest = bySubnet.max { ($0.value, $0.key) < ($1.value, $1.key) }
            let isOther = largest.map { $0.key != origin.subnet && ofSubnet < $0.value } ?? false
            let subnet = isOther ? largest?.key ?? origin.subnet : origin.subnet
            let most = held.filter { $0.key.subnet == subnet }
                .max { ($0.value.byteCount, $0.key) < ($1.value.byteCount, $1.key) }
            guard let most, isOther || most.key != origin && own < most.value.byteCount,
                let queue = queues[most.key], most.value.count > 0
            else { return nil }
            let victim = queue.ids[most.value.count - 1]
            let victimBytes = places[victim]?.byteCount ?? 0
            held[most.key] = (most.value.byteCount - victimBytes, most.value.count - 1)
            bySubnet[subnet, default: 0] -= victimBytes
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

    /// Counts a waiting message for another origin that also delivered it, if that origin has
    /// fewer.
    ///
    /// Between subnets the subnets' amounts count, as when room is made; within one subnet, the
    /// origins' amounts. Otherwise the largest could deliver another's message to have it dropped.
    mutating func share(_ id: MessageID, with origin: Origin) -> Bool {
        guard let place = places[id], origin != place.origin else { return false }
        let (own, others): (Int?, Int?) =
            if origin.subnet == place.origin.subnet {
                (queues[origin]?.byteCount, queues[place.origin]?.byteCount)
            } else {
                (subnets[origin.subnet]?.byteCount, subnets[place.origin.subnet]?.byteCount)
            }
        guard (own ?? 0) + place.byteCount < others ?? 0, let size = takeOut(id) else {
            return false
        }
        append(id, size, to: origin)
        return true
    }

    /// Takes the next message to validate; it keeps its room until ``end(_:)``.
    mutating func next() -> MessageID? {
        guard let subnet = turns.first, let origin = subnets[subnet]?.turns.first,
            let id = queues[origin]?.ids.first, let size = takeOut(id)
        else { return nil }
        judged[id] = size
        if subnets[subnet]?.turns.first == origin {
            subnets[subnet]?.turns.removeFirst()
            subnets[subnet]?.turns.append(origin)
        }
        if turns.first == subnet {
            turns.removeFirst()
            turns.append(subnet)
        }
        return id
    }

    /// Releases the room of a validated message.
    mutating func end(_ id: MessageID) {
        byteCount -= judged.removeValue(forKey: id) ?? 0
    }

    private mutating func append(_ id: MessageID, _ size: Int, to origin: Origin) {
        let subnet = origin.subnet
        if subnets[subnet] == nil { turns.append(subnet) }
        if queues[origin] == nil { subnets[subnet, default: Subnet()].turns.append(origin) }
        places[id] = (origin, size)
        queues[origin, default: Queue()].ids.append(id)
        queues[origin]?.byteCount += size
        subnets[subnet]?.byteCount += size
        mostBytes.origin = max(mostBytes.origin, queues[origin]?.byteCount ?? 0)
        mostBytes.subnet = max(mostBytes.subnet, subnets[subnet]?.byteCount ?? 0)
    }

    /// Removes a waiting message from its origin's queue; returns the bytes that it counts.
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
        subnets[place.origin.subnet]?.byteCount -= place.byteCount
        if queues[place.origin]?.ids.isEmpty == true { forget(place.origin) }
        return place.byteCount
    }

    /// Forgets an origin without waiting messages.
    private mutating func forget(_ origin: Origin) {
        let subnet = origin.subnet
        queues[origin] = nil
        subnets[subnet]?.turns.removeAll { $0 == origin }
        guard subnets[subnet]?.turns.isEmpty == true else { return }
        subnets[subnet] = nil
        turns.removeAll { $0 == subnet }
    }
}
