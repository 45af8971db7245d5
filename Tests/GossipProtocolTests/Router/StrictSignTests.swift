import GossipProtocol
import Keys
import Market
import Testing

/// The order in which a router checks signed messages: the most expensive check is last.
struct StrictSignTests {
    private let topic = Topic("/stoa/test/1")
    private let publisher = MessagePolicy.strictSign(.random())
    private var router: GossipRouter

    init() {
        var limits = GossipLimits()
        (limits.deliveriesMax, limits.deliveriesPerHeartbeat) = (2, 1)
        router = GossipRouter(limits: limits, policy: .strictSign(.random()), seed: 1)
        _ = router.handle(.joined(topic), at: .start)
        for number in 1...2 as ClosedRange<UInt8> {
            _ = router.handle(.connected(peer(number), isOutbound: true), at: .start)
        }
    }

    @Test mutating func `does not verify a copy of a message seen before`() {
        let good = publisher.message([7], on: topic, sequence: 1)
        #expect(validated(receive(good, from: 1)) == good)
        // Its signature is wrong, and is not checked; a check would charge the peer.
        #expect(receive(spoilt(good), from: 2) == [])
        let id = MessagePolicy.strictSign(.random()).identify(good)
        if let id { _ = router.handle(.validated(id, .accept), at: .start) }
        #expect(receive(spoilt(good), from: 2) == [])
    }

    /// - From peers: a message whose signature does not hold, under StrictSign → offence; the good
    ///   copy is accepted
    @Test mutating func `charges a corrupted copy that arrives first and accepts the good one`() {
        let good = publisher.message([7], on: topic, sequence: 1)
        #expect(receive(spoilt(good), from: 1) == [.note(peer(1), .unfitMessage)])
        #expect(validated(receive(good, from: 2)) == good)
    }

    @Test mutating func `a corrupted copy does not blame the sender of the good one`() {
        let good = publisher.message([7], on: topic, sequence: 1)
        #expect(validated(receive(good, from: 1)) == good)
        _ = receive(spoilt(good), from: 2)
        guard let id = publisher.identify(good) else {
            Issue.record("the publisher's own message is fit")
            return
        }
        let notes = router.handle(.validated(id, .reject), at: .start)
        #expect(notes == [.note(peer(1), .rejectedMessage)])
    }

    /// - From peers: more signatures to verify than the messages that the sender may deliver → not
    ///   verified
    @Test mutating func `verifies only as many of a peer's signatures as it may deliver`() {
        let fakes = (1...4 as ClosedRange<UInt64>).map {
            spoilt(publisher.message([UInt8($0)], on: topic, sequence: $0))
        }
        let notes = fakes.map { receive($0, from: 1).count }
        #expect(notes == [1, 1, 0, 0])
        #expect(receive(fakes[0], from: 2) == [.note(peer(2), .unfitMessage)])
        _ = router.handle(.heartbeat, at: .start)
        #expect(fakes.map { receive($0, from: 1).count } == [1, 0, 0, 0])
    }

    /// - From peers: this node's own messages, sent back endlessly → they count as repeated ones
    @Test func `counts this node's own returning messages as already seen`() {
        let key = PrivateKey.random()
        var limits = GossipLimits()
        limits.duplicatesMax = 10
        var router = GossipRouter(limits: limits, policy: .strictSign(key), seed: 1)
        _ = router.handle(.joined(topic), at: .start)
        _ = router.handle(.connected(peer(1), isOutbound: true), at: .start)
        var echo = GossipRPC()
        echo.messages = [MessagePolicy.strictSign(key).message([7], on: topic, sequence: 1)]
        let notes = (0..<30).flatMap { _ in
            router.handle(.received(echo, from: peer(1)), at: .start)
        }
        #expect(notes == [.note(peer(1), .tooManyDuplicates)])
    }

    private mutating func receive(
        _ message: GossipMessage,
        from number: UInt8
    ) -> [GossipRouter.Directive] {
        var rpc = GossipRPC()
        rpc.messages = [message]
        return router.handle(.received(rpc, from: peer(number)), at: .start)
    }

    /// Returns a message with the same id and other data.
    private func spoilt(_ message: GossipMessage) -> GossipMessage {
        GossipMessage(topic: message.topic, data: message.data + [0], seal: message.seal)
    }
}

private func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

private func validated(_ directives: [GossipRouter.Directive]) -> GossipMessage? {
    for case .validate(let message, _, _) in directives { return message }
    return nil
}
