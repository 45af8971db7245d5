import Concurrency
import Foundation
import Gossip
import GossipProtocol
import Keys
import Market
import Synchronization

/// One way to harm a node, done at a stated rate until it is cancelled.
struct Attack: Sendable {
    let name: String
    /// What it is, in the table's words, with its rate.
    let words: String
    /// Units it tries to do in a second.
    let rate: Double
    /// How long it lasts.
    var seconds = 15
    /// Units that have to be done for it to be an attack at all: fewer are a fault of the benchmark.
    var least = 1
    /// Whether the network asks for signed messages.
    var isOnSigningNetwork = false
    /// Whether it is a seller's, with one sale on a chain that the node follows.
    var isOfSeller = false
    /// Whether it is aimed at an account of the node.
    var isAtMailbox = false
    /// Whether it comes from networks of IPv6, and the honest records from peers that are new.
    var isOnNewcomers = false
    let run: @Sendable (AttackRun) async throws -> Void

    static let all =
        TransportAttacks.all + GossipAttacks.all + RecordAttacks.all + NewcomerAttacks.all
        + MailAttacks.all
}

/// Whom an attack is for, and how much of it has been done.
final class AttackRun: Sendable {
    /// What the attacker's process is told.
    struct Target: Codable {
        var node: String
        var port: UInt16
        var network: String
        var topic: String
        /// An account that the node keeps mail for, and the slot of its device; if one is needed.
        var recipient = ""
        var device = ""
    }

    let target: Target
    let peer: PeerID
    let topic: Topic
    private let interval: Duration
    private let begin = ContinuousClock().now
    private let taken = Atomic<Int>(0)
    private let finished = Atomic<Int>(0)

    init(target: Target, rate: Double) throws {
        guard let peer = PeerIDText.peer(from: target.node) else {
            throw BenchmarkFault.ended("the name of the node")
        }
        (self.target, self.peer) = (target, peer)
        topic = Topic(target.topic)
        interval = .seconds(1) / rate
    }

    /// Units done.
    var count: Int { finished.load(ordering: .relaxed) }

    /// Waits until `units` more may be done.
    func pace(_ units: Int = 1) async throws {
        let before = taken.add(units, ordering: .relaxed).oldValue
        try await ContinuousClock().sleep(until: begin + interval * before)
    }

    func done(_ units: Int = 1) { finished.add(units, ordering: .relaxed) }

    /// The node's address as it is dialled from one of the attacker's.
    func address(_ number: Int = 0) throws -> Multiaddr {
        try address("ip4", AttackNetwork.hostile[number % AttackNetwork.hostile.count])
    }

    /// The node's address as it is dialled from one of the attacker's networks /64, which are in so many
    /// networks /48.
    func addressIP6(_ number: Int, of networks: Int) throws -> Multiaddr {
        try address("ip6", AttackNetwork.hostileIP6(number, of: networks))
    }

    private func address(_ family: String, _ host: String) throws -> Multiaddr {
        let text = "/\(family)/\(host)/tcp/\(target.port)/p2p/\(target.node)"
        guard let address = Multiaddr(text: text) else {
            throw BenchmarkFault.ended("the address \(host)")
        }
        return address
    }

    /// Does `body` again and again, whatever it throws, until cancelled; a second after it ended.
    func always(_ body: () async throws -> Void) async throws {
        while !Task.isCancelled {
            // Refused or hung up, which is what the node is expected to do.
            do { try await body() } catch {}
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Does `body` with a link of a new peer that answers these protocols, as long as it lasts.
    func link(
        from number: Int = 0,
        at address: Multiaddr? = nil,
        answering answers: [String: @Sendable (any PeerStream) async throws -> Void] = [:],
        _ body: @escaping @Sendable (Links) async throws -> Void
    ) async throws {
        let links = try Links.quiet()
        for (name, answer) in answers { await links.handle(protocol: name, answer) }
        try await withThrowingTaskGroup { group in
            group.addTask { try await links.run() }
            group.addTask { while await links.events.receive() != nil {} }
            group.addTask {
                _ = try await links.dial(address ?? self.address(number))
                try await body(links)
            }
            // The first two end only if they are cancelled.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Does `body` with a gossip stream of a new peer.
    func gossip(
        from number: Int = 0,
        at address: Multiaddr? = nil,
        _ body: @escaping @Sendable (any PeerStream) async throws -> Void
    ) async throws {
        try await link(from: number, at: address) { links in
            let stream = try await links.open(protocols: ["/meshsub/1.1.0"], to: self.peer)
            try await body(stream)
        }
    }
}

/// The process that attacks: `Benchmarks attacker NAME TARGET SECONDS`.
enum Attacker {
    static let part = "attacker"

    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3, let seconds = Int(arguments[2]),
            let attack = Attack.all.first(where: { $0.name == arguments[0] })
        else { throw BenchmarkFault.ended("attacker: NAME TARGET SECONDS") }
        let target = try JSONDecoder().decode(
            AttackRun.Target.self,
            from: Data(arguments[1].utf8)
        )
        let run = try AttackRun(target: target, rate: attack.rate)
        try await withThrowingTaskGroup { group in
            group.addTask { try await attack.run(run) }
            group.addTask { try await Task.sleep(for: .seconds(seconds)) }
            try await group.next()
            print(run.count)
            // What is left may wait for a node that does not answer.
            exit(0)
        }
    }
}
