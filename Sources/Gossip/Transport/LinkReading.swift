import GossipProtocol
import NIOCore

/// Reads a link's socket, and pauses when its peer has sent more small pieces than allowed.
///
/// Bytes that the peer sends during a pause stay in the sockets' buffers, so TCP slows the peer
/// down. It stands before the ``LinkChannel``, which counts the pieces, and runs on the event loop.
///
/// Source: Docs/protocol.md, section 7.4.1.
final class LinkReading: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var allowance: FrameAllowance
    private var resumption: Scheduled<Void>?
    private var isReadWanted = false
    private var context: ChannelHandlerContext?

    init(limits: LinkLimits) {
        allowance = FrameAllowance(limits: limits)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        resumption?.cancel()
        resumption = nil
    }

    /// Passes on the bytes that were read; if none were asked for, the peer has closed the socket
    /// and all its earlier bytes arrive at once: more than allowed, so they are dropped.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if resumption == nil {
            context.fireChannelRead(data)
        } else {
            context.close(promise: nil)
        }
    }

    func read(context: ChannelHandlerContext) {
        if resumption == nil {
            context.read()
        } else {
            isReadWanted = true
        }
    }

    /// Counts a record of TLS and the frames in it.
    func count(frames: Int, at now: Moment) {
        allowance.take(1 + frames, at: now)
    }

    /// Counts data that arrived for a stream, or was sent on one.
    func count(dataBytes: Int) {
        allowance.giveBack(bytes: dataBytes)
    }

    /// Stops reading if the allowance is used up; returns whether it stopped now.
    func pauseIfSpent() -> Bool {
        guard resumption == nil, let context, let pause = allowance.pause else { return false }
        let own = NIOLoopBound(self, eventLoop: context.eventLoop)
        resumption = context.eventLoop.scheduleTask(in: TimeAmount(pause)) { own.value.resume() }
        return true
    }

    private func resume() {
        resumption = nil
        guard isReadWanted else { return }
        isReadWanted = false
        context?.read()
    }
}
