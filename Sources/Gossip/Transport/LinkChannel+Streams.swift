import NIOCore

/// What tasks do with streams, carried over to the event loop.
extension LinkChannel {
    func open() -> StreamPort? {
        guard !isOver, let (number, frame) = yamux.open(at: now) else { return nil }
        let port = makeStream(number)
        perform([.send(frame)])
        return isOver ? nil : port
    }

    func read(
        _ port: StreamPort,
        atMost bytesMax: Int,
        within limit: Duration?,
        _ done: EventLoopPromise<[UInt8]?>
    ) {
        let number = port.number
        guard stream(of: port) != nil else {
            done.fail(LinkError.streamReset)
            return
        }
        precondition(streams[number]?.reader == nil, "two tasks read stream \(number)")
        let own = NIOLoopBound(self, eventLoop: loop)
        let timer = limit.map { limit in
            loop.scheduleTask(in: TimeAmount(limit)) {
                own.value.streams[number]?.reader = nil
                done.fail(LinkError.timedOut)
            }
        }
        streams[number]?.reader = .init(bytesMax: bytesMax, done: done, timer: timer)
        serveReader(number)
        pump()
    }

    func write(
        _ port: StreamPort,
        _ bytes: [UInt8],
        within limit: Duration?,
        _ done: EventLoopPromise<Void>
    ) {
        let number = port.number
        guard let stream = stream(of: port) else {
            done.fail(LinkError.streamReset)
            return
        }
        guard !stream.isFinishWanted, !stream.isEnded else {
            done.fail(LinkError.writeClosed)
            return
        }
        guard !bytes.isEmpty else {
            done.succeed(())
            return
        }
        let own = NIOLoopBound(self, eventLoop: loop)
        let timer = limit.map { limit in
            loop.scheduleTask(in: TimeAmount(limit)) {
                // Part of it may be out, so the stream means nothing any more.
                done.fail(LinkError.timedOut)
                own.value.reset(number)
            }
        }
        streams[number]?.writers.append(.init(bytes: bytes, done: done, timer: timer))
        wantsToSend(number)
        pump()
    }

    func finish(_ port: StreamPort, _ done: EventLoopPromise<Void>) {
        guard stream(of: port) != nil else {
            done.fail(LinkError.streamReset)
            return
        }
        done.succeed(())
        finish(port.number)
    }

    func reset(_ port: StreamPort) {
        if stream(of: port) != nil { reset(port.number) }
    }

    /// Closes a stream whose last holder let go: what was written still goes out.
    func abandon(_ port: StreamPort) {
        guard let stream = stream(of: port) else { return }
        let number = port.number
        if stream.isEnded {
            drop(number, LinkError.streamReset)
            return
        }
        release(stream.unreadCount)
        streams[number]?.inbound = []
        streams[number]?.inboundStart = 0
        streams[number]?.abandonedAt = now
        finish(number)
    }

    /// Resets streams that nobody holds and whose peer does not close its half.
    func dropAbandoned() {
        let limit = shared.limits.negotiationMax
        let late = streams.filter { $0.value.abandonedAt.map { $0 + limit <= now } ?? false }
        for number in late.keys { reset(number) }
    }

    /// Gives a waiting reader what is there, and the peer window for it.
    func serveReader(_ number: UInt32) {
        guard let stream = streams[number] else { return }
        if let reader = stream.reader, stream.unreadCount > 0 {
            streams[number]?.reader = nil
            reader.timer?.cancel()
            // Taken in place, so that the bytes are not copied.
            let bytes = streams[number]?.take(atMost: reader.bytesMax) ?? []
            release(bytes.count)
            let allowance = shared.budget.allowance
            perform(yamux.consumed(bytes.count, on: number, allowance: allowance, at: now))
            reader.done.succeed(bytes)
        } else if let reader = stream.reader, stream.isFinishedByPeer {
            streams[number]?.reader = nil
            reader.timer?.cancel()
            reader.done.succeed(nil)
        } else if stream.isEnded, stream.abandonedAt != nil {
            drop(number, LinkError.streamReset)
        }
    }

    /// Forgets a stream and tells those who wait for it.
    func drop(_ number: UInt32, _ error: any Error) {
        guard var stream = streams.removeValue(forKey: number) else { return }
        release(stream.unreadCount)
        stream.fail(error)
    }

    /// Counts bytes that wait for a reader; `false` where they are too many.
    func hold(_ byteCount: Int) -> Bool {
        unreadBytes += byteCount
        return shared.budget.hold(byteCount, ofLinkHolding: unreadBytes)
    }

    var loop: any EventLoop { ended.futureResult.eventLoop }

    /// The stream itself, not another that got its number after it had ended.
    private func stream(of port: StreamPort) -> StreamState? {
        streams[port.number].flatMap { $0.serial == port.serial ? $0 : nil }
    }

    private func finish(_ number: UInt32) {
        guard let stream = streams[number], !stream.isFinishWanted else { return }
        streams[number]?.isFinishWanted = true
        if stream.writers.isEmpty { perform(yamux.finish(number)) }
        pump()
    }

    private func reset(_ number: UInt32) {
        perform(yamux.reset(number))
        if streams[number] != nil { drop(number, LinkError.streamReset) }
        pump()
    }

    private func release(_ byteCount: Int) {
        unreadBytes -= byteCount
        shared.budget.release(byteCount)
    }
}
