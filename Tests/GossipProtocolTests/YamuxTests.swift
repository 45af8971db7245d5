import GossipProtocol
import Testing

struct YamuxTests {
    private static let now = Moment.start

    private static func listener(_ limits: YamuxLimits = YamuxLimits()) -> Yamux {
        Yamux(role: .listener, limits: limits)
    }

    private static func open(_ stream: UInt32) -> [UInt8] {
        YamuxFrame(kind: .windowUpdate, flags: .open, stream: stream).bytes
    }

    private static func data(
        _ stream: UInt32,
        _ bytes: [UInt8],
        flags: YamuxFrame.Flags = []
    ) -> [UInt8] {
        YamuxFrame(kind: .data, flags: flags, stream: stream, value: UInt32(bytes.count)).bytes
            + bytes
    }

    private static func control(_ flags: YamuxFrame.Flags) -> [UInt8] {
        YamuxFrame(kind: .windowUpdate, flags: flags, stream: 1).bytes
    }

    /// Returns the id of stream `number`, the `serial`th opened on its link.
    private static func id(_ number: UInt32, _ serial: UInt64 = 1) -> YamuxStreamID {
        YamuxStreamID(number: number, serial: serial)
    }

    private static func acknowledged(_ stream: UInt32) -> Yamux.Directive {
        .send(YamuxFrame(kind: .windowUpdate, flags: .acknowledge, stream: stream))
    }

    @Test func `delivers the same bytes however the frames were split`() {
        let bytes =
            Self.open(1) + Self.data(1, [1, 2, 3]) + Self.open(3)
            + Self.data(3, [9], flags: .finish) + Self.data(1, [4, 5], flags: .finish)
        for split in 0...bytes.count {
            var yamux = Self.listener()
            var delivered: [UInt32: [UInt8]] = [:]
            var finished: [UInt32] = []
            for part in [bytes[..<split], bytes[split...]] {
                for directive in yamux.receive(part, at: Self.now) {
                    if case .deliver(let stream, let range) = directive {
                        delivered[stream.number, default: []] += part[range]
                    }
                    if case .finished(let stream) = directive { finished.append(stream.number) }
                    if case .offend(let offence) = directive { Issue.record("\(offence)") }
                }
            }
            #expect(delivered == [1: [1, 2, 3, 4, 5], 3: [9]])
            #expect(finished == [3, 1])
        }
    }

    @Test(
        arguments: [
            ([1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], .unknownVersion),
            ([0, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], .unknownKind),
            ([0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0], .unknownFlags),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .wrongStreamNumber),
            ([0, 2, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0], .wrongStreamNumber),
            (open(2), .wrongOpening),
            (open(1) + open(1), .wrongOpening),
            (data(1, [1]), .unknownStream),
            (data(2, [1]), .unknownStream),
            (
                open(1) + YamuxFrame(kind: .data, stream: 1, value: 262_145).bytes,
                .windowOverrun
            ),
            (
                open(1) + YamuxFrame(kind: .windowUpdate, stream: 1, value: .max).bytes,
                .windowOverflow
            ),
            (open(1) + data(1, [1], flags: .finish) + data(1, [1]), .dataAfterFinish),
        ] as [([UInt8], YamuxOffence)]
    )
    func `a frame that breaks the rules ends the link`(bytes: [UInt8], offence: YamuxOffence) {
        var yamux = Self.listener()
        #expect(yamux.receive(bytes[...], at: Self.now).last == .offend(offence))
    }

    /// - From peers: data beyond the window → the link ends
    @Test func `enforces the window exactly and returns it as the reader reads`() {
        var yamux = Self.listener()
        let whole = [UInt8](repeating: 1, count: 262_144)
        _ = yamux.receive((Self.open(1) + Self.data(1, whole))[...], at: Self.now)
        var more = yamux
        #expect(more.receive(Self.data(1, [1])[...], at: Self.now).last == .offend(.windowOverrun))

        #expect(yamux.consumed(131_071, on: Self.id(1), growth: .upTo(0), at: Self.now).isEmpty)
        let update = YamuxFrame(kind: .windowUpdate, stream: 1, value: 131_072)
        #expect(
            yamux.consumed(1, on: Self.id(1), growth: .upTo(0), at: Self.now) == [.send(update)]
        )
        let half = Self.data(1, Array(whole[..<131_072]))
        #expect(!yamux.receive(half[...], at: Self.now).contains(.offend(.windowOverrun)))
    }

    @Test func `a fast peer's window grows up to the limits of the link and the node`() {
        var limits = YamuxLimits()
        limits.grownBytesMax = 600_000
        for (allowance, expected) in [(1 << 30, 524_288 - 131_072), (0, 131_072)] {
            var yamux = Self.listener(limits)
            var sent = YamuxFrame?.none
            for case .send(let frame) in yamux.tick(at: Self.now, number: 7) { sent = frame }
            let answer = YamuxFrame(kind: .ping, flags: .acknowledge, value: sent?.value ?? 0)
            _ = yamux.receive(answer.bytes[...], at: Self.now + .milliseconds(10))
            let half = [UInt8](repeating: 1, count: 131_072)
            _ = yamux.receive((Self.open(1) + Self.data(1, half))[...], at: Self.now)
            let directives = yamux.consumed(
                half.count,
                on: Self.id(1),
                growth: .upTo(allowance),
                at: Self.now + .milliseconds(20)
            )
            let update = YamuxFrame(kind: .windowUpdate, stream: 1, value: UInt32(expected))
            #expect(directives.last == .send(update) || expected != 131_072)
            #expect(yamux.allowanceHeld == (allowance > 0 ? 262_144 : 0))
            let ended = yamux.reset(Self.id(1))
            #expect(ended.contains(.allowance(change: -262_144)) == (allowance > 0))
            #expect(yamux.allowanceHeld == 0)
        }
    }

    @Test func `a grown window shrinks once its bytes are read and room is short`() {
        var yamux = Self.listener()
        var sent = YamuxFrame?.none
        for case .send(let frame) in yamux.tick(at: Self.now, number: 7) { sent = frame }
        let answer = YamuxFrame(kind: .ping, flags: .acknowledge, value: sent?.value ?? 0)
        _ = yamux.receive(answer.bytes[...], at: Self.now + .milliseconds(10))
        let half = [UInt8](repeating: 1, count: 131_072)
        _ = yamux.receive((Self.open(1) + Self.data(1, half))[...], at: Self.now)
        let soon = Self.now + .milliseconds(20)
        _ = yamux.consumed(half.count, on: Self.id(1), growth: .upTo(1 << 30), at: soon)
        #expect(yamux.allowanceHeld == 262_144)
        // Window that the peer was promised stays; no more is given until it is used up.
        var given = 0
        for _ in 0..<8 {
            _ = yamux.receive(Self.data(1, Array(half[..<65_536]))[...], at: soon)
            let directives = yamux.consumed(65_536, on: Self.id(1), growth: .shrink, at: soon)
            for case .send(let frame) in directives { given += Int(frame.value) }
        }
        #expect(yamux.allowanceHeld == 0)
        #expect(given == 262_144)
    }

    @Test func `refuses streams beyond the limit, then drops the peer`() {
        var limits = YamuxLimits()
        limits.streamsAcceptedMax = 2
        limits.refusedOpeningsMax = 1
        var yamux = Self.listener(limits)
        let opened = yamux.receive((Self.open(1) + Self.open(3))[...], at: Self.now)
        #expect(
            opened == [
                Self.acknowledged(1), .opened(Self.id(1)),
                Self.acknowledged(3), .opened(Self.id(3, 2)),
            ]
        )
        let refusal = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: 5)
        #expect(yamux.receive(Self.open(5)[...], at: Self.now) == [.send(refusal)])
        #expect(yamux.receive(Self.open(7)[...], at: Self.now) == [.offend(.tooManyStreams)])
    }

    @Test func `opens only as many streams as may remain unacknowledged`() throws {
        var limits = YamuxLimits()
        limits.unacknowledgedMax = 2
        var yamux = Yamux(role: .dialer, limits: limits)
        let opened = yamux.open(at: Self.now)
        let first = try #require(opened)
        #expect(first.stream == Self.id(1))
        #expect(yamux.open(at: Self.now)?.stream == Self.id(3, 2))
        #expect(yamux.open(at: Self.now) == nil)
        let answer = YamuxFrame(kind: .windowUpdate, flags: .acknowledge, stream: 1)
        _ = yamux.receive(answer.bytes[...], at: Self.now)
        #expect(yamux.open(at: Self.now)?.stream == Self.id(5, 3))
    }

    @Test func `forgets a stream when both halves are closed or a side resets`() {
        var yamux = Self.listener()
        _ = yamux.receive((Self.open(1) + Self.open(3))[...], at: Self.now)
        let finish = YamuxFrame(kind: .windowUpdate, flags: .finish, stream: 1)
        #expect(yamux.finish(Self.id(1)) == [.send(finish)])
        #expect(
            yamux.receive(finish.bytes[...], at: Self.now)
                == [.finished(Self.id(1)), .ended(Self.id(1), isReset: false)]
        )
        let reset = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: 3)
        #expect(
            yamux.receive(reset.bytes[...], at: Self.now) == [.ended(Self.id(3, 2), isReset: true)]
        )
        #expect(yamux.streamCount == 0)
    }

    @Test func `drops data in flight to a reset stream, within its window`() {
        var yamux = Self.listener()
        _ = yamux.receive((Self.open(1) + Self.data(1, [1, 2]))[...], at: Self.now)
        _ = yamux.reset(Self.id(1))
        let rest = [UInt8](repeating: 1, count: 262_142)
        #expect(yamux.receive(Self.data(1, rest)[...], at: Self.now).isEmpty)
        #expect(
            yamux.receive(Self.data(1, [1])[...], at: Self.now) == [.offend(.unknownStream)]
        )
    }

    /// - From peers: data on a stream number that nobody opened, including one that was skipped →
    ///   the link ends
    @Test(arguments: [
        open(7) + data(3, [1]),
        open(1) + open(1 + 2) + data(5, [1]),
    ])
    func `data on a skipped number ends the link`(bytes: [UInt8]) {
        var yamux = Self.listener()
        #expect(yamux.receive(bytes[...], at: Self.now).last == .offend(.unknownStream))
    }

    @Test(
        arguments: [
            (open(1) + control(.finish) + control(.finish), .finishedTwice),
            (open(1) + data(1, [1], flags: .finish) + control(.finish), .finishedTwice),
            (control([.open, .acknowledge]), .wrongFlags),
            (YamuxFrame(kind: .ping, value: 7).bytes, .wrongFlags),
            (YamuxFrame(kind: .ping, flags: [.open, .acknowledge]).bytes, .wrongFlags),
        ] as [([UInt8], YamuxOffence)]
    )
    func `frames that no implementation sends end the link`(bytes: [UInt8], offence: YamuxOffence) {
        var yamux = Self.listener()
        #expect(yamux.receive(bytes[...], at: Self.now).last == .offend(offence))
    }

    /// Programs may number streams before they open them, so a later number can come first.
    @Test func `opens a stream under a skipped number`() {
        var yamux = Self.listener()
        let late = yamux.receive((Self.open(7) + Self.open(3))[...], at: Self.now).last
        #expect(late == .opened(Self.id(3, 2)))
    }

    @Test func `data after the peer's own reset ends the link`() {
        var yamux = Self.listener()
        let reset = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: 1)
        let late = Self.open(1) + reset.bytes + Self.data(1, [1])
        #expect(yamux.receive(late[...], at: Self.now).last == .offend(.unknownStream))
    }

    @Test func `data after the end of both halves ends the link`() {
        var yamux = Self.listener()
        _ = yamux.receive(Self.open(1)[...], at: Self.now)
        _ = yamux.finish(Self.id(1))
        let late = Self.data(1, [1], flags: .finish) + Self.data(1, [2])
        #expect(yamux.receive(late[...], at: Self.now).last == .offend(.unknownStream))
    }

    @Test func `a call on a finished stream does not affect the number's next stream`() {
        var yamux = Self.listener()
        let reset = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: 1)
        _ = yamux.receive((Self.open(1) + reset.bytes + Self.open(1))[...], at: Self.now)
        #expect(yamux.reset(Self.id(1)).isEmpty)
        #expect(yamux.finish(Self.id(1)).isEmpty)
        #expect(yamux.sendable(on: Self.id(1)) == 0)
        #expect(yamux.isOpen(Self.id(1, 2)))
        #expect(yamux.reset(Self.id(1, 2)).last == .ended(Self.id(1, 2), isReset: true))
    }

    /// - From peers: streams continuously opened and reset → refused, then the link ends
    @Test func `refuses, then disconnects a peer that opens and resets endlessly`() {
        var limits = YamuxLimits()
        limits.openingsMax = 4
        limits.openingsPerSecond = 2
        limits.refusedOpeningsMax = 3
        var yamux = Self.listener(limits)
        let reset = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: 1)
        func churn(at now: Moment) -> Yamux.Directive? {
            yamux.receive((Self.open(1) + reset.bytes)[...], at: now).last
        }
        for serial in 1...4 as ClosedRange<UInt64> {
            #expect(churn(at: Self.now) == .ended(Self.id(1, serial), isReset: true))
        }
        #expect(churn(at: Self.now) == .send(reset))
        // One second later two more openings are allowed.
        #expect(churn(at: Self.now + .seconds(1)) == .ended(Self.id(1, 5), isReset: true))
        #expect(churn(at: Self.now + .seconds(1)) == .ended(Self.id(1, 6), isReset: true))
        for _ in 0..<3 { #expect(churn(at: Self.now + .seconds(1)) == .send(reset)) }
        #expect(churn(at: Self.now + .seconds(1)) == .offend(.tooManyStreams))
    }

    @Test func `answers pings and drops a peer that does not`() {
        var yamux = Self.listener()
        let ping = YamuxFrame(kind: .ping, flags: .open, value: 77)
        let pong = YamuxFrame(kind: .ping, flags: .acknowledge, value: 77)
        #expect(yamux.receive(ping.bytes[...], at: Self.now) == [.send(pong)])

        #expect(yamux.tick(at: Self.now, number: 7).count == 1)
        #expect(yamux.tick(at: Self.now + .seconds(19), number: 8).isEmpty)
        #expect(yamux.tick(at: Self.now + .seconds(20), number: 9) == [.silent])
    }

    @Test func `opens no stream after a goodbye from either side`() {
        var yamux = Self.listener()
        let goodbye = YamuxFrame(kind: .goAway)
        #expect(yamux.receive(goodbye.bytes[...], at: Self.now) == [.goneAway])
        #expect(yamux.open(at: Self.now) == nil)
    }

    @Test func `never sends more than the peer's window`() throws {
        var yamux = Yamux(role: .dialer, limits: YamuxLimits())
        let opened = yamux.open(at: Self.now)
        let stream = try #require(opened).stream
        #expect(yamux.sendable(on: stream) == 262_144)
        let frame = yamux.dataFrame(on: stream, byteCount: 262_144)
        #expect(frame == YamuxFrame(kind: .data, stream: 1, value: 262_144))
        #expect(yamux.sendable(on: stream) == 0)
        let update = YamuxFrame(kind: .windowUpdate, stream: 1, value: 10)
        #expect(yamux.receive(update.bytes[...], at: Self.now) == [.writable(stream)])
        #expect(yamux.sendable(on: stream) == 10)
    }
}
