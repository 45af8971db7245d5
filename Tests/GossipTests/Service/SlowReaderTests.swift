import Concurrency
import Gossip
import GossipProtocol
import Market
import Support
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SlowReaderTests {
    private var mint = RecordMint(seed: 3)

    /// - From peers: records requested and not read in time → stream reset, offence
    @Test mutating func `charges a peer that asks for records and reads no answer`() async throws {
        let links = try LinkPair.node()
        let address = try await links.listen(on: LinkPair.any)[0]
        let bo = GossipNode(links) { $0.writeMax = .milliseconds(300) }
        for record in try mint.take(1_000) {
            try await bo.box.put(record.bytes, on: GossipNode.topic)
        }
        let stranger = try LinkPair.node()
        let question = RecordQuestion.page(GossipNode.topic, after: nil, idsMax: 1_000).encoded()
        try await GossipNode.with([bo]) {
            try await withThrowingTaskGroup { group in
                group.addTask { try await stranger.run() }
                group.addTask { while await stranger.events.receive() != nil {} }
                defer { group.cancelAll() }
                let peer = try await stranger.dial(address)
                let stream = try await stranger.open(protocols: ["/stoa/records/1"], to: peer)
                // Twenty answers of 32 KB each exceed every window.
                for _ in 0..<20 { try? await stream.writeMessage(question) }
                try await waitUntil {
                    await bo.service.counts().offences["slow_reader"] != nil
                }
            }
        }
        #expect(await bo.service.counts().offences == ["slow_reader": 1])
    }
}
