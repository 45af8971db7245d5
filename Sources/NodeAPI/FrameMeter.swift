import NIOCore
import NIOWebSocket

/// How many bytes the client of a WebSocket may send.
///
/// A client has nothing to send but pings, pongs and a close frame. A frame costs the node the same
/// work whether it carries something or not, and the smallest has 6 bytes; so the bytes bound the
/// frames before anything is decoded.
///
/// Pure: the caller passes in the time.
///
/// Source: Docs/limits.md, section 3.1.
struct FrameBytesAllowance: Sendable {
    static let burst = 8_192
    static let perSecond = 512

    private var left = Double(burst)
    private var at: NIODeadline?

    /// Counts bytes that came; returns whether they were allowed.
    mutating func take(_ byteCount: Int, at now: NIODeadline) -> Bool {
        let seconds = at.map { Double((now - $0).nanoseconds) / 1e9 } ?? 0
        at = now
        left = min(Double(Self.burst), left + seconds * Double(Self.perSecond))
        left -= Double(byteCount)
        return left >= 0
    }
}

/// Closes a WebSocket whose client sends more than it may.
///
/// It stands between the encoder and the decoder of frames. Later bytes are dropped, and not left
/// unread, because the close frame would then be lost with the connection.
final class FrameMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = WebSocketFrame

    private var allowance = FrameBytesAllowance()
    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        let byteCount = unwrapInboundIn(data).readableBytes
        guard allowance.take(byteCount, at: context.eventLoop.now) else { return end(context) }
        context.fireChannelRead(data)
    }

    private func end(_ context: ChannelHandlerContext) {
        isOver = true
        let words = "A client can send \(FrameBytesAllowance.perSecond) bytes a second."
        let frame = EventSocket.closing(.policyViolation, words)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: QuiesceHandler.graceMax) { channel.close(promise: nil) }
    }
}
