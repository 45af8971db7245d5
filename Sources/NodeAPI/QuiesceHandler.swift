import NIOCore

/// Closes a connection when the server stops, whatever the client does with it.
///
/// A connection that is kept alive, or that never sent a request, would keep the node from
/// stopping; it is closed at once. An answer in progress has a moment to end.
final class QuiesceHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let graceMax = TimeAmount.milliseconds(500)

    /// Returns whether no request of the client is in progress.
    private let isIdle: () -> Bool

    init(isIdle: @escaping () -> Bool) {
        self.isIdle = isIdle
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            let channel = context.channel
            context.eventLoop.scheduleTask(in: Self.graceMax) { channel.close(promise: nil) }
            if isIdle() {
                // The end of the last answer may not be sent yet.
                context.writeAndFlush(wrapOutboundOut(ByteBuffer()))
                    .whenComplete { _ in channel.close(promise: nil) }
            }
        }
        context.fireUserInboundEventTriggered(event)
    }
}
