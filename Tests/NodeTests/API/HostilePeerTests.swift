import AsyncHTTPClient
import Client
import Concurrency
import Foundation
import Gossip
import GossipProtocol
import Keys
import Market
import NIOCore
import NIOHTTP1
import Setup
import Support
import Testing

/// What peers do wrong against a whole node.
@Suite(.timeLimit(.minutes(2)))
struct HostilePeerTests {
    private static let rules = OpenLaneRules(triesPerKibibyte: 256)
    private static let flags = ["network": "test", "records.stampTries": "256"]
    private static let counts = [
        #"stoa_links_ended{reason="negotiation"}"#,
        #"stoa_gossip_offences{name="malformed_frame"}"#,
        #"stoa_gossip_offences{name="rejected_message"}"#,
        #"stoa_mail_refused{reason="not_proved"}"#, "stoa_mail_malformed",
        #"stoa_gossip_offences{name="malformed_mail"}"#,
    ]

    /// - From peers: any traffic from strangers to a whole node → counted in `/metrics`; no record
    ///   is kept
    @Test func `counts refused messages for operators and stores none`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path, flags: Self.flags) { node in
            let address = try #require(node.running.addresses.first.flatMap { Multiaddr(text: $0) })
            let before = try await Self.figures(of: node)
            try await RawSocket.send(
                [0xFF, 0xFF, 0xFF, 0x7F],
                host: "127.0.0.1",
                port: Int(address.port)
            )
            try await Self.asStranger { links in
                let peer = try await links.dial(address)
                try await Self.gossip(links, peer)
                let spoilt = try await Self.sendSpoiltRecord(links, peer)
                defer { spoilt.reset() }
                try await Self.askForMail(links, peer)
                // Counted while the link lasts; what is in vain ends with the suite's time limit.
                for name in Self.counts {
                    let known = before[name, default: 0]
                    try await waitUntil {
                        try await Self.figures(of: node)[name, default: 0] > known
                    }
                }
            }
            let status: NodeStatus = try await node.call(.GET, "node").read()
            #expect(status.records == 0)
        }
    }

    /// A frame that is none.
    private static func gossip(_ links: Links, _ peer: PeerID) async throws {
        let garbage = try await links.open(protocols: ["/meshsub/1.1.0"], to: peer)
        try await garbage.writeMessage([0xFF, 0xFF, 1])
        // The other side resets the stream.
        _ = try? await garbage.read(atMost: 1)
    }

    /// A record that is not its author's, from a peer that itself takes no gossip.
    private static func sendSpoiltRecord(
        _ links: Links,
        _ peer: PeerID
    ) async throws -> any PeerStream {
        let key = PrivateKey.random()
        let draft = RecordDraft(
            network: "test",
            author: key.address,
            content: .withdrawal(.listing),
            slot: .zero,
            createdAt: Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970) * 1_000)
        )
        // Without its stamp its signature would not be looked at.
        var bytes = try rules.stamped(draft.signed(by: key)).bytes
        bytes[bytes.count - 30] ^= 1
        var rpc = GossipRPC()
        rpc.messages = [GossipMessage(topic: Topic("/stoa/test/1"), data: bytes)]
        let stream = try await links.open(protocols: ["/meshsub/1.1.0"], to: peer)
        try await stream.writeMessage(rpc.encoded())
        return stream
    }

    /// Another's mail, and what is no question.
    private static func askForMail(_ links: Links, _ peer: PeerID) async throws {
        let stream = try await links.open(protocols: [MailExchange.protocolID], to: peer)
        try await stream.writeMessage(MailQuestion.collect(after: 0).bytes)
        var answers = stream.messages(bytesMax: 1_024)
        let answer = try #require(try await answers.next())
        #expect(try MailAnswer(answer, limits: MailLimits()) == .refused(.notProved))
        try await stream.writeMessage([0xFF, 0xFF, 1])
    }

    private static func asStranger(_ body: @Sendable (Links) async throws -> Void) async throws {
        let links = try Links(identity: .random(), agentVersion: "strange/1", logger: quiet)
        try await withThrowingTaskGroup { group in
            group.addTask { try await links.run() }
            group.addTask { while await links.events.receive() != nil {} }
            defer { group.cancelAll() }
            try await body(links)
        }
    }

    private static func figures(of node: TestNode) async throws -> [String: Double] {
        let request = HTTPClientRequest(url: node.running.health + "/metrics")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
        var figures: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            if parts.count == 2 { figures[String(parts[0])] = Double(parts[1]) }
        }
        return figures
    }
}
