import NIOCore
import NIOHTTP1

/// Lets a connection's first request ask for an upgrade only if it will be granted.
///
/// NIO's upgrader swallows a request that it does not upgrade, so that it is never answered. This
/// handler removes the `Upgrade` of such a request and passes it to the router, which answers it
/// like any other. The connection ends then, because the parser treats later bytes as another
/// protocol.
///
/// Source: RFC 9110, section 7.8: a server may ignore `Upgrade`.
final class UpgradeFilter: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// Nothing has arrived yet. Becomes `waiting` or `done`.
        case fresh
        /// The decision is pending. Becomes `done` or `ending`.
        case waiting(HTTPRequestHead, [HTTPServerRequestPart])
        /// The upgrade is refused: the answer says that it is the last one. Final.
        case ending
        /// Everything passes. Final.
        case done
    }

    private let admits: @Sendable (HTTPRequestHead) async -> Bool
    private var state = State.fresh

    /// - Parameter admits: Whether a request may become a WebSocket.
    init(admits: @escaping @Sendable (HTTPRequestHead) async -> Bool) {
        self.admits = admits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .done, .ending: context.fireChannelRead(data)
        case .fresh:
            guard case .head(let head) = unwrapInboundIn(data),
                head.headers.contains(name: "upgrade")
            else {
                state = .done
                context.fireChannelRead(data)
                return context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            }
            state = .waiting(head, [])
            decide(head, context)
        case .waiting(let head, var rest):
            let part = unwrapInboundIn(data)
            rest.append(part)
            state = .waiting(head, rest)
            // A WebSocket's request has no body.
            if case .body = part { go(on: context, isAdmitted: false) }
        }
    }

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        guard case .ending = state, case .head(var head) = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    private func decide(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        context.eventLoop.makeFutureWithTask { [admits] in await admits(head) }
            .assumeIsolated()
            .whenSuccess { self.go(on: context, isAdmitted: $0) }
    }

    private func go(on context: ChannelHandlerContext, isAdmitted: Bool) {
        guard case .waiting(var head, let rest) = state else { return }
        state = isAdmitted ? .done : .ending
        if !isAdmitted {
            head.headers.remove(name: "upgrade")
            head.headers.replaceOrAdd(name: "connection", value: "close")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        for part in rest { context.fireChannelRead(wrapInboundOut(part)) }
        context.fireChannelReadComplete()
        guard isAdmitted else { return }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
