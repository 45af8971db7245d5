import Concurrency
import Keys
import Market
import NIOCore
import Support
import Testing

@testable import Gossip
@testable import GossipProtocol

/// A peer that packs frames into TLS records in unusual ways.
///
/// A model of what both sides know predicts the node's behaviour.
@Suite(.timeLimit(.minutes(3)))
struct LinkChannelFuzzTests {
    private static let mebibyte = 1 << 20

    private static func frame(
        _ kind: YamuxFrame.Kind,
        _ stream: UInt32,
        _ flags: YamuxFrame.Flags = [],
        value: Int = 0
    ) -> [UInt8] {
        YamuxFrame(kind: kind, flags: flags, stream: stream, value: UInt32(value)).bytes
    }

    private static func data(_ stream: UInt32, _ count: Int, filledWith byte: UInt8 = 1) -> [UInt8]
    {
        frame(.data, stream, value: count) + [UInt8](repeating: byte, count: count)
    }

    /// - From peers: a stream number that is reset and reused, with data for both, in one TLS
    ///   record → no bytes stay counted
    @Test func `a stream reset and reopened in one TLS record leaves nothing behind`() throws {
        let link = try EmbeddedLink()
        try link.send(Self.frame(.windowUpdate, 1, .open) + Self.data(1, 100))
        let first = try #require(link.link.arrivals.poll())
        link.link.abandon(first)
        for _ in 0..<50 {
            // Late data makes this side reset the stream; by then the peer uses its number again.
            try link.send(
                Self.data(1, 1_000) + Self.frame(.windowUpdate, 1, .reset)
                    + Self.frame(.windowUpdate, 1, .open) + Self.data(1, 10_000, filledWith: 2)
            )
            let next = try #require(link.link.arrivals.poll())
            #expect(link.budget.audit.unread == 10_000)
            let read = link.call { link.link.read(next, atMost: 20_000, within: nil, $0) }
            #expect(try read.result?.get() == [UInt8](repeating: 2, count: 10_000))
            link.link.abandon(next)
            #expect(link.budget.audit.unread == 0)
        }
        try link.send(Self.data(1, 10) + Self.frame(.windowUpdate, 1, .reset))
        #expect(link.link.streams.isEmpty)
        #expect(link.end == nil)
        #expect(link.budget.audit == NodeBudget.Audit(links: 1))
        try link.close()
        #expect(link.budget.audit == NodeBudget.Audit())
    }

    /// - From peers: streams continuously opened and reset over many new links → refused by
    ///   address
    @Test func `an address gains no streams by opening new links`() throws {
        var limits = LinkLimits()
        limits.openingsOfOneAddressMax = 10
        let budget = NodeBudget(limits: limits)
        let group = IPAddress(ip4: "9.9.9.9").map(AddressGroup.init)
        func opened(_ link: EmbeddedLink) throws -> Int {
            for number in 0..<8 as Range<UInt32> {
                try link.send(Self.frame(.windowUpdate, number * 2 + 1, .open))
            }
            var count = 0
            while link.link.arrivals.poll() != nil { count += 1 }
            return count
        }
        // All at the same instant of the links' clocks.
        var counts: [Int] = []
        for _ in 0..<3 {
            let link = try EmbeddedLink(limits: limits, budget: budget, from: group)
            counts.append(try opened(link))
            #expect(link.end == nil)
            try link.close()
        }
        #expect(counts == [8, 2, 0])
        let other = IPAddress(ip4: "9.9.9.8").map(AddressGroup.init)
        let link = try EmbeddedLink(limits: limits, budget: budget, from: other)
        #expect(try opened(link) == 8)
        try link.close()
    }

    /// - From peers: continuous TLS key updates → the link ends
    @Test func `disconnects a peer that changes its key without pause`() throws {
        let link = try EmbeddedLink()
        for _ in 0..<16 {
            try link.changeKey()
            try link.send(Self.frame(.ping, 0, .open, value: 1))
            #expect(link.end == nil)
        }
        try link.changeKey()
        #expect(link.end == .tls(.tooManyKeyUpdates))
    }

    /// - From peers: any order of frames in any TLS records → bytes counted = bytes held; none
    ///   after the link's end
    @Test(arguments: 0..<48 as Range<UInt64>)
    func `a link accounts for its streams' bytes and for none after its end`(
        seed: UInt64
    ) throws {
        var play = try FrameModel(seed: seed)
        for step in 0..<120 {
            try play.step()
            try play.check("seed \(seed), step \(step)")
            if play.link.end != nil { break }
        }
        try play.finish("seed \(seed)")
    }
}

/// A random peer and random tasks on one link, with the invariants that must hold.
private struct FrameModel {
    /// The peer's knowledge of a number that it opened.
    private struct Sent {
        /// The value of all bytes of the stream; the number's next stream has another.
        var mark: UInt8
        var credit = 262_144
        var isFinished = false
        var isFinishedByNode = false
    }

    /// A stream that a task of the node holds.
    private struct Held {
        let port: StreamHandle
        var bytes: Set<UInt8> = []
        var read: EmbeddedLink.Outcome<[UInt8]?>?
    }

    let link: EmbeddedLink
    private var random: SeededRandom
    private var sent: [UInt32: Sent] = [:]
    private var marks: [UInt32: UInt8] = [:]
    private var held: [Held] = []
    private var isBroken = false

    init(seed: UInt64) throws {
        var limits = LinkLimits()
        limits.yamux.streamsAcceptedMax = 8
        limits.yamux.openingsMax = 1_000_000
        limits.linksMax = 4
        limits.linksDialledReserve = 1
        limits.linksOfThisMachineMax = 2
        limits.linksOfOneAddressMax = 2
        limits.unreadBytesMax = 4 << 20
        link = try EmbeddedLink(limits: limits)
        random = SeededRandom(seed: seed)
    }

    /// Lets the peer send some frames together, or a task of the node act.
    mutating func step() throws {
        if Int.random(in: 0..<3, using: &random) == 0 {
            act()
        } else {
            var frames: [UInt8] = []
            for _ in 0..<Int.random(in: 1...8, using: &random) { frames += frame() }
            // One frame in four hundred breaks a rule; that must end the link and do nothing else.
            if Int.random(in: 0..<400, using: &random) == 0 {
                isBroken = true
                frames += YamuxFrame(kind: .data, stream: 9_999, value: 1).bytes + [0]
            }
            try link.send(frames)
        }
        try learn()
        while let port = link.link.arrivals.poll() { held.append(Held(port: port)) }
        collectReads()
    }

    func check(_ place: Comment) throws {
        let audit = link.budget.audit
        let waiting = link.link.streams.values.reduce(0) { $0 + $1.unreadCount }
        #expect(audit.isBalanced, place)
        #expect(audit.unread == waiting, place)
        #expect(audit.grown == link.link.yamux.allowanceHeld || link.end != nil, place)
        for (id, stream) in link.link.streams {
            #expect(link.link.yamux.isOpen(id) || stream.isEnded, place)
        }
        for stream in held { #expect(stream.bytes.count <= 1, place) }
        #expect((link.end != nil) == isBroken, "\(place): \(link.end?.label ?? "open")")
    }

    func finish(_ place: Comment) throws {
        try link.close()
        #expect(link.budget.audit == NodeBudget.Audit(), place)
        #expect(link.link.streams.isEmpty, place)
    }

    private mutating func frame() -> [UInt8] {
        let number = UInt32.random(in: 0..<6, using: &random) * 2 + 1
        guard let stream = sent[number] else { return open(number) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            sent[number] = nil
            let reset = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: number).bytes
            return Bool.random(using: &random) ? reset + open(number) : reset
        case 1 where !stream.isFinished:
            sent[number]?.isFinished = true
            return YamuxFrame(kind: .windowUpdate, flags: .finish, stream: number).bytes
        case 2:
            return YamuxFrame(kind: .windowUpdate, stream: number, value: 1_000).bytes
        case 3:
            return YamuxFrame(kind: .ping, flags: .open, value: 7).bytes
        default:
            guard !stream.isFinished, stream.credit > 0 else { return [] }
            let most = min(stream.credit, Bool.random(using: &random) ? 300 : 40_000)
            let count = Int.random(in: 1...most, using: &random)
            sent[number]?.credit -= count
            return YamuxFrame(kind: .data, stream: number, value: UInt32(count)).bytes
                + [UInt8](repeating: stream.mark, count: count)
        }
    }

    private mutating func open(_ number: UInt32) -> [UInt8] {
        let mark = (marks[number] ?? 0) &+ 1
        marks[number] = mark
        sent[number] = Sent(mark: mark)
        return YamuxFrame(kind: .windowUpdate, flags: .open, stream: number).bytes
    }

    private mutating func act() {
        guard let index = held.indices.randomElement(using: &random) else { return }
        let port = held[index].port
        switch Int.random(in: 0..<6, using: &random) {
        case 0: link.link.reset(port)
        case 1:
            link.link.abandon(port)
            held.remove(at: index)
        case 2: _ = link.call { link.link.finish(port, $0) } as EmbeddedLink.Outcome<Void>
        case 3:
            _ =
                link.call { link.link.write(port, [1, 2, 3], within: nil, $0) }
                as EmbeddedLink.Outcome<Void>
        default:
            guard held[index].read == nil else { return }
            let most = Int.random(in: 1...100_000, using: &random)
            held[index].read = link.call {
                link.link.read(port, atMost: most, within: nil, $0)
            }
        }
    }

    /// Checks what tasks have read, and releases streams that are over.
    private mutating func collectReads() {
        for index in held.indices {
            guard let result = held[index].read?.result else { continue }
            held[index].read = nil
            if case .success(let bytes?) = result { held[index].bytes.formUnion(bytes) }
        }
    }

    /// Updates the peer's knowledge from the frames that the node sent.
    private mutating func learn() throws {
        for frame in try link.takeAnswers() where sent[frame.stream] != nil {
            if frame.flags.contains(.reset) {
                // A reset that crosses the peer's own belongs to the number's previous stream.
                if link.link.yamux.streams[frame.stream] == nil { sent[frame.stream] = nil }
                continue
            }
            if frame.kind == .windowUpdate {
                sent[frame.stream]?.credit += Int(frame.value)
            }
            if frame.flags.contains(.finish) { sent[frame.stream]?.isFinishedByNode = true }
            if let stream = sent[frame.stream], stream.isFinished, stream.isFinishedByNode {
                sent[frame.stream] = nil
            }
        }
    }
}
