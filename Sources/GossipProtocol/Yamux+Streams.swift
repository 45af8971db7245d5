/// Operations of the streams' users.
extension Yamux {
    /// Whether this stream is open, rather than a later one with its number.
    package func isOpen(_ id: YamuxStreamID) -> Bool { streams[id.number]?.id == id }

    /// Bytes that may be sent on a stream now.
    package func sendable(on id: YamuxStreamID) -> Int {
        guard let stream = streams[id.number], stream.id == id, !stream.isFinishedByUs else {
            return 0
        }
        return Int(min(stream.sendWindow, UInt64(Int32.max)))
    }

    /// Returns the header for `byteCount` bytes of data, at most ``sendable(on:)``.
    package mutating func dataFrame(on id: YamuxStreamID, byteCount: Int) -> YamuxFrame {
        precondition(
            byteCount > 0 && byteCount <= sendable(on: id),
            "\(byteCount) bytes on stream \(id.number) overrun the peer's window"
        )
        streams[id.number]?.sendWindow -= UInt64(byteCount)
        return YamuxFrame(kind: .data, stream: id.number, value: UInt32(byteCount))
    }

    /// Grants the peer new window for bytes that a reader took.
    ///
    /// `growth` is the room the node has for windows to grow.
    package mutating func consumed(
        _ byteCount: Int,
        on id: YamuxStreamID,
        growth: WindowGrowth,
        at now: Moment
    ) -> [Directive] {
        guard var stream = streams[id.number], stream.id == id else { return [] }
        precondition(byteCount <= stream.unread, "\(byteCount) bytes of \(stream.unread) consumed")
        stream.unread -= byteCount
        defer { streams[id.number] = stream }
        var due = stream.window - stream.credit - stream.unread
        var directives: [Directive] = []
        func resize(by change: Int) {
            guard change != 0 else { return }
            stream.window += change
            grownBytes += change
            due += change
            directives.append(.allowance(change: change))
        }
        if growth == .shrink { resize(by: -min(due, stream.window - limits.initialWindowBytes)) }
        guard !stream.isFinishedByPeer, due >= stream.window / 2 else { return directives }
        if case .upTo(let room) = growth { resize(by: self.growth(of: stream, room, at: now)) }
        stream.credit += due
        stream.givenAt = now
        let frame = YamuxFrame(kind: .windowUpdate, stream: id.number, value: UInt32(due))
        return directives + [.send(frame)]
    }

    /// Closes the writing half.
    package mutating func finish(_ id: YamuxStreamID) -> [Directive] {
        guard let stream = streams[id.number], stream.id == id, !stream.isFinishedByUs else {
            return []
        }
        streams[id.number]?.isFinishedByUs = true
        let frame = YamuxFrame(kind: .windowUpdate, flags: .finish, stream: id.number)
        return [.send(frame)] + (stream.isFinishedByPeer ? forget(id, isReset: false) : [])
    }

    /// Ends both halves immediately.
    package mutating func reset(_ id: YamuxStreamID) -> [Directive] {
        guard isOpen(id) else { return [] }
        let frame = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: id.number)
        return [.send(frame)] + forget(id, isReset: true)
    }

    mutating func forget(_ id: YamuxStreamID, isReset: Bool) -> [Directive] {
        guard isOpen(id), let stream = streams.removeValue(forKey: id.number) else { return [] }
        let isOurs = (id.number % 2 == 1) == (role == .dialer)
        if !isOurs { openedByPeer -= 1 }
        if isOurs, !stream.isAcknowledged { unacknowledged -= 1 }
        ended.insert(id.number, credit: stream.isFinishedByPeer ? 0 : stream.credit)
        let grown = stream.window - limits.initialWindowBytes
        grownBytes -= grown
        let over = Directive.ended(id, isReset: isReset)
        return grown > 0 ? [.allowance(change: -grown), over] : [over]
    }

    /// Returns how much to grow the window of a peer that filled it quickly, within the room.
    private func growth(of stream: YamuxStream, _ room: Int, at now: Moment) -> Int {
        guard let roundTrip, now < stream.givenAt + roundTrip * 4 else { return 0 }
        let room = min(limits.grownBytesMax - grownBytes, room)
        let wanted = min(stream.window, limits.windowBytesMax - stream.window)
        return wanted > 0 && wanted <= room ? wanted : 0
    }
}
