import Concurrency
import Gossip
import GossipProtocol
import Market
import Support
import Testing

/// What peers can make a whole service store, wait for and do.
@Suite(.timeLimit(.minutes(2)))
struct GossipBoundsTests {
    private let topic = GossipNode.topic
    private let network = MemoryNetwork()
    private var mint = RecordMint(seed: 1)

    /// - From peers: a link on which the peer refuses everything and asks for nothing → it ends
    ///   after
    ///   10 minutes
    @Test func `ends a link on which the peer neither asks nor answers`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1]) { $0.uselessMax = .milliseconds(300) }
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                _ = try await links[0].dial(links[1].address)
                await bo.wait { $0 == .unlinked(peer(1)) }
            }
        }
        #expect(await links[1].links().isEmpty)
    }

    @Test func `a peer that subscribes only to topics without members is useless`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1]) { $0.uselessMax = .milliseconds(300) }
        await links[0].handle(protocol: "/meshsub/1.1.0") { stream in
            while try await stream.read(atMost: 65_536) != nil {}
        }
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                let peer2 = try await links[0].dial(links[1].address)
                let stream = try await links[0].open(protocols: ["/meshsub/1.1.0"], to: peer2)
                var hello = GossipRPC()
                hello.subscriptions = [.init(topic: Topic("/stoa/none/1"), isWanted: true)]
                try await stream.writeMessage(hello.encoded())
                await bo.wait { $0 == .unlinked(peer(1)) }
            }
        }
        #expect(await links[1].links().isEmpty)
    }

    @Test func `keeps a link on which the peer answers`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let ana = GossipNode(links[0])
        let bo = GossipNode(links[1], bootstrap: [links[0].address]) {
            $0.uselessMax = .seconds(1)
            $0.exchangeInterval = .milliseconds(60)
        }
        try await GossipNode.with([ana, bo]) {
            var (ends, exchanges) = (0, 0)
            // At most one per heartbeat, for longer than a useless link is kept.
            await bo.wait { change in
                if case .unlinked = change { ends += 1 }
                if case .exchanged = change { exchanges += 1 }
                return exchanges == 30 || ends > 0
            }
            #expect(ends == 0)
        }
    }

    /// - From peers: slow answers → another peer gets the slot; the slow one is asked less and less
    ///   often
    @Test(arguments: [8, 24])
    mutating func `peers that answer slowly delay no honest exchange`(slow: Int) async throws {
        let ana = GossipNode(network.node(peer(1), port: 1))
        let boLinks = network.node(peer(2), port: 2)
        let bo = GossipNode(boLinks) {
            $0.exchange.firstSlice = .milliseconds(100)
            $0.exchange.slice = .milliseconds(200)
            $0.exchange.slowGrace = .milliseconds(20)
            $0.exchangeInterval = .seconds(2)
        }
        let record = try mint.next()
        try await ana.box.put(record.bytes, on: topic)
        let idlers = (0..<slow).map { network.node(peer(10 + $0), port: UInt16(10 + $0)) }
        for idler in idlers {
            await idler.handle(protocol: "/stoa/records/1") { stream in
                // Reads the questions and does not answer.
                while try await stream.read(atMost: 65_536) != nil {}
            }
        }
        try await GossipNode.with([bo, ana]) {
            try await withRunning(idlers) {
                for idler in idlers { _ = try await idler.dial(boLinks.address) }
                _ = try await ana.links.dial(boLinks.address)
                await bo.box.wait(for: 1, on: GossipNode.topic)
            }
        }
        #expect(await bo.box.all(on: topic) == [record.id])
    }

    @Test mutating func `40 silent peers delay a newcomer's records only briefly`()
        async throws
    {
        let ana = GossipNode(network.node(peer(1), port: 1))
        let boLinks = network.node(peer(2), port: 2)
        let bo = GossipNode(boLinks)
        let record = try mint.next()
        try await ana.box.put(record.bytes, on: topic)
        let idlers = (0..<40).map { network.node(peer(10 + $0), port: UInt16(10 + $0)) }
        for idler in idlers {
            await idler.handle(protocol: "/stoa/records/1") { stream in
                while try await stream.read(atMost: 65_536) != nil {}
            }
        }
        try await GossipNode.with([bo, ana]) {
            try await withRunning(idlers) {
                for idler in idlers { _ = try await idler.dial(boLinks.address) }
                let start = SystemMonotonicClock().uptime
                _ = try await ana.links.dial(boLinks.address)
                await bo.box.wait(for: 1, on: GossipNode.topic)
                let time = SystemMonotonicClock().uptime - start
                print("a newcomer's records behind 40 slow peers: \(time)")
                // A second and a half on a quiet machine; the slices of the others would take 13 s.
                #expect(time < .seconds(10))
            }
        }
    }

    @Test mutating func `fetches a large difference in several limited exchanges`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let ana = GossipNode(links[0])
        let bo = GossipNode(links[1], bootstrap: [links[0].address]) {
            $0.exchange.pageIDsMax = 10
            $0.exchange.firstBatchBytesMax = 2_000
            $0.exchange.fetchedBytesMax = 5_000
        }
        let records = try mint.take(100)
        for record in records { try await ana.box.put(record.bytes, on: topic) }
        try await GossipNode.with([ana, bo]) {
            await bo.wait { change in
                guard case .exchanged(_, _, let status) = change else { return false }
                return status.counts.isComplete
                    && status.counts.accepted + status.counts.held >= 100
            }
        }
        #expect(await bo.box.all(on: topic).count == 100)
        #expect(await bo.service.counts().fetched == 100)
    }

    /// - From peers: an exchange question that is too long or malformed → stream reset, offence
    @Test(arguments: [[0xFF, 0xFF, 0x7F], [0x80, 0x00], [3, 1, 2, 3]] as [[UInt8]])
    func `counts an overlong or malformed question as an offence`(bytes: [UInt8]) async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1])
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                for _ in 1...5 {
                    let peer = try await links[0].dial(links[1].address)
                    let stream = try await links[0].open(protocols: ["/stoa/records/1"], to: peer)
                    try await stream.write(bytes)
                    // The other side resets the stream, or ends the whole link.
                    _ = try? await stream.read(atMost: 1)
                }
                await bo.wait { $0 == .banned(peer(1), reason: "exchange_malformed") }
            }
        }
        #expect(await bo.service.counts().bans == 1)
    }

    /// - From peers: endless small frames, to delay those of other peers → not read until the next
    ///   heartbeat
    @Test mutating func `stops reading a peer that used up its share until the next heartbeat`()
        async throws
    {
        let links = (1...3).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[2]) {
            $0.heartbeat = .seconds(100)
            $0.gossip.duplicatesMax = 2
        }
        let records = try mint.take(3)
        let messages = records.map { record in
            var rpc = GossipRPC()
            rpc.messages = [GossipMessage(topic: topic, data: record.bytes)]
            return rpc
        }
        try await GossipNode.with([bo]) {
            try await withRunning([links[0], links[1]]) {
                var streams: [any PeerStream] = []
                for stranger in links.prefix(2) {
                    let bo = try await stranger.dial(links[2].address)
                    streams.append(try await stranger.open(protocols: ["/meshsub/1.1.0"], to: bo))
                }
                try await withThrowingTaskGroup { group in
                    group.addTask { [flood = streams[0]] in
                        for _ in 0..<8 { try await flood.writeMessage(messages[0].encoded()) }
                        try await flood.writeMessage(messages[1].encoded())
                    }
                    try await waitUntil { await !bo.service.counts().offences.isEmpty }
                    try await streams[1].writeMessage(messages[2].encoded())
                    await bo.box.wait(for: 2, on: GossipNode.topic)
                    for _ in 0..<1_000 { await Task.yield() }
                    let ids = [records[0].id, records[2].id]
                    #expect(await bo.box.all(on: GossipNode.topic) == Set(ids))
                    group.cancelAll()
                }
            }
        }
    }

    /// - From peers: endless questions for records, over any streams → answers wait; a further
    ///   question meanwhile is an offence
    @Test(arguments: [true, false])
    func `delays answers to a peer that asks a lot, then charges it`(
        isPatient: Bool
    ) async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1]) {
            $0.exchange.questionsBurst = 2
            $0.exchange.questionsPerSecond = 50
        }
        let question = RecordQuestion.page(topic, after: nil, idsMax: 10).encoded()
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                let peer = try await links[0].dial(links[1].address)
                let stream = try await links[0].open(protocols: ["/stoa/records/1"], to: peer)
                var answers = stream.messages(bytesMax: 1_000)
                if isPatient {
                    for _ in 1...12 {
                        try await stream.writeMessage(question)
                        #expect(try await answers.next() != nil)
                    }
                } else {
                    let message = Varint.encode(question.count) + question
                    try await stream.write((1...200).flatMap { _ in message })
                    // Until the link ends.
                    while (try? await answers.next()) != nil {}
                    await bo.wait {
                        $0 == .banned(links[0].localPeer, reason: "too_many_questions")
                    }
                }
            }
        }
        #expect(await bo.service.counts().offences.isEmpty == isPatient)
    }

    /// - From peers: repeated questions for other peers → stream reset, offence
    @Test func `charges a peer that repeatedly asks for peers`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        let bo = GossipNode(links[1]) {
            $0.peerQuestionsBurst = 2
            $0.peerQuestionBeats = 1_000_000
        }
        try await GossipNode.with([bo]) {
            try await withRunning([links[0]]) {
                for _ in 1...52 {
                    let peer = try await links[0].dial(links[1].address)
                    let stream = try await links[0].open(protocols: ["/stoa/peers/1"], to: peer)
                    // An answer, or a reset.
                    _ = try? await stream.read(atMost: 1)
                }
                await bo.wait { $0 == .banned(peer(1), reason: "too_many_questions") }
            }
        }
        #expect(await bo.service.counts().bans == 1)
    }

    /// - From peers: a malformed frame while the inbox is full, from a link that ends at once →
    ///   charged like any other
    @Test func `counts an offence with a full inbox and after a cancellation`() async throws {
        let bo = GossipNode(network.node(peer(1), port: 1)) { $0.inboxMax = 1 }
        await bo.service.join(topic)
        // The inbox is not emptied yet.
        let service = bo.service
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            service.charge(peer(2), with: .malformedFrame)
        }
        task.cancel()
        await task.value
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            try await waitUntil { await service.counts().offences["malformed_frame"] != nil }
            group.cancelAll()
        }
        #expect(await service.counts().offences == ["malformed_frame": 1])
    }

    @Test func `looks up a configured name and dials its addresses`() async throws {
        let links = (1...2).map { network.node(peer($0), port: UInt16($0)) }
        network.name("ana.example", [IPAddress(ip4: "127.0.0.1")].compactMap { $0 })
        let name = Multiaddr(host: .dns("ana.example"), port: 1, peer: peer(1))
        let ana = GossipNode(links[0])
        let bo = GossipNode(links[1], bootstrap: [name])
        try await GossipNode.with([ana, bo]) { await bo.wait { $0 == .linked(peer(1)) } }
        #expect(network.lookUps == ["ana.example"])
    }
}

private func peer(_ number: Int) -> PeerID { PeerID(multihash: [0, 1, UInt8(number)]) }
