import Foundation
import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Synchronization

/// Two peers that know nobody but the node, each at an address of its own.
///
/// What one publishes reaches the other through the node alone. If there are addresses of newcomers, a new peer publishes
/// each second instead of the first.
final class HonestPair: Sendable {
    /// Milliseconds, a value for each try that came to its end.
    struct Phase {
        var sent = 0
        var ping: [Double] = []
        /// From publishing to the other peer's hearing it.
        var gossip: [Double] = []
        /// From publishing to the node's answer that shows it.
        var record: [Double] = []

        var delivered: Int { gossip.count }
        /// Whether no ping, record or message was lost.
        var isWhole: Bool { ping.count == sent && gossip.count == sent && record.count == sent }

        mutating func add(_ part: Phase) {
            sent += part.sent
            ping += part.ping
            gossip += part.gossip
            record += part.record
        }
    }

    /// How long a message may take before it counts as lost.
    private static let patience = Duration.seconds(10)
    private static let interval = Duration.milliseconds(100)

    private let node: Multiaddr
    private let network: String
    private let topic: Topic
    private let rules: OpenLaneRules
    private let policy: @Sendable (PrivateKey) -> MessagePolicy
    private let newcomers: [Multiaddr]
    private let newcomersMade = Atomic<Int>(0)
    private let publisher: BenchmarkPeer
    private let reader: BenchmarkPeer
    private let heard = Hearing()

    /// `addresses` is where each of them dials the node, with the node's peer id.
    init(
        addresses: [Multiaddr],
        newcomers: [Multiaddr] = [],
        network: String,
        topic: Topic,
        rules: OpenLaneRules,
        policy: @escaping @Sendable (PrivateKey) -> MessagePolicy
    ) throws {
        node = addresses[0]
        (self.newcomers, self.policy) = (newcomers, policy)
        (self.network, self.topic, self.rules) = (network, topic, rules)
        publisher = try BenchmarkPeer(to: addresses[0], validator: Hearing(), policy: policy)
        reader = try BenchmarkPeer(to: addresses[1], validator: heard, policy: policy)
    }

    /// Runs both until cancelled.
    func run() async throws {
        try await withThrowingTaskGroup { group in
            for peer in [publisher, reader] { group.addTask { try await peer.run(on: self.topic) } }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Waits until the node is linked to both and gossips with them.
    func meet() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        for peer in [publisher, reader] {
            while await !peer.sees(topic) {
                guard clock.now - start < .seconds(20) else {
                    throw BenchmarkFault.notInTime("the honest peers")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Publishes a record and pings every tenth of a second, and waits for what is on its way.
    func measure(seconds: Int) async throws -> Phase {
        let clock = ContinuousClock()
        let records = try (0..<seconds * 10).map { _ in try record() }
        let begin = clock.now
        return try await withThrowingTaskGroup { group in
            for second in 0..<seconds {
                let ten = Array(records[second * 10..<second * 10 + 10])
                group.addTask {
                    try await clock.sleep(until: begin + .seconds(second))
                    return try await self.publish(ten, from: begin + .seconds(second))
                }
            }
            for number in records.indices {
                group.addTask {
                    try await clock.sleep(until: begin + Self.interval * number)
                    let time = try? await Ping.measure(
                        try self.peer(),
                        over: self.publisher.links,
                        within: Self.patience
                    )
                    return Phase(ping: time.map { [$0 / .milliseconds(1)] } ?? [])
                }
            }
            return try await group.reduce(into: Phase()) { $0.add($1) }
        }
    }

    /// The slot of an account's device, as the node shows it.
    func device(of account: Address) async throws -> Bytes32? {
        for bytes in try await publisher.records(of: account, from: try peer()) {
            let draft = try UnverifiedRecord(bytes).draft
            if draft.kind == RecordKind.device.rawValue { return draft.slot }
        }
        return nil
    }

    /// Publishes a record every tenth of a second, by a peer that is new if there are such.
    private func publish(
        _ records: [SignedRecord],
        from begin: ContinuousClock.Instant
    ) async throws -> Phase {
        guard !newcomers.isEmpty else {
            return try await publish(records, from: begin, by: publisher)
        }
        let number = newcomersMade.add(1, ordering: .relaxed).oldValue
        let newcomer = try BenchmarkPeer(
            to: newcomers[number % newcomers.count],
            validator: Hearing(),
            policy: policy
        )
        return try await withThrowingTaskGroup(of: Phase?.self) { group in
            group.addTask {
                try await newcomer.run(on: self.topic)
                return nil
            }
            group.addTask {
                let clock = ContinuousClock()
                let start = clock.now
                while await !newcomer.sees(self.topic), clock.now - start < Self.patience {
                    try await clock.sleep(for: .milliseconds(10))
                }
                return try await self.publish(records, from: clock.now, by: newcomer)
            }
            defer { group.cancelAll() }
            while let step = try await group.next() { if let phase = step { return phase } }
            return Phase(sent: records.count)
        }
    }

    private func publish(
        _ records: [SignedRecord],
        from begin: ContinuousClock.Instant,
        by publisher: BenchmarkPeer
    ) async throws -> Phase {
        try await withThrowingTaskGroup { group in
            for (number, record) in records.enumerated() {
                group.addTask {
                    try await ContinuousClock().sleep(until: begin + Self.interval * number)
                    return await self.sample(record, by: publisher)
                }
            }
            return try await group.reduce(into: Phase()) { $0.add($1) }
        }
    }

    private func sample(_ record: SignedRecord, by publisher: BenchmarkPeer) async -> Phase {
        let clock = ContinuousClock()
        let start = clock.now
        var phase = Phase(sent: 1)
        await publisher.gossip.publish(record.bytes, on: topic)
        while heard.time(of: record.bytes) == nil, clock.now - start < Self.patience {
            // Cancelled, it ends at once.
            try? await Task.sleep(for: .milliseconds(1))
        }
        if let time = heard.time(of: record.bytes) {
            phase.gossip.append((time - start) / .milliseconds(1))
        }
        // What a node passes on is durable there; one question is enough.
        if let records = try? await publisher.records(of: record.author, from: try peer()),
            records.contains(record.bytes)
        {
            phase.record.append((clock.now - start) / .milliseconds(1))
        }
        return phase
    }

    private func peer() throws -> PeerID {
        guard let peer = node.peer else { throw BenchmarkFault.ended("a node without a name") }
        return peer
    }

    private func record() throws -> SignedRecord {
        let author = PrivateKey.random()
        let draft = RecordDraft(
            network: network,
            author: author.address,
            content: .profile(try Profile(name: "An honest peer", about: "Sells bicycles.")),
            slot: .zero,
            createdAt: BenchmarkPeer.now()
        )
        return try rules.stamped(try draft.signed(by: author))
    }
}

/// Notes when what was heard first; passes nothing on.
private final class Hearing: RecordValidator {
    private let times = Mutex<[[UInt8]: ContinuousClock.Instant]>([:])

    func time(of data: [UInt8]) -> ContinuousClock.Instant? { times.withLock { $0[data] } }

    func validate(
        _ data: [UInt8],
        on topic: Topic,
        from origin: RecordOrigin
    ) async -> Verdict {
        let now = ContinuousClock().now
        times.withLock { times in
            // A flood that is passed on is not to fill this process.
            if times.count > 100_000 { times = [:] }
            if times[data] == nil { times[data] = now }
        }
        return .ignore
    }
}
