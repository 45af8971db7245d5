import AccountAccess

/// Counts the connections of one port, and decides whether one more is admitted.
///
/// Connections from this machine have their own slots, which other machines cannot take. If all
/// slots are taken, a new connection replaces one whose client sends nothing: of the subnet with
/// the most (/24, /48), and of its network with the most, the one that has waited longest; this
/// machine is one network. If there is none, it replaces a connection with a request in progress,
/// if that connection is local or its subnet has at least two more, in the same subnet its network.
/// The operator's connections keep their slots, so no other program of this machine can shut the
/// operator out. WebSockets have as many slots again, of each network too, and keep them: a page that is open all day
/// leaves the slots of requests to others.
struct ConnectionBook: Sendable {
    /// The decision about a new connection.
    enum Decision: Equatable, Sendable {
        /// It is counted under this number; the connection `closing` lost its slot to it.
        case admitted(UInt64, closing: UInt64? = nil)
        case refused
    }

    private struct Entry {
        /// `nil` for this machine.
        let network: String?
        let subnet: String
        /// Whether its client has to send or to read something.
        var isWaiting = true
        /// The number of the event since which that is so, or is not.
        var since: UInt64
        var isOperators = false
        /// Whether it has a slot of the WebSockets, and none of the requests.
        var isSocket = false
    }

    private let limits: ConnectionLimits
    private var entries: [UInt64: Entry] = [:]
    private var hereCount = 0
    private var elsewhereCount = 0
    /// The WebSockets in slots of their own, of this machine and of other ones.
    private var socketCounts = (here: 0, elsewhere: 0)
    /// Those of other machines, by network.
    private var socketCountsOfNetworks: [String: Int] = [:]
    private var counts: [String: Int] = [:]
    private var subnetCounts: [String: Int] = [:]
    /// Counts what happens, so that the order is known without a clock.
    private var events: UInt64 = 0

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// The number of connections.
    var count: Int { entries.count }

    /// Counts one more connection if there is a slot for it, whose client has to send something.
    mutating func enter(_ network: Network?) -> Decision {
        if let network, network.isThisMachine {
            var victim: UInt64?
            if hereCount >= limits.hereMax {
                victim = longestHere(isWaiting: true) ?? longestHere(isWaiting: false)
                guard let victim else { return .refused }
                leave(victim)
            }
            hereCount += 1
            return .admitted(add(nil), closing: victim)
        }
        let name = network?.name ?? "unknown"
        let own = counts[name, default: 0]
        guard own < limits.networkMax else { return .refused }
        var victim: UInt64?
        if elsewhereCount >= limits.elsewhereMax {
            victim = longest(isWaiting: true, for: name, more: 1)
            victim = victim ?? longest(isWaiting: false, for: name, more: 2)
            guard let victim else { return .refused }
            leave(victim)
        }
        elsewhereCount += 1
        counts[name, default: 0] += 1
        subnetCounts[CallerGroup.subnet(of: name), default: 0] += 1
        return .admitted(add(name), closing: victim)
    }

    /// Releases a slot; does nothing if the connection has already lost it.
    mutating func leave(_ number: UInt64) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        guard entry.isSocket else { return release(entry) }
        guard let network = entry.network else {
            socketCounts.here -= 1
            return
        }
        socketCounts.elsewhere -= 1
        let left = socketCountsOfNetworks[network, default: 0] - 1
        assert(left >= 0)
        socketCountsOfNetworks[network] = left > 0 ? left : nil
    }

    /// Gives a connection that has become a WebSocket a slot of these, if one is free and its
    /// network has not had its share; else it keeps the one that it has.
    mutating func becomeSocket(_ number: UInt64) {
        guard let entry = entries[number], !entry.isSocket else { return }
        if let network = entry.network {
            let own = socketCountsOfNetworks[network, default: 0]
            guard socketCounts.elsewhere < limits.elsewhereMax, own < limits.networkMax else {
                return
            }
            socketCounts.elsewhere += 1
            socketCountsOfNetworks[network] = own + 1
        } else {
            guard socketCounts.here < limits.hereMax else { return }
            socketCounts.here += 1
        }
        release(entry)
        entries[number]?.isSocket = true
    }

    /// Releases a slot of the requests.
    private mutating func release(_ entry: Entry) {
        guard let network = entry.network else {
            hereCount -= 1
            return
        }
        elsewhereCount -= 1
        let left = counts[network, default: 0] - 1
        assert(left >= 0)
        counts[network] = left > 0 ? left : nil
        let leftOfSubnet = subnetCounts[entry.subnet, default: 0] - 1
        subnetCounts[entry.subnet] = leftOfSubnet > 0 ? leftOfSubnet : nil
    }

    /// Records that a connection's client has to send or to read something now.
    mutating func wait(_ number: UInt64) { turn(number, isWaiting: true) }

    /// Records that the node is processing a connection's request.
    mutating func work(_ number: UInt64) { turn(number, isWaiting: false) }

    /// Records that a connection is the operator's.
    mutating func trust(_ number: UInt64) { entries[number]?.isOperators = true }

    private mutating func add(_ network: String?) -> UInt64 {
        events += 1
        let subnet = network.map { CallerGroup.subnet(of: $0) } ?? ""
        entries[events] = Entry(network: network, subnet: subnet, since: events)
        return events
    }

    private mutating func turn(_ number: UInt64, isWaiting: Bool) {
        events += 1
        entries[number]?.isWaiting = isWaiting
        entries[number]?.since = events
    }

    /// Returns the connection from this machine that has waited, or was worked for, longest.
    private func longestHere(isWaiting: Bool) -> UInt64? {
        entries.filter {
            $0.value.network == nil && !$0.value.isOperators && !$0.value.isSocket
                && $0.value.isWaiting == isWaiting
        }.min { $0.value.since < $1.value.since }?.key
    }

    /// Returns the connection that has waited or been served longest, in the subnet with the most
    /// and its network with the most.
    ///
    /// Another subnet, or another network of the caller's own, must have at least `more` than it.
    private func longest(isWaiting: Bool, for network: String, more: Int) -> UInt64? {
        let subnet = CallerGroup.subnet(of: network)
        let countMin = counts[network, default: 0] + more
        let subnetMin = subnetCounts[subnet, default: 0] + more
        var best: (ofSubnet: Int, count: Int, since: UInt64, number: UInt64)?
        for (number, entry) in entries
        where !entry.isOperators && !entry.isSocket && entry.isWaiting == isWaiting {
            guard let other = entry.network, let count = counts[other],
                let ofSubnet = subnetCounts[entry.subnet],
                entry.subnet == subnet ? count >= countMin : ofSubnet >= subnetMin
            else { continue }
            if let best,
                (ofSubnet, count, best.since) <= (best.ofSubnet, best.count, entry.since)
            {
                continue
            }
            best = (ofSubnet, count, entry.since, number)
        }
        return best?.number
    }
}
