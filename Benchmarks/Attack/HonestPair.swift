import Foundation
import Gossip
import Keys
import Logging
import Market
import Synchronization

/// Two peers that know nobody but the node, each at an address of its own: what one publishes
/// reaches the other through the node alone.
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
    }

    /// How long a message may take before it counts as lost.
    private static let patience = Duration.seconds(10)
    private static let interval = Duration.milliseconds(100)

    private let node: Multiaddr
    private let network: String
    private let topic: Topic
    private let rules: OpenLaneRules
    private let publisher: BenchmarkPeer
    private let reader: BenchmarkPeer
    private let heard = Hearing()

    /// `addresses` is where each of them dials the node, with the node's peer id.
    init(
        addresses: [Multiaddr],
        network: String,
        topic: Topic,
        rules: OpenLaneRules,
        policy: (PrivateKey) -> MessagePolicy
    ) throws {
        node = addresses[0]
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
            for (number, record) in records.enumerated() {
                group.addTask {
                    try await clock.sleep(until: begin + Self.interval * number)
                    return await self.sample(record)
                }
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
            return try await group.reduce(into: Phase()) { whole, part in
                whole.sent += part.sent
                whole.ping += part.ping
                whole.gossip += part.gossip
                whole.record += part.record
            }
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

    private func sample(_ record: SignedRecord) async -> Phase {
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
