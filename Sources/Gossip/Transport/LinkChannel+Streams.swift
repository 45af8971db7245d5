import GossipProtocol
import NIOCore

/// The stream operations that tasks request, run on the event loop.
extension LinkChannel {
    func open() -> StreamHandle? {
        guard !isOver, let (id, frame) = yamux.open(at: now) else { return nil }
        let port = makeStream(id)
        perform([.send(frame)])
        return isOver ? nil : port
    }

    func read(
        _ port: StreamHandle,
        atMost bytesMax: Int,
        within limit: Duration?,
        _ done: EventLoopPromise<[UInt8]?>
    ) {
        let id = port.id
        guard let stream = streams[id] else {
            done.fail(LinkError.streamReset)
            return
        }
        precondition(stream.reader == nil, "two tasks read stream \(id.number)")
        let own = NIOLoopBound(self, eventLoop: loop)
        let timer = limit.map { limit in
            loop.scheduleTask(in: TimeAmount(limit)) {
                own.value.streams[id]?.reader = nil
                done.fail(LinkError.timedOut)
            }
        }
        stream.reader = .init(bytesMax: bytesMax, done: done, timer: timer)
        serveReader(id)
        pump()
    }

    func write(
        _ port: StreamHandle,
        _ bytes: [UInt8],
        within limit: Duration?,
        _ done: EventLoopPromise<Void>
    ) {
        let id = port.id
        guard let stream = streams[id] else {
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
                // Part of the bytes may be sent already, so the stream is unusable.
                done.fail(LinkError.timedOut)
                own.value.reset(id)
            }
        }
        stream.addWriter(.init(bytes: bytes, done: done, timer: timer))
        wantsToSend(id)
        pump()
    }

    func finish(_ port: StreamHandle, _ done: EventLoopPromise<Void>) {
        guard streams[port.id] != nil else {
            done.fail(LinkError.streamReset)
            return
        }
        done.succeed(())
        finish(port.id)
    }

    func reset(_ port: StreamHandle) { reset(port.id) }

    /// Closes a stream whose last holder released it; written bytes are still sent.
    func abandon(_ port: StreamHandle) {
        guard let stream = streams[port.id] else { return }
        if stream.isEnded {
            drop(port.id, LinkError.streamReset)
            return
        }
        stream.abandon(at: now)
        finish(port.id)
    }

    /// Resets released streams whose peer does not close its half in time.
    func dropAbandoned() {
        let limit = shared.limits.negotiationMax
        let late = streams.filter { $0.value.abandonedAt.map { $0 + limit <= now } ?? false }
        for id in late.keys { reset(id) }
    }

    /// Delivers available bytes to a waiting reader, and grants the peer new window for them.
    func serveReader(_ id: YamuxStreamID) {
        guard let stream = streams[id] else { return }
        if let reader = stream.reader, stream.unreadCount > 0 {
            stream.reader = nil
            reader.timer?.cancel()
            let bytes = stream.take(atMost: reader.bytesMax)
            let growth = ledger.growth
            perform(yamux.consumed(bytes.count, on: id, growth: growth, at: now))
            reader.done.succeed(bytes)
        } else if let reader = stream.reader, stream.isFinishedByPeer {
            stream.reader = nil
            reader.timer?.cancel()
            reader.done.succeed(nil)
        } else if stream.isEnded, stream.abandonedAt != nil {
            drop(id, LinkError.streamReset)
        }
    }

    /// Removes a stream and fails the tasks that wait for it.
    func drop(_ id: YamuxStreamID, _ error: any Error) {
        streams.removeValue(forKey: id)?.fail(error)
    }

    /// Compares the ledger with the link's own tables; a difference is a bug in this program.
    func checkLedger() {
        var held = NodeBudget.Holdings(grown: yamux.allowanceHeld)
        for stream in streams.values {
            held.streamBytes += stream.unreadCount
            held.unsentBytes += stream.unsentCount
        }
        ledger.check(held)
    }

    var loop: any EventLoop { ended.futureResult.eventLoop }

    private func finish(_ id: YamuxStreamID) {
        guard let stream = streams[id], !stream.isFinishWanted else { return }
        stream.isFinishWanted = true
        if stream.writers.isEmpty { perform(yamux.finish(id)) }
        pump()
    }

    private func reset(_ id: YamuxStreamID) {
        guard streams[id] != nil else { return }
        perform(yamux.reset(id))
        drop(id, LinkError.streamReset)
        pump()
    }
}
