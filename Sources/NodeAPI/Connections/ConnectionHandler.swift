import NIOCore

/// Holds a connection's slot at the port, bounds its buffered bytes, and records when the client
/// hangs up.
///
/// A connection without a slot is refused and closed before anything is read from it. HTTP's parser
/// stops after a request for another protocol or a tunnel, and after a fault, but keeps all later
/// bytes; so they are dropped here, but for a few that may belong to the next protocol.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Slot {
        /// Not connected yet. Becomes `taken` or `none`.
        case open
        /// Becomes `none`.
        case taken(ConnectionPlace)
        /// Final.
        case none
    }

    /// Source: RFC 9110, section 15.6.4.
    private static let refusal = ByteBuffer(
        string: "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\n"
            + "Content-Length: 0\r\n\r\n"
    )

    /// The maximum number of bytes that a client can send before the next protocol begins.
    static let keptBytesMax = 16_384

    private let admission: ConnectionAdmission
    private let hangUp = HangUp()
    private var slot = Slot.open
    private var keptBytes = 0
    /// The handling of the bytes that the client sends now.
    private let intake: () -> PaceHandler.Intake

    init(admission: ConnectionAdmission, intake: @escaping () -> PaceHandler.Intake) {
        (self.admission, self.intake) = (admission, intake)
    }

    /// Returns the signal that a connection's client hangs up; `nil` if the connection is closed.
    static func hangUp(of channel: any Channel) async throws -> HangUp? {
        try await channel.eventLoop.submit {
            // A closed connection has no handlers.
            try? channel.pipeline.syncOperations.handler(type: ConnectionHandler.self).hangUp
        }.get()
    }

    /// The connection's slot; `nil` before it has one, and once it has ended.
    var place: ConnectionPlace? {
        if case .taken(let place) = slot { place } else { nil }
    }

    /// Returns the slot of a connection; `nil` if it is closed.
    static func place(of channel: any Channel) async throws -> ConnectionPlace? {
        try await channel.eventLoop.submit {
            try? channel.pipeline.syncOperations.handler(type: ConnectionHandler.self).place
        }.get()
    }

    func channelActive(context: ChannelHandlerContext) {
        let network = context.remoteAddress?.ipAddress.flatMap(Network.init)
        guard let place = admission.enter(network, context.channel) else {
            slot = .none
            context.writeAndFlush(wrapOutboundOut(Self.refusal), promise: nil)
            return context.close(promise: nil)
        }
        slot = .taken(place)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch intake() {
        case .read: break
        case .kept:
            keptBytes += unwrapInboundIn(data).readableBytes
            guard keptBytes <= Self.keptBytesMax else { return }
        case .dropped: return
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        place?.leave()
        slot = .none
        hangUp.happen()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hangUp.happen() }
        context.fireUserInboundEventTriggered(event)
    }
}
