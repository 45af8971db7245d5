import Foundation
import NIOCore
import NIOWebSocket

/// Turns a WebSocket's frames into events, and closes a connection that has gone silent.
final class EventFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let node: NodeAddress
    private let events: AsyncThrowingStream<Event, any Error>.Continuation
    private var isPinged = false

    private init(
        node: NodeAddress,
        events: AsyncThrowingStream<Event, any Error>.Continuation
    ) {
        (self.node, self.events) = (node, events)
    }

    /// Adds the handlers at the end of a channel that has just become a WebSocket.
    static func install(
        on channel: any Channel,
        _ node: NodeAddress,
        _ limits: ClientLimits
    ) throws -> AsyncThrowingStream<Event, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Event.self,
            throwing: (any Error).self,
            bufferingPolicy: .bufferingOldest(limits.eventsWaitingMax)
        )
        continuation.onTermination = { _ in channel.close(promise: nil) }
        let aggregator = NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 0,
            maxAccumulatedFrameCount: 64,
            maxAccumulatedFrameSize: limits.eventBytesMax
        )
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(readTimeout: TimeAmount(limits.eventSilence)))
        try pipeline.addHandler(aggregator)
        try pipeline.addHandler(EventFrames(node: node, events: continuation))
        return stream
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isPinged = false
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: take(frame, context)
        case .ping: send(.pong, frame.unmaskedData, context)
        case .connectionClose:
            send(.connectionClose, frame.unmaskedData, context)
            context.close(promise: nil)
        default: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard !isPinged else { return context.close(promise: nil) }
        isPinged = true
        send(.ping, ByteBuffer(), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        events.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        events.finish(throwing: ClientError.unreachable(node, reason: "\(type(of: error))"))
        context.close(promise: nil)
    }

    private func take(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        let bytes = Data(frame.unmaskedData.readableBytesView)
        do {
            let event = try WireCoding.decoder().decode(Event.self, from: bytes)
            // The reader is too slow: later events are requested again, after the ones that were
            // kept.
            if case .dropped = events.yield(event) {
                events.finish()
                context.close(promise: nil)
            }
        } catch {
            let error = ClientError.unexpected(node, status: 101, reason: "no event")
            events.finish(throwing: error)
            context.close(promise: nil)
        }
    }

    /// Sends a frame, masked as a client's frames must be (RFC 6455, section 5.3).
    private func send(
        _ opcode: WebSocketOpcode,
        _ data: ByteBuffer,
        _ context: ChannelHandlerContext
    ) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}
