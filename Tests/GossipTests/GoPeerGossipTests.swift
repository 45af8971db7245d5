import Concurrency
import Foundation
import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Support
import Testing

@Suite(.enabled(if: GoPeer.isHere, "Scripts/interop makes the peer"), .timeLimit(.minutes(2)))
struct GoPeerGossipTests {
    @Test func `a Go peer and a node exchange signed messages both ways`() async throws {
        let go = try GoPeer(topic: "interop/1")
        defer { go.stop() }
        let ready = try await go.hear("ready")
        let address = try #require(ready.addresses?.first.flatMap { Multiaddr(text: $0) })
        let topic = Topic("interop/1")
        let key = PrivateKey.random()
        let links = try LinkPair.node(identity: key)
        let ear = Ear()
        let service = Self.service(links, ear, address, key)
        try await withThrowingTaskGroup { group in
            group.addTask { try await links.run() }
            group.addTask { try await service.run() }
            defer { group.cancelAll() }
            await service.join(topic)
            for await change in service.changes where change == .meshed(ready.id, topic) { break }

            // From the node to the peer, which drops messages not signed by their author.
            var own = try await Self.hear(go, from: links.localPeer.text) {
                await service.publish([0xCA, 0xFE], on: topic)
            }
            #expect(own.data == "cafe")
            let long = [UInt8](repeating: 7, count: 60_000)
            own = try await Self.hear(go, from: links.localPeer.text) {
                await service.publish(long, on: topic)
            }
            #expect(own.data?.utf8.count == 120_000)

            // From the peer to the node.
            try go.say("00ff10")
            #expect(await ear.next() == [0x00, 0xFF, 0x10])
            try go.say(String(repeating: "ab", count: 50_000))
            #expect(await ear.next().count == 50_000)
        }
        #expect(await service.counts().offences == [:])
        print("go peer: 4 messages")
    }

    private static func service(
        _ links: Links,
        _ ear: Ear,
        _ address: Multiaddr,
        _ key: PrivateKey
    ) -> GossipService {
        var settings = GossipSettings()
        settings.policy = .strictSign(key)
        settings.bootstrap = [address]
        settings.heartbeat = .milliseconds(100)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return GossipService(
            links: links,
            validator: ear,
            source: RecordBox(),
            settings: settings,
            seed: 1,
            logger: logger
        )
    }

    /// Returns the next message that the Go peer receives from `sender` after `act`.
    private static func hear(
        _ go: GoPeer,
        from sender: String,
        _ act: () async -> Void
    ) async throws -> GoPeer.Event {
        await act()
        while true {
            let line = try await go.hear("message")
            if line.from == sender { return line }
        }
    }
}

/// Accepts every record, and hands it to the test.
private struct Ear: RecordValidator {
    private let heard = BoundedQueue<[UInt8]>(elementsMax: 64)

    func validate(
        _ data: [UInt8],
        on topic: Topic,
        from origin: RecordOrigin
    ) async -> Verdict {
        await heard.send(data) ? .accept : .ignore
    }

    func next() async -> [UInt8] { await heard.receive() ?? [] }
}

extension GoPeer.Event {
    fileprivate var id: PeerID {
        peer.flatMap { PeerIDText.peer(from: $0) } ?? PeerID(multihash: [])
    }
}
