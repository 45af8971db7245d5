import GossipProtocol
import Keys
import Market
import SwiftProtobuf
import Testing
import WireMessages

struct GossipRPCTests {
    private let topic = Topic("/stoa/test/1")

    @Test func `survives encoding`() throws {
        var rpc = GossipRPC()
        rpc.subscriptions = [.init(topic: topic, isWanted: false)]
        rpc.messages = [GossipMessage(topic: topic, data: [1, 2])]
        rpc.announcements = [.init(topic: topic, ids: [MessageID(bytes: [3])])]
        rpc.wanted = [MessageID(bytes: [4]), MessageID(bytes: [0xFF, 0])]
        rpc.meshChanges = [.graft(topic), .prune(topic, backoffSeconds: 60)]

        #expect(GossipRPC(decoding: rpc.encoded(), limits: GossipLimits()) == rpc)
    }

    @Test func `SwiftProtobuf decodes and encodes a frame the same way`() throws {
        var rpc = GossipRPC()
        rpc.subscriptions = [.init(topic: topic, isWanted: false)]
        rpc.messages = [
            GossipMessage(topic: topic, data: [1, 2]),
            MessagePolicy.strictSign(.random()).message([3], on: topic, sequence: 9),
        ]
        rpc.announcements = [
            .init(topic: topic, ids: [MessageID(bytes: [3]), MessageID(bytes: [])])
        ]
        rpc.wanted = [MessageID(bytes: [4]), MessageID(bytes: [0xFF, 0])]
        rpc.meshChanges = [.graft(topic), .prune(topic, backoffSeconds: 60)]
        let frame = try GossipFrame(serializedBytes: rpc.encoded())
        #expect(CanonicalMessage.bytes(of: frame) == rpc.encoded())
        #expect(frame.subscriptions.map(\.topic) == [topic.name])
        #expect(frame.subscriptions.first?.hasSubscribe == true)
        #expect(frame.publish.map { [UInt8]($0.data) } == [[1, 2], [3]])
        #expect(frame.publish.map(\.hasSignature) == [false, true])
        #expect(frame.control.have.flatMap { $0.ids.map { [UInt8]($0) } } == [[3], []])
        #expect(frame.control.want.flatMap { $0.ids.map { [UInt8]($0) } } == [[4], [0xFF, 0]])
        #expect(frame.control.graft.map(\.topic) == [topic.name])
        #expect(frame.control.prune.map(\.backoff) == [60])
    }

    @Test func `reads a frame whose parts appear in any order and repeatedly`() throws {
        var (one, other) = (GossipRPC(), GossipRPC())
        one.wanted = [MessageID(bytes: [4])]
        one.meshChanges = [.graft(topic)]
        other.subscriptions = [.init(topic: topic, isWanted: true)]
        other.announcements = [.init(topic: topic, ids: [MessageID(bytes: [3])])]
        other.meshChanges = [.graft(topic)]
        let read = GossipRPC(decoding: one.encoded() + other.encoded(), limits: GossipLimits())
        var both = other
        both.wanted = one.wanted
        both.meshChanges = one.meshChanges + other.meshChanges
        #expect(read == both)
    }

    @Test func `refuses a topic that is not UTF-8 in any part of a frame`() {
        var rpc = GossipRPC()
        rpc.subscriptions = [.init(topic: topic, isWanted: true)]
        rpc.messages = [GossipMessage(topic: topic, data: [1])]
        rpc.announcements = [.init(topic: topic, ids: [])]
        rpc.meshChanges = [.graft(topic), .prune(topic, backoffSeconds: 1)]
        let bytes = rpc.encoded()
        let places = bytes.indices.filter { bytes[$0...].starts(with: topic.bytes) }
        #expect(places.count == 5)
        for place in places {
            var spoiled = bytes
            spoiled[place] = 0xFF
            #expect(GossipRPC(decoding: spoiled, limits: GossipLimits()) == nil)
        }
    }

    @Test func `counts at least as many bytes as a frame's contents need`() {
        var rpc = GossipRPC()
        #expect(rpc.encoded().count <= rpc.byteCountMax)
        for number in 0..<100 as Range<UInt8> {
            let id = MessageID(bytes: [UInt8](repeating: number, count: Int(number) % 129))
            rpc.subscriptions.append(.init(topic: topic, isWanted: true))
            rpc.announcements.append(.init(topic: topic, ids: [id, id]))
            rpc.wanted.append(id)
            rpc.meshChanges += [.graft(topic), .prune(topic, backoffSeconds: .max)]
            let policy = MessagePolicy.strictSign(.random())
            rpc.messages.append(policy.message([number] + id.bytes, on: topic, sequence: .max))
            #expect(rpc.encoded().count <= rpc.byteCountMax)
        }
        // An unknown field.
        let padded = rpc.encoded() + [0xFA, 0x01, 0x03, 1, 2, 3]
        let read = GossipRPC(decoding: padded, limits: GossipLimits())
        #expect(read?.messages.count == 100)
        #expect(read?.byteCountMax == rpc.byteCountMax)
    }

    @Test func `survives every truncation of a frame`() {
        var rpc = GossipRPC()
        rpc.messages = [GossipMessage(topic: topic, data: [UInt8](repeating: 7, count: 40))]
        let bytes = rpc.encoded()
        for length in bytes.indices {
            let read = GossipRPC(decoding: Array(bytes[..<length]), limits: GossipLimits())
            #expect(read != rpc)
        }
    }

    @Test func `compares topics by bytes; an overlong topic invalidates its frame`() {
        let (one, two) = (Topic("caf\u{E9}"), Topic("cafe\u{301}"))
        #expect(one != two && Set([one, two]).count == 2 && one.name == "caf\u{E9}")

        let limits = GossipLimits()
        func frames(_ topic: Topic) -> [GossipRPC] {
            var frames = [GossipRPC](repeating: GossipRPC(), count: 5)
            frames[0].subscriptions = [.init(topic: topic, isWanted: true)]
            frames[1].messages = [GossipMessage(topic: topic, data: [1])]
            frames[2].announcements = [.init(topic: topic, ids: [MessageID(bytes: [3])])]
            frames[3].meshChanges = [.graft(topic)]
            frames[4].meshChanges = [.prune(topic, backoffSeconds: 60)]
            return frames
        }
        let marks = String(repeating: "\u{315}\u{300}\u{31B}\u{321}", count: 1_000)
        for topic in [Topic(marks), Topic(String(repeating: "x", count: limits.topicBytesMax + 1))]
        {
            for frame in frames(topic) {
                #expect(GossipRPC(decoding: frame.encoded(), limits: limits) == nil)
            }
        }
        for frame in frames(Topic(String(repeating: "x", count: limits.topicBytesMax))) {
            #expect(GossipRPC(decoding: frame.encoded(), limits: limits) == frame)
        }
    }

    /// - From peers: more ids than a frame may hold → the frame is refused
    @Test func `refuses more ids than a frame may hold`() {
        var limits = GossipLimits()
        limits.idsPerFrameMax = 3
        var rpc = GossipRPC()
        rpc.wanted = (0..<4).map { MessageID(bytes: [$0]) }
        #expect(GossipRPC(decoding: rpc.encoded(), limits: limits) == nil)
    }

    /// - From peers: too many entries in a frame → refused before they are decoded
    @Test func `bounds a frame before it decodes its entries`() {
        var limits = GossipLimits()
        (limits.subscriptionsPerFrameMax, limits.messagesPerFrameMax) = (2, 3)
        (limits.controlEntriesMax, limits.idsPerFrameMax) = (2, 3)
        func takes(_ field: UInt64, _ parts: [[UInt8]]) -> Bool {
            let bytes = parts.flatMap { ProtobufFields.write(field, $0) }
            return GossipRPC(decoding: bytes, limits: limits) != nil
        }
        let none: [UInt8] = []
        #expect(takes(1, [none, none]) && !takes(1, [none, none, none]))
        let message = ProtobufFields.write(2, [7]) + ProtobufFields.write(4, [0x61])
        let three = [message, message, message]
        #expect(takes(2, three) && !takes(2, three + [message]))
        // Entries of several control parts are counted together, and so are their ids.
        let graft = ProtobufFields.write(3, none)
        #expect(takes(3, [graft, graft]) && !takes(3, [graft, graft, graft]))
        #expect(takes(3, [graft + graft]) && !takes(3, [graft + graft + graft]))
        let have = ProtobufFields.write(
            1,
            ProtobufFields.write(2, none) + ProtobufFields.write(2, none)
        )
        let want = ProtobufFields.write(2, ProtobufFields.write(1, none))
        #expect(takes(3, [have, want]) && !takes(3, [have, have]))
        // Fields of later versions are skipped.
        #expect(takes(3, [ProtobufFields.write(9, 7)]) && takes(9, [[0xFF]]))
    }

    /// - From peers: messages without topic or data → stream reset, offence
    @Test(arguments: [
        [], ProtobufFields.write(2, [7]), ProtobufFields.write(4, [0x61]),
        ProtobufFields.write(2, [UInt8]()) + ProtobufFields.write(4, [0x61]),
    ])
    func `a message without a topic or data invalidates its frame`(message: [UInt8]) {
        let good = ProtobufFields.write(2, [7]) + ProtobufFields.write(4, [0x61])
        let frame = [good, message].flatMap { ProtobufFields.write(2, $0) }
        #expect(GossipRPC(decoding: frame, limits: GossipLimits()) == nil)
        let whole = [good, good].flatMap { ProtobufFields.write(2, $0) }
        #expect(GossipRPC(decoding: whole, limits: GossipLimits())?.messages.count == 2)
    }

    @Test func `splits a broadcast into frames that fit any outbox`() throws {
        let limits = GossipLimits()
        var rpc = GossipRPC()
        rpc.subscriptions = [.init(topic: topic, isWanted: true)]
        rpc.meshChanges = [.graft(topic)]
        func ids(_ count: Int) -> [MessageID] {
            (0..<count).map { number in
                MessageID(bytes: (0..<54).map { UInt8(truncatingIfNeeded: number >> ($0 % 16)) })
            }
        }
        rpc.announcements = [.init(topic: topic, ids: ids(5_000))]
        rpc.wanted = ids(5_000)
        let long = [UInt8](repeating: 1, count: limits.messageBytesMax)
        rpc.messages = (0..<4).map { GossipMessage(topic: topic, data: long + [$0]) }
        rpc.messages += (0..<5_000).map { number in
            GossipMessage(topic: topic, data: [UInt8(number >> 8), UInt8(number & 255)])
        }
        let frames = rpc.frames(limits: limits)
        #expect(frames.allSatisfy { $0.count <= limits.sentFrameBytesMax })
        var whole = GossipRPC()
        for (index, frame) in frames.enumerated() {
            let part = try #require(GossipRPC(decoding: frame, limits: limits))
            #expect(part.subscriptions.isEmpty == (index > 0))
            whole.subscriptions += part.subscriptions
            whole.meshChanges += part.meshChanges
            whole.announcements += part.announcements
            whole.wanted += part.wanted
            whole.messages += part.messages
        }
        #expect(whole.announcements.flatMap(\.ids) == rpc.announcements.flatMap(\.ids))
        whole.announcements = rpc.announcements
        #expect(whole == rpc)
    }

    @Test func `signs as the network requires and detects changes`() throws {
        let policy = MessagePolicy.strictSign(.random())
        let message = policy.message([1, 2, 3], on: topic, sequence: 9)
        #expect(policy.isSigned(message))
        let id = try #require(policy.identify(message))
        #expect(id.bytes.suffix(8) == [0, 0, 0, 0, 0, 0, 0, 9])

        let spoilt = GossipMessage(topic: topic, data: [1, 2, 4], seal: message.seal)
        #expect(!policy.isSigned(spoilt))
        #expect(policy.identify(GossipMessage(topic: topic, data: [1, 2, 3])) == nil)
        #expect(MessagePolicy.strictNoSign.identify(message) == nil)
    }
}
