/// The multiplexer of one connection: many streams, each with its own windows.
///
/// Pure: it owns no socket or clock. Pass in what arrived and what the streams' users did; it
/// returns directives, to be performed in order. A peer that breaks a rule causes `offend`; call
/// nothing after that. Windows are enforced to the byte: a reader that does not read stops its
/// peer.
///
/// Directives and calls name a stream by number and serial: one batch of input may end a stream and
/// open another with the same number before any of its directives is performed.
///
/// Window growth follows the peer's speed: a peer that fills its window within four round trips
/// gets a window twice as large, within the room of the link and the node.
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
        case opened(YamuxStreamID)
        /// Pass these bytes of the input to the stream's reader.
        case deliver(YamuxStreamID, Range<Int>)
        /// The peer's half is closed; the reader is at the end.
        case finished(YamuxStreamID)
        /// The stream's send window was empty and is no longer: writing can continue.
        case writable(YamuxStreamID)
        /// The stream is over; `isReset` if it did not end by both halves closing.
        case ended(YamuxStreamID, isReset: Bool)
        /// The windows take this many more bytes of the node's allowance, or give them back.
        case allowance(change: Int)
        /// The peer opens no further streams and accepts none.
        case goneAway
        /// Close the link.
        case offend(YamuxOffence)
        /// The peer no longer answers pings. Close the link.
        case silent
    }

    private enum Body {
        case none
        case stream(YamuxStreamID, flags: YamuxFrame.Flags, left: Int)
        case discarded(left: Int)
    }

    let limits: YamuxLimits
    let role: Role
    var streams: [UInt32: YamuxStream] = [:]
    /// Streams that this side opened and the peer has not acknowledged.
    var unacknowledged = 0
    var openedByPeer = 0
    var grownBytes = 0
    var roundTrip: Duration?
    var ended: YamuxEndedStreams
    /// Frames whose header was read.
    package private(set) var framesRead = 0
    private var nextNumber: UInt32
    private var lastPeerNumber: UInt32 = 0
    private var streamsMade: UInt64 = 0
    private var openings: YamuxOpenings
    private var header: [UInt8] = []
    private var body = Body.none
    private var pings = YamuxPings()
    /// Whether either side has announced the end.
    package private(set) var isGoingAway = false

    package init(role: Role, limits: YamuxLimits) {
        self.role = role
        self.limits = limits
        nextNumber = role == .dialer ? 1 : 2
        ended = YamuxEndedStreams(countMax: limits.endedStreamsMax)
        openings = YamuxOpenings(limits: limits)
        header.reserveCapacity(YamuxFrame.byteCount)
    }

    /// The number of open streams of both sides.
    package var streamCount: Int { streams.count }

    /// Bytes of the node's allowance that the windows use.
    package var allowanceHeld: Int { grownBytes }

    /// Handles input; ranges in the directives are indices of `input`.
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
                    framesRead += 1
                    directives += try begin(frame, at: now)
                case .discarded(let left):
                    let taken = min(left, input.endIndex - index)
                    index += taken
                    body = left == taken ? .none : .discarded(left: left - taken)
                case .stream(let id, let flags, let left):
                    let taken = min(left, input.endIndex - index)
                    // This side may have reset the stream in the middle of the frame.
                    if isOpen(id) { directives.append(.deliver(id, index..<index + taken)) }
                    index += taken
                    if left > taken {
                        body = .stream(id, flags: flags, left: left - taken)
                    } else {
                        body = .none
                        directives += try close(id, flags)
                    }
                }
            }
        } catch {
            directives.append(.offend(error))
        }
        return directives
    }

    /// Opens a stream; `nil` if the limits or the peer allow none.
    package mutating func open(at now: Moment) -> (stream: YamuxStreamID, frame: YamuxFrame)? {
        let isAllowed =
            !isGoingAway && unacknowledged < limits.unacknowledgedMax
            && streams.count - openedByPeer < limits.streamsOpenedMax && nextNumber < UInt32.max - 2
        guard isAllowed else { return nil }
        let number = nextNumber
        nextNumber += 2
        unacknowledged += 1
        let id = makeStream(number, isAcknowledged: false, at: now)
        return (id, YamuxFrame(kind: .windowUpdate, flags: .open, stream: number))
    }

    /// Announces that this side wants no further streams; `isOffended` if the peer broke a rule.
    package mutating func goAway(isOffended: Bool) -> YamuxFrame {
        isGoingAway = true
        return YamuxFrame(kind: .goAway, value: isOffended ? 1 : 0)
    }

    /// Sends due pings, and detects a peer that does not answer them.
    ///
    /// `number` is used for the next ping; it must be unpredictable.
    package mutating func tick(at now: Moment, number: UInt32) -> [Directive] {
        switch pings.tick(number, at: now, limits: limits) {
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
            try takeLate(frame, length)
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
            body = .stream(stream.id, flags: frame.flags, left: length)
        }
        if frame.kind == .windowUpdate, frame.value > 0 {
            if stream.sendWindow == 0 { directives.append(.writable(stream.id)) }
            stream.sendWindow += UInt64(frame.value)
            guard stream.sendWindow <= UInt64(UInt32.max) else { throw .windowOverflow }
        }
        streams[frame.stream] = stream
        return length > 0 ? directives : directives + (try close(stream.id, frame.flags))
    }

    /// Handles a frame for an ended stream; accepts data only if the peer may not know of the end.
    private mutating func takeLate(_ frame: YamuxFrame, _ length: Int) throws(YamuxOffence) {
        guard wasOpened(frame.stream) else { throw .unknownStream }
        if length > 0 {
            guard ended.take(length, on: frame.stream) else { throw .unknownStream }
            body = .discarded(left: length)
        }
        if !frame.flags.isDisjoint(with: [.finish, .reset]) { ended.remove(frame.stream) }
    }

    /// Accepts a stream that the peer opens, or refuses it if there are too many.
    private mutating func accept(
        _ number: UInt32,
        at now: Moment
    ) throws(YamuxOffence) -> [Directive] {
        let isOdd = number % 2 == 1
        guard isOdd == (role == .listener), streams[number] == nil else { throw .wrongOpening }
        lastPeerNumber = max(lastPeerNumber, number)
        let hasRoom = !isGoingAway && openedByPeer < limits.streamsAcceptedMax
        guard openings.admit(hasRoom: hasRoom, at: now), hasRoom else {
            guard openings.isTolerable else { throw .tooManyStreams }
            // Data that it sends before it learns of the reset is dropped.
            ended.insert(number, credit: limits.initialWindowBytes)
            return [.send(YamuxFrame(kind: .windowUpdate, flags: .reset, stream: number))]
        }
        openedByPeer += 1
        ended.remove(number)
        let id = makeStream(number, isAcknowledged: true, at: now)
        let frame = YamuxFrame(kind: .windowUpdate, flags: .acknowledge, stream: number)
        return [.send(frame), .opened(id)]
    }

    private mutating func makeStream(
        _ number: UInt32,
        isAcknowledged: Bool,
        at now: Moment
    ) -> YamuxStreamID {
        streamsMade += 1
        let id = YamuxStreamID(number: number, serial: streamsMade)
        streams[number] = YamuxStream(
            id: id,
            initialWindow: limits.initialWindowBytes,
            isAcknowledged: isAcknowledged,
            at: now
        )
        return id
    }

    /// Closes the peer's half, or both, according to the flags of its frame.
    private mutating func close(
        _ id: YamuxStreamID,
        _ flags: YamuxFrame.Flags
    ) throws(YamuxOffence) -> [Directive] {
        guard isOpen(id) else {
            if !flags.isDisjoint(with: [.finish, .reset]) { ended.remove(id.number) }
            return []
        }
        if flags.contains(.reset) {
            // The peer may send nothing more, so no data is on the way.
            streams[id.number]?.isFinishedByPeer = true
            return forget(id, isReset: true)
        }
        guard flags.contains(.finish) else { return [] }
        guard streams[id.number]?.isFinishedByPeer == false else { throw .finishedTwice }
        streams[id.number]?.isFinishedByPeer = true
        let isOver = streams[id.number]?.isFinishedByUs == true
        return [.finished(id)] + (isOver ? forget(id, isReset: false) : [])
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
