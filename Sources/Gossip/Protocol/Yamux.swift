/// One connection's multiplexer: many streams, each with its own windows.
///
/// Pure: it owns no socket or clock. Give it what arrived and what the streams' users did; it
/// answers what to do, in order. A peer that breaks a rule is `offend`, after which nothing more
/// may be given. Windows are enforced to the byte: a reader that does not read stops its peer.
///
/// Window growth follows the peer's speed: one that fills its window within four round trips gets
/// twice as much, out of what the link and the node have to give.
///
/// Source: hashicorp/yamux spec.md; libp2p specs, yamux; Docs/protocol.md, section 7.
package struct Yamux: Sendable {
    package enum Role: Sendable {
        case dialer
        case listener
    }

    package enum Directive: Equatable, Sendable {
        /// Send this control frame, in order with everything else.
        case send(YamuxFrame)
        /// The peer opened a stream.
        case opened(UInt32)
        /// Hand these bytes of the input to the stream's reader.
        case deliver(UInt32, Range<Int>)
        /// The peer's half is closed: the reader's end.
        case finished(UInt32)
        /// The stream's window grew from nothing: writing can go on.
        case writable(UInt32)
        /// Forget the stream; `isReset` where it did not end by both halves closing.
        case ended(UInt32, isReset: Bool)
        /// The window took this many bytes more of the node's allowance, or gives them back.
        case allowance(change: Int)
        /// The peer opens no more streams and wants none.
        case goneAway
        /// Close the link.
        case offend(YamuxOffence)
        /// The peer no longer answers: close the link.
        case silent
    }

    private enum Body {
        case none
        case stream(UInt32, flags: YamuxFrame.Flags, left: Int)
        case discarded(left: Int)
    }

    let limits: YamuxLimits
    let role: Role
    var streams: [UInt32: YamuxStream] = [:]
    /// Opened by us and not acknowledged yet.
    var unacknowledged = 0
    var openedByPeer = 0
    var grownBytes = 0
    var roundTrip: Duration?
    private var nextNumber: UInt32
    private var lastPeerNumber: UInt32 = 0
    private var refusedOpenings = 0
    private var header: [UInt8] = []
    private var body = Body.none
    private var pings = YamuxPings()
    /// We said goodbye, or the peer did.
    private(set) var isGoingAway = false

    package init(role: Role, limits: YamuxLimits) {
        self.role = role
        self.limits = limits
        nextNumber = role == .dialer ? 1 : 2
        header.reserveCapacity(YamuxFrame.byteCount)
    }

    /// How many streams are open, of both sides.
    package var streamCount: Int { streams.count }

    /// What the streams' windows hold of the node's allowance.
    package var allowanceHeld: Int { grownBytes }

    /// Takes what arrived; ranges in the answer are indices of `input`.
    package mutating func receive(_ input: ArraySlice<UInt8>, at now: Moment) -> [Directive] {
        var directives: [Directive] = []
        var index = input.startIndex
        do throws(YamuxOffence) {
            while index < input.endIndex {
                switch body {
                case .none:
                    let taken = min(YamuxFrame.byteCount - header.count, input.endIndex - index)
                    header.append(contentsOf: input[index..<index + taken])
                    index += taken
                    guard header.count == YamuxFrame.byteCount else { break }
                    let frame = try YamuxFrame(header[...])
                    header.removeAll(keepingCapacity: true)
                    directives += try begin(frame, at: now)
                case .discarded(let left):
                    let taken = min(left, input.endIndex - index)
                    index += taken
                    body = left == taken ? .none : .discarded(left: left - taken)
                case .stream(let number, let flags, let left):
                    let taken = min(left, input.endIndex - index)
                    directives.append(.deliver(number, index..<index + taken))
                    index += taken
                    if left > taken {
                        body = .stream(number, flags: flags, left: left - taken)
                    } else {
                        body = .none
                        directives += close(number, flags)
                    }
                }
            }
        } catch {
            directives.append(.offend(error))
        }
        return directives
    }

    /// Opens a stream, or answers `nil` where the limits or the peer allow none.
    package mutating func open(at now: Moment) -> (stream: UInt32, frame: YamuxFrame)? {
        let isAllowed =
            !isGoingAway && unacknowledged < limits.unacknowledgedMax
            && streams.count - openedByPeer < limits.streamsOpenedMax && nextNumber < UInt32.max - 2
        guard isAllowed else { return nil }
        let number = nextNumber
        nextNumber += 2
        unacknowledged += 1
        streams[number] = YamuxStream(
            initialWindow: limits.initialWindowBytes,
            isAcknowledged: false,
            at: now
        )
        return (number, YamuxFrame(kind: .windowUpdate, flags: .open, stream: number))
    }

    /// Says that no more streams are wanted, because the peer broke the rules or without reason.
    package mutating func goAway(isOffended: Bool) -> YamuxFrame {
        isGoingAway = true
        return YamuxFrame(kind: .goAway, value: isOffended ? 1 : 0)
    }

    /// Sends pings when due, and notices a peer that does not answer them.
    package mutating func tick(at now: Moment) -> [Directive] {
        switch pings.tick(at: now, limits: limits) {
        case .nothing: []
        case .ping(let number): [.send(YamuxFrame(kind: .ping, flags: .open, value: number))]
        case .silent: [.silent]
        }
    }

    private mutating func begin(
        _ frame: YamuxFrame,
        at now: Moment
    ) throws(YamuxOffence) -> [Directive] {
        switch frame.kind {
        case .ping: return answerPing(frame, at: now)
        case .goAway:
            isGoingAway = true
            return [.goneAway]
        case .data, .windowUpdate: break
        }
        var directives: [Directive] = []
        if frame.flags.contains(.open) { directives += try accept(frame.stream, at: now) }
        let length = frame.kind == .data ? Int(frame.value) : 0
        guard var stream = streams[frame.stream] else {
            guard wasOpened(frame.stream) else { throw .unknownStream }
            if length > 0 { body = .discarded(left: length) }
            return directives
        }
        if frame.flags.contains(.acknowledge), !stream.isAcknowledged {
            stream.isAcknowledged = true
            unacknowledged -= 1
        }
        if length > 0 {
            guard !stream.isFinishedByPeer else { throw .dataAfterFinish }
            guard length <= stream.credit else { throw .windowOverrun }
            stream.credit -= length
            stream.unread += length
            body = .stream(frame.stream, flags: frame.flags, left: length)
        }
        if frame.kind == .windowUpdate, frame.value > 0 {
            if stream.sendWindow == 0 { directives.append(.writable(frame.stream)) }
            stream.sendWindow += UInt64(frame.value)
            guard stream.sendWindow <= UInt64(UInt32.max) else { throw .windowOverflow }
        }
        streams[frame.stream] = stream
        return length > 0 ? directives : directives + close(frame.stream, frame.flags)
    }

    /// Takes a stream the peer opens, or refuses it where there are too many.
    private mutating func accept(
        _ number: UInt32,
        at now: Moment
    ) throws(YamuxOffence) -> [Directive] {
        let isOdd = number % 2 == 1
        guard isOdd == (role == .listener), streams[number] == nil else { throw .wrongOpening }
        lastPeerNumber = max(lastPeerNumber, number)
        guard !isGoingAway, openedByPeer < limits.streamsAcceptedMax else {
            refusedOpenings += 1
            guard refusedOpenings <= limits.refusedOpeningsMax else { throw .tooManyStreams }
            return [.send(YamuxFrame(kind: .windowUpdate, flags: .reset, stream: number))]
        }
        openedByPeer += 1
        streams[number] = YamuxStream(
            initialWindow: limits.initialWindowBytes,
            isAcknowledged: true,
            at: now
        )
        let frame = YamuxFrame(kind: .windowUpdate, flags: .acknowledge, stream: number)
        return [.send(frame), .opened(number)]
    }

    private mutating func close(_ number: UInt32, _ flags: YamuxFrame.Flags) -> [Directive] {
        if flags.contains(.reset) { return forget(number, isReset: true) }
        guard flags.contains(.finish), var stream = streams[number], !stream.isFinishedByPeer
        else { return [] }
        stream.isFinishedByPeer = true
        streams[number] = stream
        return [.finished(number)] + (stream.isFinishedByUs ? forget(number, isReset: false) : [])
    }

    private mutating func answerPing(_ frame: YamuxFrame, at now: Moment) -> [Directive] {
        if frame.flags.contains(.open) {
            return [.send(YamuxFrame(kind: .ping, flags: .acknowledge, value: frame.value))]
        }
        if let time = pings.answered(frame.value, at: now) { roundTrip = time }
        return []
    }

    private func wasOpened(_ number: UInt32) -> Bool {
        let isOurs = (number % 2 == 1) == (role == .dialer)
        return isOurs ? number < nextNumber : number <= lastPeerNumber
    }
}
