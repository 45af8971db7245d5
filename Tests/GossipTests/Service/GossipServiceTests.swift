import Concurrency
import Gossip
import GossipProtocol
import Keys
import Market
import Support
import Testing

@Suite(.timeLimit(.minutes(2)))
struct GossipServiceTests {
    private let topic = GossipNode.topic
    private let network = MemoryNetwork()
    private var mint = RecordMint(seed: 1)

    @Test mutating func `nodes that accepted a record pass it on`() async throws {
        let links = (1...3).map { network.node(peer($0), port: UInt16($0)) }
        network.block(peer(1), peer(3))
        let ana = GossipNode(links[0], bootstrap: [links[1].address])
        let bo = GossipNode(links[1], bootstrap: [links[2].address])
        let cy = GossipNode(links[2])
        let records = try mint.take(20)
        try await GossipNode.with([ana, bo, cy]) {
            await ana.waitForMesh(with: peer(2))
            await cy.waitForMesh(with: peer(2))
            for record in records { try await ana.publish(record) }
            await cy.box.wait(for: 20, on: GossipNode.topic)
        }

        let ids = Set(records.map(\.id))
        #expect(await bo.box.all(on: topic) == ids)
        #expect(await cy.box.all(on: topic) == ids)
        #expect(await bo.service.counts().rejected == 0)
    }

    @Test mutating func `a new link delivers the records that either side lacks`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let ana = GossipNode(links[0]) { $0.exchange.pageIDsMax = 70 }
        let bo = GossipNode(links[1], bootstrap: [links[0].address]) {
            $0.exchange.wantIDsMax = 32
            $0.exchangeInterval = .milliseconds(200)
        }
        let records = try mint.take(300)
        for record in records[..<200] { try await ana.box.put(record.bytes, on: topic) }
        for record in records[100...] { try await bo.box.put(record.bytes, on: topic) }
        try await GossipNode.with([ana, bo]) {
            await ana.box.wait(for: 300, on: GossipNode.topic)
            await bo.box.wait(for: 300, on: GossipNode.topic)
            await bo.wait { change in
                guard case .exchanged(_, _, let status) = change else { return false }
                return status.summary == .equal
                    && status.counts.accepted + status.counts.held == 300
            }
        }
    }

    @Test mutating func `reports refused records as refused`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let ana = GossipNode(links[0])
        let bo = GossipNode(links[1], bootstrap: [links[0].address])
        let records = try mint.take(10)
        for record in records { try await ana.box.put(record.bytes, on: topic) }
        for record in records[..<3] { await bo.box.refuse(record.id) }
        try await GossipNode.with([ana, bo]) {
            await bo.wait { change in
                guard case .exchanged(_, _, let status) = change else { return false }
                return status.summary == .refused(3) && status.counts.accepted == 7
            }
        }
        #expect(await bo.box.all(on: topic).count == 7)
    }

    /// - From peers: a damaged copy that arrives first → the good copy is still accepted
    @Test mutating func `a corrupted copy that arrives first does not block the good one`()
        async throws
    {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1])
        let record = try mint.next()
        var spoilt = record.bytes
        spoilt[spoilt.count - 2] ^= 1
        let copies = [spoilt, record.bytes]
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                let stream = try await stranger(links[0], dials: links[1])
                for copy in copies {
                    var rpc = GossipRPC()
                    rpc.messages = [GossipMessage(topic: GossipNode.topic, data: copy)]
                    try await stream.writeMessage(rpc.encoded())
                }
                await bo.box.wait(for: 1, on: GossipNode.topic)
            }
        }
        #expect(await bo.box.verdicts.filter { $0 == .reject }.count == 1)
        #expect(await bo.box.all(on: topic) == [record.id])
    }

    @Test mutating func `hears a peer that does not accept gossip, and reports it once it does`()
        async throws
    {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1])
        let records = try mint.take(2)
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                let stream = try await stranger(links[0], dials: links[1])
                await bo.wait { $0 == .muted(peer(1)) }
                for record in records {
                    var rpc = GossipRPC()
                    rpc.messages = [GossipMessage(topic: GossipNode.topic, data: record.bytes)]
                    try await stream.writeMessage(rpc.encoded())
                }
                await bo.box.wait(for: 2, on: GossipNode.topic)

                await links[0].handle(protocol: "/meshsub/1.1.0") { stream in
                    while try await stream.read(atMost: 65_536) != nil {}
                }
                try await stream.writeMessage(hello.encoded())
                await bo.waitForMesh(with: peer(1))
            }
        }
    }

    /// - From peers: garbage on a stream → stream reset, counted; banned at the fifth time
    @Test func `drops a peer that sends garbage, and bans it at the fifth time`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1])
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                for attempt in 1...5 {
                    let stream = try await stranger(links[0], dials: links[1])
                    try await stream.writeMessage([0xFF, 0xFF, UInt8(attempt)])
                    // The other side resets the stream, or ends the whole link.
                    _ = try? await stream.read(atMost: 1)
                }
                await bo.wait { $0 == .banned(peer(1), reason: "malformed_frame") }
            }
        }
        #expect(await bo.service.counts().offences["malformed_frame"] == 5)
        #expect(await bo.service.bans().map(\.peer) == [peer(1)])
    }

    /// - From peers: a partial message, or one with a wrong length → stream reset, offence
    @Test(
        arguments: [[0x40, 1, 2, 3], [0x80], [0xFF, 0xFF, 0xFF, 0x7F], [0x81, 0x00, 1]] as [[UInt8]]
    )
    func `drops and counts a partial frame or one with a wrong length`(
        bytes: [UInt8]
    ) async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1])
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                for _ in 1...5 {
                    let stream = try await stranger(links[0], dials: links[1])
                    try await stream.write(bytes)
                    // A wrong length is refused before that.
                    try? await stream.closeWrite()
                    // The other side resets the stream, or ends the whole link.
                    _ = try? await stream.read(atMost: 1)
                }
                await bo.wait { $0 == .banned(peer(1), reason: "malformed_frame") }
            }
        }
        #expect(await bo.service.counts().offences == ["malformed_frame": 5])
        #expect(await bo.box.all(on: topic).isEmpty)
    }

    /// - From peers: a peer that never reads → it loses messages; its outbox is bounded
    @Test mutating func `a peer that never reads costs at most one bounded outbox`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1]) { $0.outboxFramesMax = 8 }
        await links[0].handle(protocol: "/meshsub/1.1.0") { _ in
            // Reads nothing until the link has ended.
            for await _ in AsyncStream<Never>(bufferingPolicy: .bufferingOldest(1), { _ in }) {}
        }
        let records = try mint.take(40)
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                let stream = try await stranger(links[0], dials: links[1])
                try await stream.writeMessage(hello.encoded())
                await bo.waitForMesh(with: peer(1))
                for record in records { try await bo.publish(record) }
                // It is behind the records in the inbox.
                await bo.service.ban(peer(1), for: .seconds(60), reason: "end of test")
                await bo.wait { $0 == .banned(peer(1), reason: "end of test") }
            }
        }
        #expect(await bo.service.counts().published == 40)
        #expect(await bo.service.counts().framesDropped >= 20)
    }

    @Test func `heartbeats continue however much peers send`() async throws {
        let links = (1...4).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[3]) {
            $0.inboxMax = 1
            $0.heartbeat = .milliseconds(5)
        }
        for noisy in links[..<3] {
            await noisy.handle(protocol: "/meshsub/1.1.0") { stream in
                while try await stream.read(atMost: 65_536) != nil {}
            }
        }
        try await GossipNode.with([bo]) {
            try await withThrowingTaskGroup { group in
                for noisy in links[..<3] {
                    group.addTask { try await noisy.run() }
                    group.addTask { while await noisy.events.receive() != nil {} }
                    for _ in 0..<2 {
                        let stream = try await stranger(noisy, dials: links[3])
                        group.addTask { await flood(stream) }
                    }
                }
                // Meshes change only at heartbeats.
                await bo.waitForMesh(with: peer(1))
                group.cancelAll()
            }
        }
    }

    @Test func `streams that end now and then do not silence a peer`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1]) { $0.lineInterval = .microseconds(1) }
        let streams = BoundedQueue<any PeerStream>(elementsMax: 1)
        await links[0].handle(protocol: "/meshsub/1.1.0") { stream in
            await streams.send(stream)
            while try await stream.read(atMost: 65_536) != nil {}
        }
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                _ = try await links[0].dial(links[1].address)
                // More streams than a link may have at once, each after the previous one was
                // counted out.
                for number in 1...8 {
                    let stream = try #require(await streams.receive())
                    stream.reset()
                    // Peers receive it, which shows that the stream has ended.
                    await bo.service.join(Topic("/stoa/other/\(number)"))
                }
                // The ninth stream arrives.
                _ = try #require(await streams.receive())
            }
        }
        #expect(await bo.service.counts().offences.isEmpty)
    }

    @Test func `ends an exchange without progress and blames no peer`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1]) {
            $0.answerMax = .milliseconds(1)
            $0.exchangeMax = .milliseconds(2)
        }
        await links[0].handle(protocol: "/stoa/records/1") { stream in
            var questions = stream.messages(bytesMax: 400_000)
            var count: UInt64 = 0
            while let bytes = try await questions.next() {
                switch RecordQuestion(decoding: bytes, limits: ExchangeLimits()) {
                case .page:
                    count += 1
                    let id = RecordID(Bytes32(words: 0, 0, 0, count))
                    try await stream.writeMessage(RecordAnswer.page([id], isLast: false).encoded())
                case .want(_, let ids, _):
                    let none = RecordAnswer.batch([], covered: ids.count)
                    try await stream.writeMessage(none.encoded())
                case nil: return
                }
            }
        }
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                _ = try await links[0].dial(links[1].address)
                await bo.wait { change in
                    guard case .exchanged(_, _, let status) = change else { return false }
                    return !status.isRunning && status.counts.offered < 1_000
                }
            }
        }
        #expect(await bo.service.counts().offences.isEmpty)
    }

    @Test mutating func `an exchange that timed out after progress resumes at once`()
        async throws
    {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1]) {
            $0.answerMax = .seconds(2)
            $0.exchangeMax = .milliseconds(2_100)
            $0.exchangeInterval = .seconds(3_600)
            // Only its time limit ends it.
            ($0.exchange.unprovenMax, $0.exchange.questionsMax) = (.max, .max)
        }
        let record = try mint.next()
        let streams = BoundedQueue<Int>(elementsMax: 16)
        await links[0].handle(protocol: "/stoa/records/1") { stream in
            _ = streams.offer(1)
            try await serve(record, thenIDsWithoutEndOver: stream)
        }
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                _ = try await links[0].dial(links[1].address)
                _ = await streams.receive()
                _ = await streams.receive()
            }
        }
        #expect(await bo.box.all(on: topic) == [record.id])
    }
}

/// Subscribes to the topic, then sends frames with little effect until the stream ends.
@Sendable private func flood(_ stream: any PeerStream) async {
    var noise = GossipRPC()
    noise.subscriptions = [.init(topic: Topic("/stoa/other/1"), isWanted: true)]
    var frame = hello.encoded()
    // The test waits for the end of the stream.
    while (try? await stream.writeMessage(frame)) != nil { frame = noise.encoded() }
}

private let hello: GossipRPC = {
    var rpc = GossipRPC()
    rpc.subscriptions = [.init(topic: GossipNode.topic, isWanted: true)]
    return rpc
}()

private func peer(_ number: Int) -> PeerID { PeerID(multihash: [0, 1, UInt8(number)]) }

/// Opens a gossip stream as an unknown peer; dials if there is no link.
private func stranger(
    _ links: MemoryLinks,
    dials other: MemoryLinks
) async throws -> any PeerStream {
    let peer = try await links.dial(other.address)
    return try await links.open(protocols: ["/meshsub/1.1.0"], to: peer)
}

/// Serves one record, then endless ids above it without records.
@Sendable private func serve(
    _ record: SignedRecord,
    thenIDsWithoutEndOver stream: any PeerStream
) async throws {
    var questions = stream.messages(bytesMax: 400_000)
    while let bytes = try await questions.next() {
        switch RecordQuestion(decoding: bytes, limits: ExchangeLimits()) {
        case .page(_, nil, _):
            try await stream.writeMessage(RecordAnswer.page([record.id], isLast: false).encoded())
        case .page(_, let after?, _):
            let (one, two, three, four) = after.digest.words
            let next = RecordID(Bytes32(words: one, two, three, four &+ 1))
            try await stream.writeMessage(RecordAnswer.page([next], isLast: false).encoded())
        case .want(_, let ids, _):
            let records = ids == [record.id] ? [record.bytes] : []
            let batch = RecordAnswer.batch(records, covered: ids.count)
            try await stream.writeMessage(batch.encoded())
        case nil: return
        }
    }
}
