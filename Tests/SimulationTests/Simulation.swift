import GossipProtocol
import HeapModule
import Market

/// A whole network in one thread under one seed: virtual time, and faults by chance.
struct Simulation {
    /// What goes wrong, and how much.
    struct Faults {
        var lossPercent = 10
        var duplicatePercent = 3
        var delayMax = 150
        var syncMax = 40
        var liars = 3
        var hasExchange = true
    }

    /// One exchange between two nodes.
    struct Session {
        let asker: Int
        let server: Int
        var exchange: RecordExchange
        var serving: RecordServing
    }

    let seed: UInt64
    let faults: Faults
    var random: SplitMix
    var nodes: [SimNode] = []
    var neighbours: [Set<Int>] = []
    var queue = Heap<SimEvent>()
    var sessions: [Int: Session] = [:]
    var sessionCount = 0
    var eventCount = 0
    var time = 0
    var trace = TraceHash()
    /// Whether links between the two halves are cut.
    var isParted = false
    var side: [Bool] = []
    var published: [RecordID: [UInt8]] = [:]
    /// What an honest node must never have done.
    var breaches: [String] = []

    init(nodeCount: Int, seed: UInt64, faults: Faults = Faults()) {
        self.seed = seed
        self.faults = faults
        random = SplitMix(seed: seed)
        for number in 0..<nodeCount {
            // Liars come last, so that the ring of the honest is whole.
            let isLiar = number >= nodeCount - faults.liars
            nodes.append(SimNode(number: number, isLiar: isLiar, seed: random.next()))
            side.append(random.next() % 2 == 0)
        }
        connect(honest: nodeCount - faults.liars)
        for number in 0..<nodeCount { schedule(.start, at: number, in: roll(500)) }
    }

    var now: Moment { .start + .milliseconds(time) }
    var honest: [SimNode] { nodes.filter { !$0.isLiar } }
    var haveConverged: Bool {
        honest.allSatisfy { $0.isRunning && $0.durable.count == published.count }
    }

    /// Lets all events up to `end` milliseconds happen.
    mutating func run(until end: Int) {
        while let event = queue.min, event.time <= end {
            queue.removeMin()
            time = event.time
            handle(event)
        }
        time = end
    }

    mutating func roll(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    mutating func happens(_ percent: Int) -> Bool { roll(100) < percent }

    mutating func schedule(_ kind: SimEvent.Kind, at node: Int, in delay: Int) {
        eventCount += 1
        queue.insert(
            SimEvent(
                time: time + delay,
                number: eventCount,
                node: node,
                epoch: nodes[node].epoch,
                kind: kind
            )
        )
    }

    /// Cuts the network in two, or joins it again.
    mutating func part(_ isParted: Bool) {
        self.isParted = isParted
        for (node, others) in neighbours.enumerated() {
            for other in others.sorted() where node < other && side[node] != side[other] {
                if isParted { unlink(node, other) } else { tryLink(node, other) }
            }
        }
    }

    mutating func publish(at node: Int) {
        let data = SimRecord.make(&random)
        schedule(.publish(data), at: node, in: 0)
    }

    mutating func tryLink(_ node: Int, _ other: Int) {
        guard nodes[node].isRunning, nodes[other].isRunning, !nodes[node].links.contains(other),
            !(isParted && side[node] != side[other]),
            nodes[node].book.ban(of: SimNode.peer(other), at: now) == nil,
            nodes[other].book.ban(of: SimNode.peer(node), at: now) == nil
        else { return }
        nodes[node].links.insert(other)
        nodes[other].links.insert(node)
        schedule(.link(other), at: node, in: 0)
        schedule(.link(node), at: other, in: 0)
    }

    mutating func unlink(_ node: Int, _ other: Int) {
        guard nodes[node].links.contains(other) else { return }
        nodes[node].links.remove(other)
        nodes[other].links.remove(node)
        for (id, session) in sessions
        where [[node, other], [other, node]].contains([session.asker, session.server]) {
            sessions[id] = nil
        }
        schedule(.unlink(other), at: node, in: 0)
        schedule(.unlink(node), at: other, in: 0)
    }

    /// A ring of the honest with some chords; liars sit wherever they like.
    private mutating func connect(honest: Int) {
        neighbours = Array(repeating: [], count: nodes.count)
        func join(_ one: Int, _ other: Int) {
            guard one != other else { return }
            neighbours[one].insert(other)
            neighbours[other].insert(one)
        }
        for number in 0..<honest {
            join(number, (number + 1) % honest)
            for _ in 0..<2 { join(number, roll(honest)) }
        }
        for liar in honest..<nodes.count {
            for _ in 0..<6 { join(liar, roll(honest)) }
        }
    }
}
