import NIOCore

/// What tasks do with streams, carried over to the event loop.
extension LinkChannel {
    func open() -> StreamPort? {
        guard !isOver, let (number, frame) = yamux.open(at: now) else { return nil }
        streams[number] = StreamState()
        perform([.send(frame)])
        guard !isOver else { return nil }
        return StreamPort(number: number, channel: NIOLoopBound(self, eventLoop: loop))
    }

    func read(
        _ number: UInt32,
        atMost bytesMax: Int,
        within limit: Duration?,
        _ done: EventLoopPromise<[UInt8]?>
    ) {
        guard streams[number] != nil else {
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
        _ number: UInt32,
        _ bytes: [UInt8],
        within limit: Duration?,
        _ done: EventLoopPromise<Void>
    ) {
        guard let stream = streams[number] else {
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

    func finish(_ number: UInt32, _ done: EventLoopPromise<Void>?) {
        guard let stream = streams[number] else {
            done?.fail(LinkError.streamReset)
            return
        }
        done?.succeed(())
        guard !stream.isFinishWanted else { return }
        streams[number]?.isFinishWanted = true
        if stream.writers.isEmpty { perform(yamux.finish(number)) }
        pump()
    }

    func reset(_ number: UInt32) {
        perform(yamux.reset(number))
        if streams[number] != nil { drop(number, LinkError.streamReset) }
        pump()
    }

    /// Closes a stream whose last holder let go: what was written still goes out.
    func abandon(_ number: UInt32) {
        guard let stream = streams[number] else { return }
        if stream.isEnded {
            drop(number, LinkError.streamReset)
            return
        }
        shared.budget.release(stream.unreadCount)
        streams[number]?.inbound = []
        streams[number]?.inboundStart = 0
        streams[number]?.abandonedAt = now
        finish(number, nil)
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
            shared.budget.release(bytes.count)
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
        shared.budget.release(stream.unreadCount)
        stream.fail(error)
    }

    private var loop: any EventLoop { ended.futureResult.eventLoop }
}
