import NIOCore

/// Closes a connection soon after the server stops, whatever the client does with it.
///
/// A connection that is kept alive, or that never sent a request, would keep the node from
/// stopping. An answer in progress has a moment to end.
final class QuiesceHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private static let graceMax = TimeAmount.milliseconds(500)

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            let channel = context.channel
            context.eventLoop.scheduleTask(in: Self.graceMax) { channel.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }
}
