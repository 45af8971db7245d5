import Gossip
import Keys
import Market
import Testing

struct GossipRPCTests {
    private let topic = Topic("/stoa/test/1")

    @Test func `says the same after the wire`() throws {
        var rpc = GossipRPC()
        rpc.subscriptions = [.init(topic: topic, isWanted: false)]
        rpc.messages = [GossipMessage(topic: topic, data: [1, 2])]
        rpc.announcements = [.init(topic: topic, ids: [MessageID(bytes: [3])])]
        rpc.wanted = [MessageID(bytes: [4]), MessageID(bytes: [0xFF, 0])]
        rpc.meshChanges = [.graft(topic), .prune(topic, backoffSeconds: 60)]

        #expect(GossipRPC(decoding: rpc.encoded(), limits: GossipLimits()) == rpc)
    }

    @Test func `survives every cut of a frame`() {
        var rpc = GossipRPC()
        rpc.messages = [GossipMessage(topic: topic, data: [UInt8](repeating: 7, count: 40))]
        let bytes = rpc.encoded()
        for length in bytes.indices {
            let read = GossipRPC(decoding: Array(bytes[..<length]), limits: GossipLimits())
            #expect(read != rpc)
        }
    }

    @Test func `refuses more ids than a frame may hold`() {
        var limits = GossipLimits()
        limits.idsPerFrameMax = 3
        var rpc = GossipRPC()
        rpc.wanted = (0..<4).map { MessageID(bytes: [$0]) }
        #expect(GossipRPC(decoding: rpc.encoded(), limits: limits) == nil)
    }

    @Test func `signs as the network asks, and notices what was changed`() throws {
        let policy = MessagePolicy.strictSign(.random())
        let message = policy.message([1, 2, 3], on: topic, sequence: 9)
        let id = try #require(policy.admit(message))
        #expect(id.bytes.suffix(8) == [0, 0, 0, 0, 0, 0, 0, 9])

        let spoilt = GossipMessage(topic: topic, data: [1, 2, 4], seal: message.seal)
        #expect(policy.admit(spoilt) == nil)
        #expect(policy.admit(GossipMessage(topic: topic, data: [1, 2, 3])) == nil)
        #expect(MessagePolicy.strictNoSign.admit(message) == nil)
    }
}
