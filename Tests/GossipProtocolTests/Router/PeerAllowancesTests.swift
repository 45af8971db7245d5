import GossipProtocol
import Market
import Testing

/// Tests the work that peers can cause, and that they gain nothing by reconnecting.
struct PeerAllowancesTests {
    private let topic = Topic("/stoa/test/1")
    private let group = IPAddress(ip4: "8.8.8.8").map(AddressGroup.init)
    private var router: GossipRouter
    private var messages = 0

    init() {
        var limits = GossipLimits()
        (limits.deliveriesMax, limits.deliveriesPerHeartbeat) = (3, 1)
        (limits.groupDeliveriesMax, limits.groupDeliveriesPerHeartbeat) = (5, 2)
        (limits.duplicatesMax, limits.duplicatesPerHeartbeat) = (10, 4)
        limits.unknownAskedPerHeartbeatMax = 5
        limits.emptyFramesPerHeartbeatMax = 2
        router = GossipRouter(limits: limits, seed: 1)
        _ = router.handle(.joined(topic), at: .start)
    }

    /// - From peers: more new messages than allowed, by reconnecting → not validated
    @Test mutating func `a peer that returns may deliver only as much as one that stayed`() {
        connect(1, nil)
        #expect(delivered(5, by: 1) == 3)
        for _ in 0..<10 {
            _ = router.handle(.disconnected(peer(1)), at: .start)
            connect(1, nil)
            #expect(delivered(5, by: 1) == 0)
        }
        _ = router.handle(.disconnected(peer(1)), at: .start)
        beat()
        connect(1, nil)
        #expect(delivered(5, by: 1) == 1)
    }

    /// - From peers: more new messages than allowed, by many keys at one address → not validated
    @Test mutating func `fresh keys of one address share its deliveries`() {
        var sum = 0
        for number in 1...20 as ClosedRange<UInt8> {
            connect(number, group)
            sum += delivered(5, by: number)
            _ = router.handle(.disconnected(peer(number)), at: .start)
        }
        #expect(sum == 5)
        beat()
        connect(21, group)
        #expect(delivered(5, by: 21) == 2)
        // Peers on this machine, and at other addresses, have allowances of their own.
        connect(22, nil)
        #expect(delivered(5, by: 22) == 3)
    }

    @Test mutating func `the addresses of one subnet share four addresses' deliveries`() {
        var sum = 0
        for number in 1...40 as ClosedRange<UInt8> {
            connect(number, IPAddress(ip6: "2001:db8:1:\(number)::1").map(AddressGroup.init))
            sum += delivered(5, by: number)
        }
        #expect(sum == 20)
        connect(50, group)
        #expect(delivered(5, by: 50) == 3)
        beat()
        connect(51, IPAddress(ip6: "2001:db8:1:99::1").map(AddressGroup.init))
        #expect(delivered(5, by: 51) == 3)
    }

    @Test mutating func `counts announcements over all links of a peer`() {
        var offences = 0
        for number in 0..<15 as Range<UInt8> {
            connect(1, nil)
            var have = GossipRPC()
            have.announcements = [.init(topic: topic, ids: [MessageID(bytes: [number])])]
            let answer = router.handle(.received(have, from: peer(1)), at: .start)
            if answer.contains(.note(peer(1), .tooManyAnnouncements)) { offences += 1 }
            _ = router.handle(.disconnected(peer(1)), at: .start)
        }
        #expect(offences == 1)
    }

    /// - From peers: endless announcements, or many after a stall → offence, once a heartbeat
    @Test
    mutating func `counts a stalled peer's frames as one offence a heartbeat`() {
        connect(1, nil)
        func announce(_ count: UInt8) -> [GossipRouter.Offence] {
            (0..<count).flatMap { number in
                var have = GossipRPC()
                have.announcements = [.init(topic: topic, ids: [MessageID(bytes: [number])])]
                return offences(router.handle(.received(have, from: peer(1)), at: .start))
            }
        }
        // As many as an honest peer sends in half a minute.
        #expect(announce(60) == [.tooManyAnnouncements])
        beat()
        #expect(announce(2) == [])
    }

    /// - From peers: the same messages again and again → offence, once a heartbeat
    @Test mutating func `charges a peer that repeats messages, once a heartbeat`() {
        connect(1, nil)
        connect(2, nil)
        let same = message()
        #expect(notes(same, from: 1) == [])
        #expect((0..<30).flatMap { _ in notes(same, from: 1) } == [.tooManyDuplicates])
        beat()
        #expect((0..<30).flatMap { _ in notes(same, from: 1) } == [.tooManyDuplicates])
        // A mesh delivers each message from every peer, which is no offence.
        #expect(notes(same, from: 2) == [])
    }

    @Test mutating func `allows more duplicates without blame when there are more messages`() {
        for number in 1...4 as ClosedRange<UInt8> { connect(number, nil) }
        for _ in 0..<50 {
            let all = (1...4).map { _ in message() }
            for (index, message) in all.enumerated() {
                for number in 1...4 as ClosedRange<UInt8> {
                    #expect(notes(message, from: (number + UInt8(index)) % 4 + 1) == [])
                }
            }
            beat()
        }
    }

    /// - From peers: IWANTs for messages that were never here → offence, once a heartbeat
    @Test mutating func `charges a peer that asks for unknown messages, once a heartbeat`() {
        connect(1, nil)
        _ = router.handle(.published([9], on: topic), at: .start)
        func want(_ ids: [MessageID]) -> [GossipRouter.Offence] {
            var rpc = GossipRPC()
            rpc.wanted = ids
            return offences(router.handle(.received(rpc, from: peer(1)), at: .start))
        }
        let own = MessagePolicy.strictNoSign.identify(.init(topic: topic, data: [9])).map { [$0] }
        let madeUp = (0..<4 as Range<UInt8>).map { MessageID(bytes: [$0]) }
        // A message that was here can be asked for even after it is gone.
        for _ in 0..<20 { #expect(want(own ?? []) == []) }
        #expect(want(madeUp) == [])
        #expect(want(madeUp) == [.unknownAsked])
        #expect(want(madeUp) == [])
        beat()
        #expect(want(madeUp + madeUp) == [.unknownAsked])
    }

    /// - From peers: empty frames → offence, once a heartbeat
    @Test mutating func `charges a peer that sends empty frames, once a heartbeat`() {
        connect(1, nil)
        func empty() -> [GossipRouter.Offence] {
            offences(router.handle(.received(GossipRPC(), from: peer(1)), at: .start))
        }
        #expect((0..<5).map { _ in empty() } == [[], [], [.emptyFrames], [], []])
        beat()
        #expect((0..<3).map { _ in empty() } == [[], [], [.emptyFrames]])
        // No honest peer sends so many frames without effect.
        #expect((0..<100).flatMap { _ in empty() } == [.emptyFlood])
        #expect(PeerOffence(GossipRouter.Offence.emptyFlood).tolerance == .none)
    }

    /// - From peers: frames full of unused bytes → offence, once a heartbeat
    @Test mutating func `allows few meaningless bytes, whatever else a frame contains`() {
        connect(1, nil)
        func padded() -> [GossipRouter.Offence] {
            var rpc = GossipRPC()
            rpc.meshChanges = [.prune(topic, backoffSeconds: 60)]
            let event = GossipRouter.Event.received(rpc, from: peer(1), unusedBytes: 100 << 10)
            return offences(router.handle(event, at: .start))
        }
        #expect((0..<5).map { _ in padded() } == [[], [], [.unusedBytes], [], []])
        beat()
        #expect(padded() == [])
    }

    /// - From peers: frames about topics that are not joined here → they count as empty frames
    @Test mutating func `frames about topics that are not joined here count as empty`() {
        connect(1, nil)
        let other = Topic("/other/1")
        var frames = [GossipRPC](repeating: GossipRPC(), count: 4)
        frames[0].subscriptions = [.init(topic: other, isWanted: false)]
        frames[1].meshChanges = [.graft(other)]
        frames[2].meshChanges = [.prune(other, backoffSeconds: 1)]
        frames[3].announcements = [.init(topic: other, ids: [MessageID(bytes: [1])])]
        for frame in frames {
            let noted = (0..<3).flatMap { _ in
                offences(router.handle(.received(frame, from: peer(1)), at: .start))
            }
            #expect(noted == [.emptyFrames])
            beat()
        }
        // Frames about joined topics, or that change the peer's state, have an effect.
        var hello = GossipRPC()
        hello.subscriptions = [.init(topic: other, isWanted: true)]
        frames[1].meshChanges.append(.graft(topic))
        for frame in [hello, frames[1], frames[1], frames[1]] {
            let directives = router.handle(.received(frame, from: peer(1)), at: .start)
            #expect(offences(directives) == [])
        }
        // A muted peer cannot ask for messages or join a mesh.
        _ = router.handle(.muted(peer(1)), at: .start)
        let noted = (0..<3).flatMap { _ in
            offences(router.handle(.received(frames[1], from: peer(1)), at: .start))
        }
        #expect(noted == [.emptyFrames])
    }

    @Test mutating func `a peer that used up its share is exhausted until the next heartbeat`() {
        connect(1, nil)
        var frames = [GossipRPC](repeating: GossipRPC(), count: 4)
        frames[0].wanted = [MessageID(bytes: [1])]
        frames[1].announcements = [.init(topic: topic, ids: [])]
        frames[2].meshChanges = [.prune(topic, backoffSeconds: 1)]
        frames[3].messages = [message()]
        for frame in frames {
            var count = 0
            while count < 2_000, !router.isExhausted(peer(1)) {
                _ = router.handle(.received(frame, from: peer(1)), at: .start)
                count += 1
            }
            #expect(count > 5 && count < 2_000)
            beat()
            #expect(!router.isExhausted(peer(1)))
        }
        // Also ids that are known here, each in a frame of its own.
        let own = GossipMessage(topic: topic, data: [9])
        _ = router.handle(.published(own.data, on: topic), at: .start)
        frames[0].wanted = MessagePolicy.strictNoSign.identify(own).map { [$0] } ?? []
        for _ in 0..<100 { _ = router.handle(.received(frames[0], from: peer(1)), at: .start) }
        #expect(router.isExhausted(peer(1)))
    }

    /// - From peers: messages on topics that this node did not join → they count as repeated ones
    @Test mutating func `messages on topics that are not joined here count as repeated`() {
        connect(1, nil)
        let strange = GossipMessage(topic: Topic("/other/1"), data: [1])
        #expect((0..<30).flatMap { _ in notes(strange, from: 1) } == [.tooManyDuplicates])
    }

    @Test mutating func `credits peers with elapsed time if this node's heartbeat is late`() {
        connect(1, nil)
        func announced(at milliseconds: Int) -> [GossipRouter.Offence] {
            var have = GossipRPC()
            have.announcements = [.init(topic: topic, ids: [MessageID(bytes: [7])])]
            let now = Moment.start + .milliseconds(milliseconds)
            return offences(router.handle(.received(have, from: peer(1)), at: now))
        }
        // Five a second, the rate of an honest peer.
        #expect((0..<60).flatMap { announced(at: 200 * $0) } == [])
        // Frames that piled up during twenty busy seconds are read together.
        #expect((0..<200).flatMap { _ in announced(at: 32_000) } == [])
        #expect((0..<200).flatMap { _ in announced(at: 32_000) } == [.tooManyAnnouncements])
        _ = router.handle(.heartbeat, at: .start + .seconds(33))
        #expect((0..<60).flatMap { _ in announced(at: 33_000) } == [.tooManyAnnouncements])
    }

    /// - From peers: endless subscriptions, GRAFTs and PRUNEs → skipped; offence, once a heartbeat
    @Test mutating func `charges a peer that changes its topics endlessly, once a heartbeat`() {
        connect(1, nil)
        func change() -> [GossipRouter.Offence] {
            var rpc = GossipRPC()
            rpc.subscriptions = .init(repeating: .init(topic: topic, isWanted: true), count: 200)
            rpc.meshChanges = .init(repeating: .graft(Topic("/other/1")), count: 200)
            return offences(router.handle(.received(rpc, from: peer(1)), at: .start))
        }
        #expect((0..<5).map { _ in change() } == [[], [], [.tooManyChanges], [], []])
        beat()
        #expect(change() == [])
    }

    private mutating func connect(_ number: UInt8, _ group: AddressGroup?) {
        _ = router.handle(.connected(peer(number), isOutbound: false, group: group), at: .start)
    }

    private mutating func beat() { _ = router.handle(.heartbeat, at: .start) }

    /// Returns a message with new content.
    private mutating func message() -> GossipMessage {
        messages += 1
        return GossipMessage(topic: topic, data: [UInt8(messages >> 8), UInt8(messages & 255)])
    }

    /// Returns how many of `count` new messages are passed on for validation.
    private mutating func delivered(_ count: Int, by number: UInt8) -> Int {
        var rpc = GossipRPC()
        for _ in 0..<count { rpc.messages.append(message()) }
        return router.handle(.received(rpc, from: peer(number)), at: .start).filter {
            if case .validate = $0 { true } else { false }
        }.count
    }

    private mutating func notes(
        _ message: GossipMessage,
        from number: UInt8
    ) -> [GossipRouter.Offence] {
        var rpc = GossipRPC()
        rpc.messages = [message]
        return offences(router.handle(.received(rpc, from: peer(number)), at: .start))
    }
}

private func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

private func offences(_ directives: [GossipRouter.Directive]) -> [GossipRouter.Offence] {
    directives.compactMap { if case .note(_, let offence) = $0 { offence } else { nil } }
}
