import Concurrency
import Gossip
import GossipProtocol
import Keys
import Market
import Support
import Synchronization
import Testing

/// What peers that ask for records can make a whole service do.
@Suite(.timeLimit(.minutes(2)))
struct AskingServiceTests {
    private let topic = GossipNode.topic
    private let network = MemoryNetwork()

    /// - From peers: questions for records from many peers at once → answered one at a time
    @Test func `looks up answers for many peers one at a time`() async throws {
        let source = CountingSource()
        let boLinks = network.node(PeerID(multihash: [0, 1, 1]), port: 1)
        let bo = GossipNode(boLinks, source: source)
        let strangers = (2...17).map { number in
            network.node(PeerID(multihash: [0, 1, UInt8(number)]), port: UInt16(number))
        }
        try await GossipNode.with([bo]) {
            try await withThrowingTaskGroup { group in
                for stranger in strangers {
                    group.addTask { try await stranger.run() }
                    group.addTask { while await stranger.events.receive() != nil {} }
                }
                try await withThrowingTaskGroup { asking in
                    for stranger in strangers {
                        asking.addTask { try await self.ask(4, of: boLinks.address, by: stranger) }
                    }
                    try await asking.waitForAll()
                }
                group.cancelAll()
            }
        }
        #expect(source.calls == 16 * 4)
        #expect(source.callsAtOnceMax == 1)
    }

    /// - From peers: wants of records that are not here → the exchange ends, offence
    @Test func `charges a peer that repeatedly requests missing records`() async throws {
        let links = (1...2).map { network.node(PeerID(multihash: [0, 1, $0]), port: UInt16($0)) }
        let bo = GossipNode(links[1]) {
            $0.exchange.unheldBurst = 600
            $0.exchange.unheldInterval = .seconds(3_600)
        }
        try await GossipNode.with([bo]) {
            try await withThrowingTaskGroup { group in
                group.addTask { try await links[0].run() }
                group.addTask { while await links[0].events.receive() != nil {} }
                // Less than two want lists are forgiven.
                try await ask(2, of: links[1].address, by: links[0])
                #expect(await bo.service.counts().offences.isEmpty)
                group.addTask { [self] in
                    while !Task.isCancelled {
                        // The other side resets the stream, or ends the whole link.
                        try? await ask(1, of: links[1].address, by: links[0])
                    }
                }
                await bo.wait { $0 == .banned(links[0].localPeer, reason: "exchange_unheld") }
                group.cancelAll()
            }
        }
        #expect(await bo.service.counts().bans == 1)
    }

    /// Wants 256 ids that nobody has, `count` times one after the other.
    private func ask(_ count: Int, of address: Multiaddr, by links: MemoryLinks) async throws {
        let peer = try await links.dial(address)
        let stream = try await links.open(protocols: ["/stoa/records/1"], to: peer)
        var answers = stream.messages(bytesMax: 1_000)
        let ids = try (0..<256).map { number in
            let bytes = [UInt8(number)] + [UInt8](repeating: 7, count: 31)
            return RecordID(try #require(Bytes32(bytes)))
        }
        for _ in 0..<count {
            let want = RecordQuestion.want(topic, ids, bytesMax: 1 << 18)
            try await stream.writeMessage(want.encoded())
            guard let bytes = try await answers.next() else { throw LinkError.cutOff }
            #expect(bytes == RecordAnswer.batch([], covered: 256).encoded())
        }
        try await stream.closeWrite()
    }
}

/// A source without records that counts how often it is asked.
private final class CountingSource: RecordSource {
    private let counts = Mutex((now: 0, most: 0, all: 0))

    var calls: Int { counts.withLock { $0.all } }
    var callsAtOnceMax: Int { counts.withLock { $0.most } }

    func ids(on topic: Topic, after: RecordID?, countMax: Int) -> [RecordID] { [] }

    func records(
        _ ids: [RecordID],
        on topic: Topic,
        bytesMax: Int
    ) async -> [RecordExchange.Served] {
        counts.withLock { counts in
            counts.now += 1
            counts.all += 1
            counts.most = max(counts.most, counts.now)
        }
        // Long enough that others come meanwhile.
        for _ in 0..<100 { await Task.yield() }
        counts.withLock { $0.now -= 1 }
        return []
    }

    func compare(_ ids: [RecordID], on topic: Topic) -> RecordComparison {
        RecordComparison(missing: [], refused: 0)
    }

    func count(on topic: Topic) -> Int { 0 }
}
