import AccountAccess
import Answers
import Client
import Foundation
import NIOCore
import NIOHTTP1

/// Closes connections of clients that are too slow, and answers bytes that are not HTTP.
///
/// A client's time runs while the node waits for it: for a request, for the rest of one, or for
/// reading an answer. It does not run while a request is processed, nor for a WebSocket's frames.
///
/// Source: RFC 9112, sections 2.2 and 9.5; Docs/limits.md, section 3.1.
final class PaceHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        case http
        /// The parser reported an error. Becomes `closing` once everything before it is answered.
        ///
        /// `isTooLong` says that the headers had too many bytes.
        case faulty(inBody: Bool, isTooLong: Bool)
        /// The last answer is sent. Final.
        case closing
        /// Another protocol follows. Final.
        case upgraded
    }

    /// The handling of the bytes that a client sends now.
    enum Intake {
        /// They are read.
        case read
        /// The parser has stopped, and keeps them for the protocol that may be spoken next.
        case kept
        /// They are no longer read.
        case dropped
    }

    /// The maximum number of bytes of a request's headers.
    static let headerBytesMax = 32 * 1_024

    private let limits: ConnectionLimits
    /// Returns the connection's slot, which records whose turn it is.
    private let place: () -> ConnectionPlace?
    private var phase = Phase.http
    /// Requests whose heads have arrived and whose answers have not ended.
    private var unansweredCount = 0
    /// When the body that is being received has been slower than its pace for too long.
    private var bodyDeadline: NIODeadline?
    private var isLast = false
    /// Whether a request asks for another protocol or a tunnel; the parser stops after it.
    private var asksUpgrade = false
    private var isParsed = true
    private var readDeadline: NIODeadline?
    private var writeDeadline: NIODeadline?
    private var alarm: Scheduled<Void>?
    private var alarmedAt: NIODeadline?

    /// Whether no request is in progress, and the next one would be HTTP.
    var isIdle: Bool {
        if case .http = phase { unansweredCount == 0 && bodyDeadline == nil } else { false }
    }

    /// The handling of the bytes that the client sends now.
    var intake: Intake {
        switch phase {
        case .http: isParsed ? .read : .kept
        case .upgraded: .read
        case .faulty, .closing: .dropped
        }
    }

    init(limits: ConnectionLimits, place: @escaping () -> ConnectionPlace? = { nil }) {
        self.limits = limits
        self.place = place
    }

    func handlerAdded(context: ChannelHandlerContext) { wait(limits.head, context) }

    func handlerRemoved(context: ChannelHandlerContext) { alarm?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isParsed else { return context.fireChannelRead(data) }
        guard case .http = phase else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.hasShortMarkRuns, head.namesOneHost else {
                return errorCaught(context: context, error: HTTPParserError.invalidHeaderToken)
            }
            unansweredCount += 1
            let isTunnel = head.method == .CONNECT
            if !head.isKeepAlive || isTunnel { isLast = true }
            asksUpgrade = isTunnel || head.headers.contains(name: "upgrade")
            bodyDeadline = context.eventLoop.now + limits.bodyGrace
            place()?.wait()
        case .body(let bytes): keepPace(bytes.readableBytes, context)
        case .end:
            bodyDeadline = nil
            isParsed = !asksUpgrade
            place()?.work()
        }
        waitForBody(context)
        context.fireChannelRead(data)
    }

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        switch phase {
        case .closing: promise?.fail(ChannelError.ioOnClosedChannel)
        case .upgraded: context.write(data, promise: promise)
        case .http, .faulty:
            let part = unwrapOutboundIn(data)
            if case .head(var head) = part {
                if head.status == .switchingProtocols { return upgrade(context, data, promise) }
                if head.headers[canonicalForm: "connection"].contains("close") {
                    isLast = true
                } else if isLast, unansweredCount == 1, head.status.code >= 200 {
                    head.headers.replaceOrAdd(name: "connection", value: "close")
                    return context.write(wrapOutboundOut(.head(head)), promise: promise)
                }
            }
            context.write(data, promise: promise)
            if case .end = part { answered(context) }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writeDeadline = context.channel.isWritable ? nil : context.eventLoop.now + limits.unread
        if context.channel.isWritable {
            if unansweredCount > 0, bodyDeadline == nil { place()?.work() }
        } else {
            place()?.wait()
        }
        setAlarm(context)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, case .http = phase else {
            return context.fireErrorCaught(error)
        }
        let isInBody = bodyDeadline != nil
        let isTooLong = error as? HTTPParserError == .headerOverflow
        phase = .faulty(inBody: isInBody, isTooLong: isTooLong)
        bodyDeadline = nil
        wait(limits.gap, context)
        // The reader of the body answers.
        if isInBody { context.fireErrorCaught(error) }
        if unansweredCount == 0 { end(context) }
    }

    /// Handles the end of one answer.
    private func answered(_ context: ChannelHandlerContext) {
        unansweredCount -= 1
        if case .faulty = phase {
            if unansweredCount == 0 { end(context) }
            return
        }
        guard bodyDeadline == nil else {
            // The last answer was sent before the body's end, so the rest is not read.
            if isLast, unansweredCount == 0 { return close(context) }
            return waitForBody(context)
        }
        guard unansweredCount == 0 else { return }
        place()?.wait()
        wait(isLast ? limits.quiesce : limits.idle, context)
    }

    /// Ends the connection after a parser error, because nothing more can be read.
    private func end(_ context: ChannelHandlerContext) {
        guard case .faulty(let inBody, let isTooLong) = phase else { return }
        if !inBody {
            let body = isTooLong ? Self.tooLong : ByteBuffer()
            var head = HTTPResponseHead(
                version: .http1_1,
                status: isTooLong ? .requestHeaderFieldsTooLarge : .badRequest,
                headers: ["connection": "close", "content-length": "\(body.readableBytes)"]
            )
            if isTooLong {
                head.headers.add(name: "content-type", value: "application/problem+json")
            }
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.write(wrapOutboundOut(.end(nil)), promise: nil)
        }
        close(context)
    }

    /// The problem of a request whose headers have too many bytes.
    private static var tooLong: ByteBuffer {
        let problem = Refusal(
            .headersTooLarge,
            forPrograms: "The headers of a request can have at most \(headerBytesMax) bytes."
        ).problem
        // Texts and numbers can always be encoded.
        return ByteBuffer(bytes: (try? WireCoding.encoder().encode(problem)) ?? Data())
    }

    /// Ends the sending side, and drops whatever the client still sends.
    private func close(_ context: ChannelHandlerContext) {
        phase = .closing
        bodyDeadline = nil
        context.flush()
        wait(limits.quiesce, context)
        // Answers on their way are still sent; the client's bytes are no longer read.
        context.close(mode: .output, promise: nil)
    }

    private func upgrade(
        _ context: ChannelHandlerContext,
        _ data: NIOAny,
        _ promise: EventLoopPromise<Void>?
    ) {
        phase = .upgraded
        bodyDeadline = nil
        readDeadline = nil
        context.write(data, promise: promise)
    }

    /// Gives a body the time that these bytes take at its pace, but never more than its grace.
    private func keepPace(_ bytes: Int, _ context: ChannelHandlerContext) {
        guard let earlier = bodyDeadline else { return }
        let time = TimeAmount.nanoseconds(
            Int64(bytes) * 1_000_000_000 / limits.bodyBytesPerSecond
        )
        bodyDeadline = min(earlier + time, context.eventLoop.now + limits.bodyGrace)
    }

    /// Limits a body's time only if no other request is in progress that could delay its reading.
    private func waitForBody(_ context: ChannelHandlerContext) {
        guard let bodyDeadline, unansweredCount <= 1 else {
            readDeadline = nil
            return
        }
        readDeadline = min(bodyDeadline, context.eventLoop.now + limits.gap)
        setAlarm(context)
    }

    private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        readDeadline = context.eventLoop.now + time
        setAlarm(context)
    }

    /// Sets an alarm for the next deadline.
    ///
    /// One that fires too early schedules the next: that costs less than one timer per read.
    private func setAlarm(_ context: ChannelHandlerContext) {
        guard let deadline else { return }
        if let alarmedAt, alarmedAt <= deadline { return }
        alarm?.cancel()
        alarmedAt = deadline
        alarm = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.alarmedAt = nil
            guard let deadline = self.deadline else { return }
            if deadline <= context.eventLoop.now {
                context.close(promise: nil)
            } else {
                self.setAlarm(context)
            }
        }
    }

    private var deadline: NIODeadline? {
        [readDeadline, writeDeadline].compactMap { $0 }.min()
    }
}

extension HTTPRequestHead {
    /// Whether its target and headers can be compared as texts in little time; see ``MarkRuns``.
    var hasShortMarkRuns: Bool {
        MarkRuns.areShort(in: uri.utf8)
            && headers.allSatisfy { MarkRuns.areShort(in: $0.value.utf8) }
    }

    /// Whether it has at most one host, and the request line no other one than the header.
    ///
    /// Source: RFC 9112, sections 3.2 and 3.2.2. The router sees the path and the header alone.
    var namesOneHost: Bool {
        let hosts = headers[canonicalForm: "host"]
        guard hosts.count <= 1 else { return false }
        guard !uri.hasPrefix("/"), uri != "*" else { return true }
        let start = uri.firstRange(of: "://")?.upperBound ?? uri.startIndex
        let target = uri[start...].prefix { !"/?#".contains($0) }
        return hosts.first?.lowercased() == target.lowercased()
    }
}
