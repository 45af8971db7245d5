import GossipProtocol
import HeapModule
import Keys
import Market

/// Honest nodes on addresses of their own, and one stranger with many names on one address, in one
/// thread under one seed.
struct OpenLaneSimulation {
    private static let honestCount = 12
    private static let names = 4
    /// How many honest nodes each of the stranger's names is linked to.
    private static let targets = 2
    /// Records that each name sends on each link in a heartbeat of its own.
    private static let burst = 4
    private static let delayMax = 80

    private enum Kind {
        case heartbeat
        case frame(GossipRPC, from: Int)
        case validated(MessageID, Verdict)
        case published([UInt8])
        case flood
    }

    private struct Event: Comparable {
        let time: Int
        let number: Int
        let node: Int
        let kind: Kind

        static func == (left: Self, right: Self) -> Bool { left.number == right.number }
        static func < (left: Self, right: Self) -> Bool {
            (left.time, left.number) < (right.time, right.number)
        }
    }

    private var random: SplitMix
    private var nodes: [SimOpenNode] = []
    private var queue = Heap<Event>()
    private var eventCount = 0
    private(set) var time = 0
    private var isFlooding = false
    /// Ids of honest records.
    private(set) var published: [UInt64] = []
    private var makers: [UInt64: Int] = [:]
    private(set) var flooded = 0
    /// What must never happen.
    private(set) var breaches: [String] = []

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        for number in 0..<Self.honestCount + Self.names {
            let isHonest = number < Self.honestCount
            nodes.append(SimOpenNode(number: number, isHonest: isHonest, seed: random.next()))
        }
        for number in 0..<Self.honestCount {
            link(number, (number + 1) % Self.honestCount)
            for _ in 0..<2 { link(number, roll(Self.honestCount)) }
        }
        for number in 0..<nodes.count {
            route(.joined(SimOpenNode.topic), at: number)
            for other in nodes[number].links.sorted() { connect(number, to: other) }
            schedule(.heartbeat, at: number, in: roll(1_000))
        }
    }

    /// The stranger comes, with all its names, to some honest nodes.
    mutating func beginFlood() {
        isFlooding = true
        let targets = (0..<Self.honestCount).shuffled(using: &random).prefix(Self.targets)
        for name in Self.honestCount..<nodes.count {
            for target in targets {
                link(name, target)
                connect(name, to: target)
                connect(target, to: name)
            }
            schedule(.flood, at: name, in: roll(200))
        }
    }

    mutating func endFlood() { isFlooding = false }

    private mutating func connect(_ node: Int, to other: Int) {
        route(.connected(SimOpenNode.peer(other), isOutbound: node < other), at: node)
    }

    private var now: Moment { .start + .milliseconds(time) }
    var honest: [SimOpenNode] { nodes.filter(\.isHonest) }

    /// Lets all events up to `end` milliseconds happen.
    mutating func run(until end: Int) {
        while let event = queue.min, event.time <= end {
            queue.removeMin()
            time = event.time
            handle(event)
        }
        time = end
    }

    /// A new account at each honest node makes itself known, one a second, so that its neighbours
    /// know the node.
    mutating func publishEverywhere() {
        for number in 0..<Self.honestCount {
            publish(at: number)
            run(until: time + 1_000)
        }
    }

    /// A new account at some honest node makes itself known.
    mutating func publish() { publish(at: roll(Self.honestCount)) }

    private mutating func publish(at maker: Int) {
        let record = SimOpenRecord(id: random.next(), author: random.next(), isStamped: true)
        published.append(record.id)
        makers[record.id] = maker
        schedule(.published(record.bytes), at: maker, in: 0)
    }

    /// The stranger's names share an address; every honest node has one of its own.
    private func origin(of number: Int) -> RecordOrigin {
        RecordOrigin(place: nodes[number].isHonest ? UInt64(number) + 1 : 1_000, kind: 4)
    }

    private mutating func roll(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    private mutating func link(_ one: Int, _ other: Int) {
        guard one != other else { return }
        nodes[one].links.insert(other)
        nodes[other].links.insert(one)
    }

    private mutating func schedule(_ kind: Kind, at node: Int, in delay: Int) {
        eventCount += 1
        queue.insert(Event(time: time + delay, number: eventCount, node: node, kind: kind))
    }

    private mutating func handle(_ event: Event) {
        let node = event.node
        switch event.kind {
        case .heartbeat:
            route(.heartbeat, at: node)
            schedule(.heartbeat, at: node, in: 950 + roll(100))
        case .frame(let rpc, let from):
            route(.received(rpc, from: SimOpenNode.peer(from)), at: node)
        case .validated(let id, let verdict): route(.validated(id, verdict), at: node)
        case .published(let bytes):
            guard let record = SimOpenRecord(bytes) else { return }
            nodes[node].taken.insert(record.id)
            _ = nodes[node].lane.put(record.id, bytes.count, from: .own, at: time)
            route(.published(bytes, on: SimOpenNode.topic), at: node)
        case .flood:
            if isFlooding { flood(from: node) }
            schedule(.flood, at: node, in: 150 + roll(100))
        }
    }

    private mutating func route(_ event: GossipRouter.Event, at node: Int) {
        for directive in nodes[node].router.handle(event, at: now) {
            switch directive {
            case .send(let rpc, let peer): send(rpc, from: node, to: SimOpenNode.number(of: peer))
            case .validate(let message, let id, let peer):
                let verdict = validate(message.data, from: SimOpenNode.number(of: peer), at: node)
                schedule(.validated(id, verdict), at: node, in: 1 + roll(20))
            case .note(let peer, let offence):
                if nodes[node].isHonest, nodes[SimOpenNode.number(of: peer)].isHonest {
                    breaches.append("node \(node) blames honest \(peer): \(offence)")
                }
            }
        }
    }

    /// Validates as a node's record service does, cheapest first.
    private mutating func validate(
        _ data: [UInt8],
        from other: Int,
        at node: Int
    ) -> Verdict {
        guard let record = SimOpenRecord(data) else { return .reject }
        if nodes[node].taken.contains(record.id) { return .ignore }
        guard record.isStamped else { return .ignoreForNow }
        let origin = origin(of: other)
        let author = Address(words: record.author, 0, 0)
        guard nodes[node].admission.admitOpen(data.count, from: origin, at: now),
            nodes[node].admission.admitSigned(data.count, by: author, at: now)
        else {
            nodes[node].refusals += 1
            if nodes[node].isHonest, makers[record.id] == other {
                breaches.append("node \(node) refused what \(other) made itself")
            }
            return .ignoreForNow
        }
        let hasRoom = nodes[node].lane.put(record.id, data.count, from: origin, at: time)
        if !nodes[node].lane.isWithinBudget { breaches.append("node \(node) exceeds its budget") }
        guard hasRoom else { return .ignoreForNow }
        nodes[node].taken.insert(record.id)
        let isPassedOn = nodes[node].admission.admitForwarding(data.count, from: origin, at: now)
        return isPassedOn ? .accept : .ignore
    }

    private mutating func send(_ rpc: GossipRPC, from node: Int, to other: Int) {
        for message in rpc.messages where nodes[node].isHonest {
            let record = SimOpenRecord(message.data)
            if record?.isStamped != true {
                breaches.append("node \(node) passed on what has no stamp")
            }
        }
        schedule(.frame(rpc, from: node), at: other, in: 1 + roll(Self.delayMax))
    }

    /// Sends records of new authors, of one author, and without stamps, other ones to each node.
    private mutating func flood(from name: Int) {
        for other in nodes[name].links.sorted() {
            var rpc = GossipRPC()
            rpc.messages = (0..<Self.burst).map { _ in
                let record = SimOpenRecord(
                    id: random.next(),
                    author: roll(4) == 0 ? 7 : random.next(),
                    isStamped: roll(4) > 0
                )
                return GossipMessage(topic: SimOpenNode.topic, data: record.bytes)
            }
            flooded += Self.burst
            schedule(.frame(rpc, from: name), at: other, in: 1 + roll(Self.delayMax))
        }
    }
}
