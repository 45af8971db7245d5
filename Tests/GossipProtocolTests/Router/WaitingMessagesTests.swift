import GossipProtocol
import Market
import Testing

/// Which messages wait to be judged if there are too many.
struct WaitingMessagesTests {
    private let topic = Topic("/stoa/test/1")
    private var router: GossipRouter
    private var messages: UInt64 = 0
    private var judged: [(id: MessageID, data: [UInt8], peer: PeerID)] = []
    private var wanted: [MessageID] = []

    init() {
        var limits = GossipLimits()
        (limits.pendingMax, limits.judgedMax) = (64, 4)
        limits.pendingBytesMax = 64 * 1_024
        limits.messageBytesMax = 4_096
        router = GossipRouter(limits: limits, seed: 1)
        _ = router.handle(.joined(topic), at: .start)
        for number in 1...16 as ClosedRange<UInt8> { connect(number, at: "8.8.\(number).8") }
    }

    /// - From peers: a burst of messages that fills the queue → the origin with the most loses its
    ///   last one, or the new one is dropped
    @Test mutating func `a burst from twelve addresses displaces no message of a thirteenth`() {
        for _ in 0..<100 { for number in 1...12 as ClosedRange<UInt8> { send(by: number) } }
        let own = (0..<4).map { _ in send(by: 13) }
        for _ in 0..<100 { for number in 1...12 as ClosedRange<UInt8> { send(by: number) } }
        #expect(router.crowdedOutCount == 2_400 + 4 - 64)
        judgeAll()
        let data = judged.filter { $0.peer == peer(13) }.map(\.data)
        #expect(data == own)
        #expect(judged.count == 64)
    }

    @Test mutating func `a full queue keeps no message waiting for more than a turn`() {
        for _ in 0..<64 { send(by: 1) }
        let own = send(by: 2)
        judgeAll()
        let place = judged.firstIndex { $0.data == own }
        // After those that were being judged already, and at most one more of the other.
        #expect(place.map { $0 <= 5 } == true)
    }

    @Test mutating func `keys of one address share one allowance`() {
        for number in 21...40 as ClosedRange<UInt8> { connect(number, at: "9.9.9.9") }
        for _ in 0..<10 { for number in 21...40 as ClosedRange<UInt8> { send(by: number) } }
        for _ in 0..<24 { send(by: 1) }
        judgeAll()
        #expect(judged.count { $0.peer == peer(1) } == 24)
        #expect(judged.count == 64)
    }

    @Test mutating func `the addresses of one subnet share one allowance and take turns`() {
        for number in 21...60 as ClosedRange<UInt8> { connect(number, at: "9.9.9.\(number)") }
        for _ in 0..<10 { for number in 21...60 as ClosedRange<UInt8> { send(by: number) } }
        let own = (0..<24).map { _ in send(by: 1) }
        for _ in 0..<10 { for number in 21...60 as ClosedRange<UInt8> { send(by: number) } }
        judgeAll()
        #expect(judged.filter { $0.peer == peer(1) }.map(\.data) == own)
        #expect(judged.count == 64)
        // After what was being judged, every second one is of the other subnet.
        let last = judged.lastIndex { $0.peer == peer(1) } ?? .max
        #expect(last <= 4 + 2 * 24)
        // A neighbour that brings little finds room too.
        for _ in 0..<100 { send(by: 21) }
        let neighbour = send(by: 22)
        judgeAll()
        #expect(judged.contains { $0.data == neighbour })
    }

    /// - From peers: a message that was dropped for lack of room → asked for when it is announced
    ///   again
    @Test mutating func `asks for a dropped message when it is announced`() throws {
        for _ in 0..<60 { send(by: 1) }
        let last = send(by: 1)
        for _ in 0..<4 { send(by: 2) }
        let id = try #require(
            MessagePolicy.strictNoSign.identify(.init(topic: topic, data: last))
        )
        #expect(router.crowdedOutCount == 1)
        var have = GossipRPC()
        have.announcements = [.init(topic: topic, ids: [id])]
        handle(.received(have, from: peer(3)))
        #expect(wanted == [id])
        var again = GossipRPC()
        again.messages = [GossipMessage(topic: topic, data: last)]
        judgeAll()
        handle(.received(again, from: peer(3)))
        #expect(judged.last?.data == last && judged.last?.peer == peer(3))
    }

    /// - From peers: another peer's message that a flood delivers first, to have it dropped with
    ///   the flood →
    ///   it counts for the origin that has fewer
    @Test mutating func `keeps a message that a flooding peer delivered first`() {
        let own = data()
        for _ in 0..<59 { send(by: 1) }
        send(own, by: 1)
        send(own, by: 2)
        for _ in 0..<32 { for number in 3...4 as ClosedRange<UInt8> { send(by: number) } }
        judgeAll()
        #expect(judged.contains { $0.data == own && $0.peer == peer(2) })
    }

    @Test mutating func `keeps a message that a flooding subnet delivered first`() {
        for number in 21...60 as ClosedRange<UInt8> { connect(number, at: "9.9.9.\(number)") }
        for number in 21...59 as ClosedRange<UInt8> { send(by: number) }
        // The first to give way among equals: its address sorts last, and it holds nothing else.
        let own = data()
        send(own, by: 60)
        send(own, by: 2)
        for _ in 0..<15 { for number in 3...4 as ClosedRange<UInt8> { send(by: number) } }
        #expect(router.crowdedOutCount > 0)
        judgeAll()
        #expect(judged.contains { $0.data == own && $0.peer == peer(2) })
    }

    @Test mutating func `keeps a message that a flooding subnet delivers later`() {
        for number in 21...60 as ClosedRange<UInt8> { connect(number, at: "9.9.9.\(number)") }
        for number in 21...59 as ClosedRange<UInt8> { send(by: number) }
        // The address has nothing, and its subnet most.
        send(by: 2)
        let own = send(by: 2)
        send(own, by: 60)
        for _ in 0..<15 { for number in 3...4 as ClosedRange<UInt8> { send(by: number) } }
        #expect(router.crowdedOutCount > 0)
        judgeAll()
        #expect(judged.contains { $0.data == own && $0.peer == peer(2) })
    }

    @Test mutating func `a long message uses the room of several short ones`() {
        for _ in 0..<64 { send(by: 1) }
        send(data(4_096), by: 2)
        #expect(router.crowdedOutCount == 4)
        // The room is full of one's own: then the new one goes.
        for _ in 0..<12 { send(data(4_096), by: 3) }
        judgeAll()
        #expect(judged.reduce(0) { $0 + max($1.data.count, 1_024) } <= 64 * 1_024)
        #expect(judged.contains { $0.peer == peer(2) } && judged.contains { $0.peer == peer(1) })
    }

    @Test mutating func `a message's origin is its sender's address, even if the link has ended`() {
        for _ in 0..<8 { send(by: 1) }
        handle(.disconnected(peer(1)))
        var groups: Set<String> = []
        while !judged.isEmpty {
            let (id, _, _) = judged.removeFirst()
            groups.insert(router.group(of: id)?.description ?? "none")
            handle(.validated(id, .ignoreForNow))
        }
        #expect(groups == ["8.8.1.8"])
    }

    private func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

    private mutating func connect(_ number: UInt8, at address: String) {
        let group = IPAddress(ip4: address).map(AddressGroup.init)
        handle(.connected(peer(number), isOutbound: false, group: group))
    }

    private mutating func data(_ byteCount: Int = 8) -> [UInt8] {
        messages += 1
        let number = (0..<8).map { UInt8(truncatingIfNeeded: messages >> (8 * $0)) }
        return number + [UInt8](repeating: 0, count: byteCount - 8)
    }

    @discardableResult
    private mutating func send(_ data: [UInt8]? = nil, by number: UInt8) -> [UInt8] {
        let data = data ?? self.data()
        var rpc = GossipRPC()
        rpc.messages = [GossipMessage(topic: topic, data: data)]
        handle(.received(rpc, from: peer(number)))
        return data
    }

    private mutating func handle(_ event: GossipRouter.Event) {
        for directive in router.handle(event, at: .start) {
            switch directive {
            case .validate(let message, let id, let peer): judged.append((id, message.data, peer))
            case .send(let rpc, _): wanted += rpc.wanted
            case .note: break
            }
        }
    }

    /// Answers everything that is being judged, until nothing waits.
    private mutating func judgeAll() {
        var answered = 0
        while answered < judged.count {
            handle(.validated(judged[answered].id, .ignore))
            answered += 1
        }
    }
}
