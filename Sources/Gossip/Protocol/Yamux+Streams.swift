/// What the users of streams do.
extension Yamux {
    /// Bytes that may be sent on `number` now.
    package func sendable(on number: UInt32) -> Int {
        guard let stream = streams[number], !stream.isFinishedByUs else { return 0 }
        return Int(min(stream.sendWindow, UInt64(Int32.max)))
    }

    /// The header for `byteCount` bytes of data, which must not be more than ``sendable(on:)``.
    package mutating func dataFrame(on number: UInt32, byteCount: Int) -> YamuxFrame {
        precondition(
            byteCount > 0 && byteCount <= sendable(on: number),
            "\(byteCount) bytes on stream \(number) overrun the peer's window"
        )
        streams[number]?.sendWindow -= UInt64(byteCount)
        return YamuxFrame(kind: .data, stream: number, value: UInt32(byteCount))
    }

    /// Gives the peer window for what a reader took.
    ///
    /// `allowance` is what the node can still give to windows that grow, in bytes.
    package mutating func consumed(
        _ byteCount: Int,
        on number: UInt32,
        allowance: Int,
        at now: Moment
    ) -> [Directive] {
        guard var stream = streams[number] else { return [] }
        precondition(byteCount <= stream.unread, "\(byteCount) bytes of \(stream.unread) consumed")
        stream.unread -= byteCount
        defer { streams[number] = stream }
        var due = stream.window - stream.credit - stream.unread
        guard !stream.isFinishedByPeer, due >= stream.window / 2 else { return [] }
        var directives: [Directive] = []
        let growth = growth(of: stream, allowance: allowance, at: now)
        if growth > 0 {
            stream.window += growth
            grownBytes += growth
            due += growth
            directives.append(.allowance(change: growth))
        }
        stream.credit += due
        stream.givenAt = now
        let frame = YamuxFrame(kind: .windowUpdate, stream: number, value: UInt32(due))
        return directives + [.send(frame)]
    }

    /// Says that nothing more is written.
    package mutating func finish(_ number: UInt32) -> [Directive] {
        guard let stream = streams[number], !stream.isFinishedByUs else { return [] }
        streams[number]?.isFinishedByUs = true
        let frame = YamuxFrame(kind: .windowUpdate, flags: .finish, stream: number)
        return [.send(frame)] + (stream.isFinishedByPeer ? forget(number, isReset: false) : [])
    }

    /// Ends both halves at once.
    package mutating func reset(_ number: UInt32) -> [Directive] {
        guard streams[number] != nil else { return [] }
        let frame = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: number)
        return [.send(frame)] + forget(number, isReset: true)
    }

    mutating func forget(_ number: UInt32, isReset: Bool) -> [Directive] {
        guard let stream = streams.removeValue(forKey: number) else { return [] }
        let isOurs = (number % 2 == 1) == (role == .dialer)
        if !isOurs { openedByPeer -= 1 }
        if isOurs, !stream.isAcknowledged { unacknowledged -= 1 }
        let grown = stream.window - limits.initialWindowBytes
        grownBytes -= grown
        let ended = Directive.ended(number, isReset: isReset)
        return grown > 0 ? [.allowance(change: -grown), ended] : [ended]
    }

    /// Doubles the window of a peer that filled it quickly, as far as there is something to give.
    private func growth(of stream: YamuxStream, allowance: Int, at now: Moment) -> Int {
        guard let roundTrip, now < stream.givenAt + roundTrip * 4 else { return 0 }
        let room = min(limits.grownBytesMax - grownBytes, allowance)
        let wanted = min(stream.window, limits.windowBytesMax - stream.window)
        return wanted > 0 && wanted <= room ? wanted : 0
    }
}
