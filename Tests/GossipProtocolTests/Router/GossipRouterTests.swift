import GossipProtocol
import Market
import Testing

struct GossipRouterTests {
    private let topic = Topic("/stoa/test/1")
    private var router = GossipRouter(seed: 1)

    @Test mutating func `sends a new peer its topics`() {
        _ = router.handle(.joined(topic), at: .start)
        var hello = GossipRPC()
        hello.subscriptions = [.init(topic: topic, isWanted: true)]
        #expect(
            router.handle(.connected(peer(1), isOutbound: true), at: .start)
                == [.send(hello, to: peer(1))]
        )
    }

    @Test mutating func `forwards a message only once it is accepted`() throws {
        connect(1...3)
        _ = router.handle(.heartbeat, at: .start)
        #expect(router.mesh(of: topic).count == 3)

        let validated = router.handle(.received(frame([7]), from: peer(1)), at: .start)
        let id = try #require(validatedID(validated))
        #expect(validated.count == 1)

        let sent = router.handle(.validated(id, .accept), at: .start)
        #expect(receivers(sent) == [peer(2), peer(3)])
    }

    @Test mutating func `does not forward a message to peers that have sent it too`() throws {
        connect(1...3)
        _ = router.handle(.heartbeat, at: .start)
        let id = try #require(
            validatedID(router.handle(.received(frame([7]), from: peer(1)), at: .start))
        )
        #expect(router.handle(.received(frame([7]), from: peer(2)), at: .start).isEmpty)
        #expect(receivers(router.handle(.validated(id, .accept), at: .start)) == [peer(3)])
        #expect(router.handle(.received(frame([7]), from: peer(3)), at: .start).isEmpty)
    }

    @Test mutating func `charges all senders of a rejected message`() throws {
        connect(1...2)
        let id = try #require(
            validatedID(router.handle(.received(frame([7]), from: peer(1)), at: .start))
        )
        _ = router.handle(.received(frame([7]), from: peer(2)), at: .start)
        #expect(
            router.handle(.validated(id, .reject), at: .start) == [
                .note(peer(1), .rejectedMessage), .note(peer(2), .rejectedMessage),
            ]
        )
    }

    @Test mutating func `validates an ignored message again`() throws {
        connect(1...1)
        let first = router.handle(.received(frame([7]), from: peer(1)), at: .start)
        let id = try #require(validatedID(first))
        _ = router.handle(.validated(id, .ignoreForNow), at: .start)
        #expect(
            validatedID(router.handle(.received(frame([7]), from: peer(1)), at: .start)) == id
        )
        _ = router.handle(.validated(id, .ignore), at: .start)
        #expect(router.handle(.received(frame([7]), from: peer(1)), at: .start).isEmpty)
    }

    /// - From peers: a first copy from a peer that has used up its budget → validated for the next
    ///   peer that sent it
    @Test mutating func `validates a message from its next sender if the first was ignored`()
        throws
    {
        connect(1...4)
        _ = router.handle(.heartbeat, at: .start)
        let id = try #require(
            validatedID(router.handle(.received(frame([7]), from: peer(1)), at: .start))
        )
        for number in 2...3 as ClosedRange<UInt8> {
            #expect(router.handle(.received(frame([7]), from: peer(number)), at: .start).isEmpty)
        }
        let message = GossipMessage(topic: topic, data: [7])
        for number in 2...3 as ClosedRange<UInt8> {
            #expect(
                router.handle(.validated(id, .ignoreForNow), at: .start)
                    == [.validate(message, id: id, from: peer(number))]
            )
        }
        #expect(receivers(router.handle(.validated(id, .accept), at: .start)) == [peer(4)])
    }

    /// - From peers: a message that breaks the network's signing policy → offence
    @Test mutating func `refuses a message that names its sender`() {
        connect(1...1)
        let seal = GossipMessage.Seal(from: peer(1), sequence: [1], signature: [], key: nil)
        var rpc = GossipRPC()
        rpc.messages = [GossipMessage(topic: topic, data: [7], seal: seal)]
        #expect(
            router.handle(.received(rpc, from: peer(1)), at: .start)
                == [.note(peer(1), .unfitMessage)]
        )
    }

    @Test mutating func `keeps its mesh within the bounds`() {
        connect(1...40)
        for second in 0..<200 {
            let now = Moment.start + .seconds(second)
            _ = router.handle(.heartbeat, at: now)
            #expect((6...12).contains(router.mesh(of: topic).count))
            for number in 1...40 as ClosedRange<UInt8> {
                var rpc = GossipRPC()
                rpc.meshChanges = [.graft(topic)]
                _ = router.handle(.received(rpc, from: peer(number)), at: now)
            }
        }
    }

    @Test mutating func `does not graft a peer in back-off, and charges an early graft`() {
        connect(1...1)
        _ = router.handle(.heartbeat, at: .start)
        var prune = GossipRPC()
        prune.meshChanges = [.prune(topic, backoffSeconds: 60)]
        _ = router.handle(.received(prune, from: peer(1)), at: .start)
        _ = router.handle(.heartbeat, at: .start + .seconds(59))
        #expect(router.mesh(of: topic).isEmpty)

        var graft = GossipRPC()
        graft.meshChanges = [.graft(topic)]
        let early = router.handle(.received(graft, from: peer(1)), at: .start + .seconds(59))
        #expect(early.contains(.note(peer(1), .graftTooEarly)))

        _ = router.handle(.heartbeat, at: .start + .seconds(122))
        #expect(router.mesh(of: topic) == [peer(1)])
    }

    @Test mutating func `asks once for an announced message and charges a broken promise`() {
        connect(1...2)
        let id = MessageID(bytes: [1, 2, 3])
        var have = GossipRPC()
        have.announcements = [.init(topic: topic, ids: [id])]
        var want = GossipRPC()
        want.wanted = [id]
        #expect(
            router.handle(.received(have, from: peer(1)), at: .start)
                == [.send(want, to: peer(1))]
        )
        #expect(router.handle(.received(have, from: peer(2)), at: .start).isEmpty)
        let late = router.handle(.heartbeat, at: .start + .seconds(3))
        #expect(late.contains(.note(peer(1), .brokenPromise)))
    }

    @Test mutating func `asks a mesh peer again for a message that it announces again`() {
        connect(1...1)
        let id = MessageID(bytes: [1, 2, 3])
        var have = GossipRPC()
        have.announcements = [.init(topic: topic, ids: [id])]
        var want = GossipRPC()
        want.wanted = [id]
        let asked: [GossipRouter.Directive] = [.send(want, to: peer(1))]
        #expect(router.handle(.received(have, from: peer(1)), at: .start) == asked)
        #expect(router.handle(.received(have, from: peer(1)), at: .start).isEmpty)
        _ = router.handle(.heartbeat, at: .start)
        #expect(router.mesh(of: topic) == [peer(1)])
        #expect(router.handle(.received(have, from: peer(1)), at: .start) == asked)
    }

    @Test mutating func `serves a recent message to one peer only a few times`() throws {
        connect(1...1)
        _ = router.handle(.published([9], on: topic), at: .start)
        let id = try #require(MessagePolicy.strictNoSign.identify(.init(topic: topic, data: [9])))
        var want = GossipRPC()
        want.wanted = [id]
        for round in 0..<5 {
            let sent = router.handle(.received(want, from: peer(1)), at: .start)
            #expect(receivers(sent).isEmpty == (round >= 3))
        }
    }

    @Test mutating func `limits the messages that one peer can make it request`() {
        connect(1...1)
        var offences = 0
        for round in 0..<12 {
            var have = GossipRPC()
            let ids = (0..<4_000).map {
                MessageID(bytes: [UInt8(round), UInt8($0 >> 8), UInt8($0 & 255)])
            }
            have.announcements = [.init(topic: topic, ids: ids)]
            let answer = router.handle(.received(have, from: peer(1)), at: .start)
            if answer.contains(.note(peer(1), .tooManyAnnouncements)) { offences += 1 }
        }
        #expect(offences == 1)
    }

    @Test mutating func `asks the next announcer if the first one does not deliver`() {
        connect(1...3)
        let id = MessageID(bytes: [1, 2, 3])
        var have = GossipRPC()
        have.announcements = [.init(topic: topic, ids: [id])]
        var want = GossipRPC()
        want.wanted = [id]
        for number in 1...3 as ClosedRange<UInt8> {
            _ = router.handle(.received(have, from: peer(number)), at: .start)
        }
        _ = router.handle(.disconnected(peer(2)), at: .start)
        let late = router.handle(.heartbeat, at: .start + .seconds(3))
        #expect(late.contains(.note(peer(1), .brokenPromise)))
        #expect(late.contains(.send(want, to: peer(3))))
        let later = router.handle(.heartbeat, at: .start + .seconds(6))
        #expect(later.contains(.note(peer(3), .brokenPromise)))
        // No announcer is left to ask: the next one is asked.
        #expect(
            router.handle(.received(have, from: peer(1)), at: .start + .seconds(6))
                == [.send(want, to: peer(1))]
        )
    }

    @Test mutating func `a copy on another topic does not count as the original`() {
        connect(1...1)
        let other = Topic("/stoa/test/2")
        _ = router.handle(.joined(other), at: .start)
        var stray = GossipRPC()
        stray.messages = [GossipMessage(topic: other, data: [7])]
        let first = router.handle(.received(stray, from: peer(1)), at: .start)
        if let id = validatedID(first) { _ = router.handle(.validated(id, .ignore), at: .start) }
        #expect(
            validatedID(router.handle(.received(frame([7]), from: peer(1)), at: .start)) != nil
        )
    }

    @Test func `validates only as many of a peer's messages as allowed`() {
        var limits = GossipLimits()
        (limits.deliveriesMax, limits.deliveriesPerHeartbeat) = (3, 2)
        var router = GossipRouter(limits: limits, seed: 1)
        _ = router.handle(.joined(topic), at: .start)
        for number in 1...2 as ClosedRange<UInt8> {
            _ = router.handle(.connected(peer(number), isOutbound: true), at: .start)
        }
        func validated(_ data: [UInt8], from number: UInt8) -> Bool {
            validatedID(router.handle(.received(frame(data), from: peer(number)), at: .start))
                != nil
        }
        #expect((0..<5).map { validated([$0], from: 1) } == [true, true, true, false, false])
        #expect(validated([4], from: 2))
        _ = router.handle(.heartbeat, at: .start)
        #expect((10..<13).map { validated([$0], from: 1) } == [true, true, false])
    }

    @Test mutating func `serves one peer only the bytes that a heartbeat allows`() {
        connect(1...1)
        var want = GossipRPC()
        for number in 0..<100 as Range<UInt8> {
            let data = [UInt8](repeating: number, count: 128 << 10)
            _ = router.handle(.published(data, on: topic), at: .start)
            want.wanted += [
                MessagePolicy.strictNoSign.identify(.init(topic: topic, data: data))
            ].compactMap { $0 }
        }
        let sent = router.handle(.received(want, from: peer(1)), at: .start)
        guard case .send(let rpc, _) = sent.first else {
            Issue.record("nothing was served")
            return
        }
        #expect(rpc.messages.count == 64)
        let frames = rpc.frames(limits: GossipLimits())
        #expect(frames.allSatisfy { $0.count <= GossipLimits().frameBytesMax })
        let read = frames.compactMap { GossipRPC(decoding: $0, limits: GossipLimits()) }
        #expect(read.flatMap(\.messages) == rpc.messages)
    }

    @Test mutating func `sends a mesh peer the ids of messages that it lost`() throws {
        connect(1...2)
        _ = router.handle(.heartbeat, at: .start)
        _ = router.handle(.published([9], on: topic), at: .start)
        _ = router.handle(.dropped(peer(1)), at: .start)
        let id = try #require(MessagePolicy.strictNoSign.identify(.init(topic: topic, data: [9])))
        var have = GossipRPC()
        have.announcements = [.init(topic: topic, ids: [id])]
        #expect(router.handle(.heartbeat, at: .start) == [.send(have, to: peer(1))])
        #expect(router.handle(.heartbeat, at: .start) == [])
    }

    @Test mutating func `sends a new mesh peer the messages that just went out`() throws {
        connect(1...1)
        let validated = router.handle(.received(frame([9]), from: peer(1)), at: .start)
        let id = try #require(validatedID(validated))
        _ = router.handle(.validated(id, .accept), at: .start)
        connect(2...2)
        var graft = GossipRPC()
        graft.meshChanges = [.graft(topic)]
        #expect(router.handle(.received(graft, from: peer(2)), at: .start).isEmpty)

        let sent = router.handle(.heartbeat, at: .start)

        var have = GossipRPC()
        have.announcements = [.init(topic: topic, ids: [id])]
        #expect(sent.contains(.send(have, to: peer(2))))
        #expect(!router.handle(.heartbeat, at: .start).contains(.send(have, to: peer(2))))
    }

    @Test mutating func `sends a peer its state again over a new link`() {
        connect(1...1)
        _ = router.handle(.heartbeat, at: .start)
        var hello = GossipRPC()
        hello.subscriptions = [.init(topic: topic, isWanted: true)]
        hello.meshChanges = [.graft(topic)]
        #expect(
            router.handle(.connected(peer(1), isOutbound: true), at: .start)
                == [.send(hello, to: peer(1))]
        )
    }

    @Test mutating func `accepts frames from a peer that accepts none`() throws {
        connect(1...2)
        _ = router.handle(.heartbeat, at: .start)
        #expect(router.handle(.muted(peer(1)), at: .start).isEmpty)
        #expect(router.mesh(of: topic) == [peer(2)])

        var all = frame([7])
        all.subscriptions = [.init(topic: topic, isWanted: true)]
        all.meshChanges = [.graft(topic)]
        all.announcements = [.init(topic: topic, ids: [MessageID(bytes: [1])])]
        let validated = router.handle(.received(all, from: peer(1)), at: .start)
        let id = try #require(validatedID(validated))
        #expect(validated.count == 1)
        #expect(receivers(router.handle(.validated(id, .accept), at: .start)) == [peer(2)])
        #expect(receivers(router.handle(.published([8], on: topic), at: .start)) == [peer(2)])

        #expect(!router.handle(.connected(peer(1), isOutbound: true), at: .start).isEmpty)
        _ = router.handle(.received(all, from: peer(1)), at: .start)
        #expect(router.mesh(of: topic) == [peer(1), peer(2)])
    }

    @Test mutating func `does not charge a broken promise to a peer that accepts no messages`() {
        connect(1...1)
        var have = GossipRPC()
        have.announcements = [.init(topic: topic, ids: [MessageID(bytes: [1])])]
        #expect(!router.handle(.received(have, from: peer(1)), at: .start).isEmpty)
        _ = router.handle(.muted(peer(1)), at: .start)
        let late = Moment.start + .seconds(60)
        #expect(!router.handle(.heartbeat, at: late).contains(.note(peer(1), .brokenPromise)))
    }

    private mutating func connect(_ numbers: ClosedRange<UInt8>) {
        _ = router.handle(.joined(topic), at: .start)
        for number in numbers {
            _ = router.handle(
                .connected(peer(number), isOutbound: number.isMultiple(of: 2)),
                at: .start
            )
            var rpc = GossipRPC()
            rpc.subscriptions = [.init(topic: topic, isWanted: true)]
            _ = router.handle(.received(rpc, from: peer(number)), at: .start)
        }
    }

    private func frame(_ data: [UInt8]) -> GossipRPC {
        var rpc = GossipRPC()
        rpc.messages = [GossipMessage(topic: topic, data: data)]
        return rpc
    }
}

private func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

private func validatedID(_ directives: [GossipRouter.Directive]) -> MessageID? {
    for case .validate(_, let id, _) in directives { return id }
    return nil
}

private func receivers(_ directives: [GossipRouter.Directive]) -> [PeerID] {
    directives.compactMap { directive in
        if case .send(let rpc, let peer) = directive, !rpc.messages.isEmpty { peer } else { nil }
    }
}
