import Foundation
import Gossip
import GossipProtocol
import Keys
import Logging
import Market

/// A peer in this process: links and gossip, nothing kept.
struct BenchmarkPeer: Sendable {
    let links: Links
    let gossip: GossipService

    static func now() -> Timestamp {
        Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
    }

    /// Dials `address`, again whenever the link is lost.
    init(
        to address: Multiaddr,
        validator: any RecordValidator,
        policy: (PrivateKey) -> MessagePolicy
    ) throws {
        let identity = PrivateKey.random()
        links = try Links.quiet(identity)
        var settings = GossipSettings()
        settings.policy = policy(identity)
        settings.bootstrap = [address]
        gossip = GossipService(
            links: links,
            validator: validator,
            source: EmptyRecordSource(),
            settings: settings,
            seed: .random(in: 0 ... .max),
            logger: .silent
        )
    }

    /// Runs until cancelled.
    func run(on topic: Topic) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await links.run() }
            group.addTask { try await gossip.run() }
            await gossip.join(topic)
            try await group.next()
            group.cancelAll()
        }
    }

    /// Whether a linked peer gossips on the topic.
    func sees(_ topic: Topic) async -> Bool {
        await gossip.peers().contains { $0.topics.contains(topic) }
    }

    /// What a home answers who asks how an account is written to.
    func records(of account: Address, from home: PeerID) async throws -> [[UInt8]] {
        let stream = try await links.open(protocols: [MailExchange.protocolID], to: home)
        defer { stream.reset() }
        guard
            case .keys(_, let records) = try await stream.ask(.keys(of: account))
        else { return [] }
        return records
    }
}

extension PeerStream {
    /// Asks a home one question of mail.
    func ask(_ question: MailQuestion) async throws -> MailAnswer {
        let limits = MailLimits()
        try await writeMessage(question.bytes, within: .seconds(10))
        var answers = messages(bytesMax: limits.answerBytesMax)
        guard let answer = try await answers.next(within: .seconds(10)) else {
            throw BenchmarkFault.ended("a stream of mail")
        }
        return try MailAnswer(answer, limits: limits)
    }
}

extension Links {
    /// Links that log nothing.
    static func quiet(_ identity: PrivateKey = .random()) throws -> Links {
        try Links(identity: identity, agentVersion: "stoa/benchmark", logger: .silent)
    }
}

extension Logger {
    static let silent = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
}
