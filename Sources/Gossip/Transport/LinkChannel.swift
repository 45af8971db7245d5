import Concurrency
import DequeModule
import GossipProtocol
import Market
import NIOCore

/// The channel handler of one connection; joins the pure cores to a socket.
///
/// All of it runs on the event loop; tasks reach it through ``StreamHandle`` and ``Link``.
final class LinkChannel: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The state that all links of a node share.
    struct Shared: Sendable {
        let limits: LinkLimits
        let credentials: TLSCredentials
        let budget: NodeBudget
        let time: @Sendable () -> Int64
    }

    private enum Phase {
        case upgrading(Upgrade)
        case open(TLSSession)
        case over
    }

    /// The largest payload of one TLS record.
    private static let recordBytesMax = 16_384

    let shared: Shared
    let role: TLSSession.Role
    let opened: EventLoopPromise<HostKey>
    let ended: EventLoopPromise<LinkEnd>
    let arrivals: BoundedQueue<StreamHandle>
    let ledger: LinkLedger
    let answerBytes: AsyncSemaphore
    /// Offences that do not end the link; while one waits, further ones are dropped.
    let offences = BoundedQueue<PeerOffence>(elementsMax: 1)
    let reading: LinkReading
    var yamux: Yamux
    /// Streams that a task may still read or write: open ones, and ended ones with unread bytes.
    var streams: [YamuxStreamID: StreamState] = [:]
    var bytesReceived: UInt64 = 0
    var bytesSent: UInt64 = 0
    private(set) var isOver = false

    private let expected: PeerID?
    /// The address group that the peer's openings are charged to.
    private let group: AddressGroup?
    /// Encrypted bytes that the socket has not accepted.
    private let socketEntry: LedgerEntry
    private var phase = Phase.over
    private var context: ChannelHandlerContext?
    private var deadline: Scheduled<Void>?
    private var ticks: RepeatedTask?
    private var plain = [UInt8](repeating: 0, count: recordBytesMax)
    private var staged: [UInt8] = []
    private var answersUnread = 0
    private var pumpable: Deque<YamuxStreamID> = []
    private var readable: Set<YamuxStreamID> = []
    private var usedAt = Moment.start

    init(
        shared: Shared,
        role: TLSSession.Role,
        expecting expected: PeerID?,
        from group: AddressGroup?,
        loop: any EventLoop,
        arrivals: BoundedQueue<StreamHandle>
    ) {
        self.shared = shared
        self.role = role
        self.expected = expected
        self.group = group
        self.arrivals = arrivals
        ledger = shared.budget.openLedger()
        socketEntry = ledger.makeEntry(.socket)
        reading = LinkReading(limits: shared.limits)
        answerBytes = AsyncSemaphore(unitsMax: shared.limits.answersBytesMax)
        opened = loop.makePromise()
        ended = loop.makePromise()
        yamux = Yamux(role: role == .dialer ? .dialer : .listener, limits: shared.limits.yamux)
    }

    var now: Moment { Moment(loop.now) }

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            try context.pipeline.syncOperations.addHandler(reading, position: .before(self))
        } catch {
            end(.lost)
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        do throws(TLSError) {
            let session = try TLSSession(
                credentials: shared.credentials,
                role: role,
                expecting: expected,
                at: shared.time()
            )
            let allocator = context.channel.allocator
            phase = .upgrading(Upgrade(role: role, session: session, allocator: allocator))
        } catch {
            end(.tls(error))
            return
        }
        let own = NIOLoopBound(self, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(shared.limits.handshakeMax)) {
            own.value.end(.handshakeTimedOut)
        }
        sendUpgrade()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        bytesReceived += UInt64(buffer.readableBytes)
        switch phase {
        case .over: break
        case .upgrading: upgrade(buffer)
        case .open(let session):
            session.receive(buffer)
            decrypt(session)
        }
        serveReaders()
        pump()
        if reading.pauseIfSpent() { _ = offences.offer(.smallPieces) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            answersUnread = 0
            pump()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(yamux.isGoingAway ? .closedByPeer : .lost)
        self.context = nil
    }

    /// Also called for a connection that never became active.
    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end(.lost)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.lost)
    }

    /// Ends the link once: fails everything that waits, and notifies the peer if the socket still
    /// works.
    func end(_ reason: LinkEnd) {
        guard !isOver else { return }
        isOver = true
        deadline?.cancel()
        ticks?.cancel()
        for id in Array(streams.keys) { drop(id, LinkError.linkEnded(reason)) }
        ledger.close()
        answerBytes.close()
        arrivals.finish()
        offences.finish()
        opened.fail(reason)
        ended.succeed(reason)
        sendGoAway(reason)
        phase = .over
    }

    /// Performs the multiplexer's directives; their ranges refer to `plain`.
    func perform(_ directives: [Yamux.Directive]) {
        for directive in directives where !isOver {
            switch directive {
            case .send(let frame): stage(frame)
            case .opened(let id): arrive(id)
            case .deliver(let id, let range): deliver(id, range)
            case .finished(let id):
                streams[id]?.isFinishedByPeer = true
                readable.insert(id)
            case .writable(let id): pumpable.append(id)
            case .ended(let id, let isReset):
                if isReset {
                    drop(id, LinkError.streamReset)
                } else {
                    streams[id]?.isEnded = true
                    readable.insert(id)
                }
            case .allowance(let change): ledger.grow(by: change)
            case .goneAway: if streams.isEmpty { end(.closedByPeer) }
            case .offend(let offence): end(.mux(offence))
            case .silent: end(.silent)
            }
        }
    }

    /// Sends the streams' waiting bytes in turn, as far as windows and the socket allow.
    func pump() {
        guard case .open = phase, let context else { return }
        let stagedMax = shared.limits.yamux.frameBytesMax
        // Nothing further is staged while TLS does not take it.
        var isTaken = staged.count < stagedMax || encrypt(context)
        while isTaken, context.channel.isWritable, let id = pumpable.popFirst() {
            sendData(id)
            if staged.count >= stagedMax { isTaken = encrypt(context) }
        }
        encrypt(context)
        context.flush()
        countSocketBytes()
    }

    private func countSocketBytes() {
        let options = context?.channel.syncOptions
        socketEntry.set((try? options?.getOption(.bufferedWritableBytes)) ?? 0)
    }

    /// Appends a stream to the queue of streams that have bytes to send.
    func wantsToSend(_ id: YamuxStreamID) {
        pumpable.append(id)
    }

    private func upgrade(_ buffer: ByteBuffer) {
        guard case .upgrading(var upgrade) = phase else { return }
        let outcome: Upgrade.Outcome?
        do throws(LinkEnd) {
            outcome = try upgrade.receive(buffer)
        } catch {
            phase = .upgrading(upgrade)
            sendUpgrade()
            end(error)
            return
        }
        phase = .upgrading(upgrade)
        sendUpgrade()
        guard let outcome, let context else { return }
        deadline?.cancel()
        phase = .open(outcome.session)
        usedAt = now
        opened.succeed(outcome.key)
        let own = NIOLoopBound(self, eventLoop: context.eventLoop)
        let interval = TimeAmount(shared.limits.tickInterval)
        ticks = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: interval) { _ in
            own.value.tick()
        }
        if !outcome.rest.isEmpty {
            plain.replaceSubrange(0..<outcome.rest.count, with: outcome.rest)
            parse(outcome.rest.count)
        }
        decrypt(outcome.session)
    }

    private func sendUpgrade() {
        guard case .upgrading(var upgrade) = phase, let context else { return }
        if let bytes = upgrade.takeOutput() {
            bytesSent += UInt64(bytes.readableBytes)
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        }
        phase = .upgrading(upgrade)
    }

    private func decrypt(_ session: TLSSession) {
        while !isOver {
            do throws(TLSError) {
                switch try session.read(into: &plain) {
                case .needsMore: return
                case .ended:
                    end(.closedByPeer)
                    return
                case .bytes(let count): parse(count)
                }
            } catch {
                end(.tls(error))
            }
        }
    }

    /// Passes a record's decrypted bytes, the first of `plain`, to the multiplexer.
    private func parse(_ count: Int) {
        let framesBefore = yamux.framesRead
        let directives = yamux.receive(plain[..<count], at: now)
        reading.count(frames: yamux.framesRead - framesBefore, at: now)
        perform(directives)
    }

    private func deliver(_ id: YamuxStreamID, _ range: Range<Int>) {
        // `nil` if this side reset the stream after the bytes were read from the input.
        guard let stream = streams[id] else { return }
        if stream.abandonedAt == nil, stream.append(plain[range]) {
            reading.count(dataBytes: range.count)
            readable.insert(id)
        } else {
            perform(yamux.reset(id))
        }
    }

    /// Delivers bytes to waiting readers, once all input that arrived together has been parsed.
    private func serveReaders() {
        guard !readable.isEmpty else { return }
        let waiting = readable
        readable.removeAll(keepingCapacity: true)
        for id in waiting { serveReader(id) }
    }

    private func arrive(_ id: YamuxStreamID) {
        // The stream may have ended within the same batch of input.
        guard yamux.isOpen(id) else { return }
        let isAllowed = group.map { shared.budget.takeOpening(from: $0, at: now) } ?? true
        if !isAllowed || !arrivals.offer(makeStream(id)) { perform(yamux.reset(id)) }
    }

    /// Creates the state of a stream that the multiplexer has opened.
    func makeStream(_ id: YamuxStreamID) -> StreamHandle {
        streams[id] = StreamState(id: id, ledger: ledger)
        return StreamHandle(
            id: id,
            channel: NIOLoopBound(self, eventLoop: loop),
            messages: ledger.makeEntry(.messages),
            answerBytes: answerBytes
        )
    }

    private func sendData(_ id: YamuxStreamID) {
        guard let stream = streams[id], let writer = stream.writers.first else { return }
        let count = min(
            yamux.sendable(on: id),
            writer.bytes.count - writer.sentCount,
            shared.limits.yamux.frameBytesMax
        )
        // A stream without window is queued again when the peer extends the window.
        guard count > 0 else { return }
        staged += yamux.dataFrame(on: id, byteCount: count).bytes
        staged += writer.bytes[writer.sentCount..<writer.sentCount + count]
        stream.noteSent(count)
        reading.count(dataBytes: count)
        usedAt = now
        guard writer.sentCount + count == writer.bytes.count else {
            pumpable.append(id)
            return
        }
        stream.removeWriter()
        writer.timer?.cancel()
        writer.done.succeed(())
        if !stream.writers.isEmpty {
            pumpable.append(id)
        } else if stream.isFinishWanted {
            perform(yamux.finish(id))
        }
    }

    private func stage(_ frame: YamuxFrame) {
        staged += frame.bytes
        guard let context, !context.channel.isWritable else { return }
        answersUnread += YamuxFrame.byteCount
        if answersUnread > shared.limits.unreadControlBytesMax { end(.mux(.unreadAnswers)) }
    }

    /// Encrypts what is staged; returns `false` if it has to wait for more from the peer, or the
    /// link has ended.
    @discardableResult
    private func encrypt(_ context: ChannelHandlerContext) -> Bool {
        guard !staged.isEmpty, case .open(let session) = phase else { return true }
        do throws(TLSError) {
            guard try session.write(staged) else { return false }
        } catch {
            end(.tls(error))
            return false
        }
        staged.removeAll(keepingCapacity: true)
        write(session, context)
        return true
    }

    private func write(_ session: TLSSession, _ context: ChannelHandlerContext) {
        guard let bytes = session.takeOutput(allocator: context.channel.allocator) else { return }
        bytesSent += UInt64(bytes.readableBytes)
        context.write(wrapOutboundOut(bytes), promise: nil)
    }

    private func sendGoAway(_ reason: LinkEnd) {
        guard let context, context.channel.isActive else { return }
        if case .open(let session) = phase {
            staged += yamux.goAway(isOffended: reason.isOffence).bytes
            encrypt(context)
            session.sendGoAway()
            write(session, context)
        }
        let channel = context.channel
        let timer = context.eventLoop.scheduleTask(in: TimeAmount(shared.limits.goAwayMax)) {
            channel.close(promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            timer.cancel()
            channel.close(promise: nil)
        }
    }

    private func tick() {
        guard !isOver else { return }
        perform(yamux.tick(at: now, number: .random(in: 0...UInt32.max)))
        dropAbandoned()
        checkLedger()
        if !streams.isEmpty { usedAt = now }
        if now >= usedAt + shared.limits.idleMax { end(.idle) }
        pump()
    }
}
