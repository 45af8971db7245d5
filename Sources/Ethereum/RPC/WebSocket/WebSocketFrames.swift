import NIOCore
import NIOWebSocket

/// Turns a WebSocket's frames into messages, and ends a connection that has gone silent, or whose
/// endpoint does not read.
final class WebSocketFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The maximum number of frames of one message.
    private static let framesMax = 4_096

    private let connection: WebSocketConnection
    private let attempt: Int
    private var isPinged = false
    /// The end of the connection while its endpoint does not read.
    private var unread: Scheduled<Void>?

    private init(_ connection: WebSocketConnection, attempt: Int) {
        (self.connection, self.attempt) = (connection, attempt)
    }

    /// Adds the handlers at the end of a channel that has just become a WebSocket.
    static func install(
        on channel: any Channel,
        _ connection: WebSocketConnection,
        attempt: Int
    ) throws {
        let limits = connection.limits
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(readTimeout: TimeAmount(limits.socketSilenceMax)))
        try pipeline.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0,
                maxAccumulatedFrameCount: framesMax,
                maxAccumulatedFrameSize: limits.answerBytesMax
            )
        )
        try pipeline.addHandler(WebSocketFrames(connection, attempt: attempt))
    }

    /// Sends a message; if that fails, the channel ends.
    static func send(_ bytes: [UInt8], over channel: any Channel) {
        channel.writeAndFlush(frame(.text, ByteBuffer(bytes: bytes)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isPinged = false
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary:
            let message = [UInt8](buffer: frame.unmaskedData)
            guard let detail = connection.received(message, attempt: attempt) else { return }
            end(.unreachable(reason: "it sent \(detail)"), context)
        case .ping:
            // An endpoint that sends pings and does not read would have pongs wait without bound.
            guard context.channel.isWritable else { return }
            let pong = Self.frame(.pong, frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            let close = Self.frame(.connectionClose, frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(close), promise: nil)
            end(.unreachable(reason: "it closed the WebSocket"), context)
        default: break
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        context.fireChannelWritabilityChanged()
        let channel = context.channel
        guard !channel.isWritable else {
            unread?.cancel()
            unread = nil
            return
        }
        guard unread == nil else { return }
        unread = channel.eventLoop.scheduleTask(in: TimeAmount(connection.limits.answerTimeout)) {
            [connection, attempt] in
            connection.ended(.unreachable(reason: "it does not read requests"), attempt: attempt)
            channel.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard !isPinged else {
            return end(.unreachable(reason: "it does not answer a ping"), context)
        }
        isPinged = true
        let ping = Self.frame(.ping, ByteBuffer())
        context.writeAndFlush(wrapOutboundOut(ping), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        unread?.cancel()
        connection.ended(.unreachable(reason: "the connection ended"), attempt: attempt)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(RPCTransportError(connecting: error), context)
    }

    private func end(_ error: RPCTransportError, _ context: ChannelHandlerContext) {
        connection.ended(error, attempt: attempt)
        context.close(promise: nil)
    }

    /// Creates a frame, masked as a client's frames must be (RFC 6455, section 5.3).
    private static func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    }
}
