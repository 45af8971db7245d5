import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// A connection to the API: HTTP/1.1, or a WebSocket if the request asks for one and may have it.
///
/// Source: RFC 6455, section 4.2.
struct WebChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>
    typealias Messages = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// The protocol that the connection uses.
    enum Outcome: Sendable {
        case http(Messages)
        case webSocket(Frames, HTTPRequestHead)
    }

    /// A connection whose first request has not been read yet.
    struct Value: ServerChildChannelValue {
        let outcome: EventLoopFuture<Outcome>
        let channel: any Channel
    }

    /// The maximum size of a client's frame, in bytes; a client sends only ping, pong or close.
    static let frameBytesMax = 4_096

    let responder: HTTPChannelHandler.Responder
    let admission: ConnectionAdmission
    /// Decides whether a request may become a WebSocket.
    ///
    /// `false` leaves it to the router, which answers with the reason.
    let admits: @Sendable (HTTPRequestHead) async -> Bool
    /// Serves a WebSocket until it ends.
    let serve: @Sendable (Frames, HTTPRequestHead) async throws -> Void

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // Each of the two asks the other: whose turn it is, and whether anybody reads on.
            weak var paced: PaceHandler?
            let connection = ConnectionHandler(admission: admission) { paced?.intake ?? .read }
            let pace = PaceHandler(limits: admission.limits) { [weak connection] in
                connection?.place
            }
            paced = pace
            let quiescing = QuiesceHandler { pace.isIdle }
            try channel.pipeline.syncOperations.addHandlers(connection, quiescing)
            let upgrades = NIOTypedHTTPServerUpgradeConfiguration<Outcome>(
                upgraders: [upgrader()],
                notUpgradingCompletionHandler: Self.plain
            )
            var pipeline = NIOUpgradableHTTPServerPipelineConfiguration(
                upgradeConfiguration: upgrades
            )
            pipeline.enablePipelining = false
            pipeline.enableErrorHandling = false
            pipeline.decoderConfiguration.maxHeaderListSize = PaceHandler.headerBytesMax
            let handlers = channel.pipeline.syncOperations
            let outcome = try handlers.configureUpgradableHTTPServerPipeline(
                configuration: pipeline
            )
            let upgrading = try handlers.handler(
                type: NIOTypedHTTPServerUpgradeHandler<Outcome>.self
            )
            try handlers.addHandlers(
                [pace, UpgradeFilter(admits: admits)],
                position: .before(upgrading)
            )
            return Value(outcome: outcome, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.outcome.get() {
            case .http(let messages):
                await handleHTTP(asyncChannel: messages, logger: logger)
            case .webSocket(let frames, let request):
                try await serve(frames, request)
            }
        } catch {
            logger.debug("connection ended", metadata: ["error": "\(error)"])
        }
    }

    private func upgrader() -> NIOTypedWebSocketServerUpgrader<Outcome> {
        NIOTypedWebSocketServerUpgrader(
            maxFrameSize: Self.frameBytesMax,
            // A request that is not admitted has been turned into a plain request before.
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    let decoder = try handlers.handler(
                        type: ByteToMessageHandler<WebSocketFrameDecoder>.self
                    )
                    try handlers.addHandler(FrameMeter(), position: .before(decoder))
                    try handlers.handler(type: ConnectionHandler.self).place?.becomeSocket()
                    let frames = try Frames(wrappingChannelSynchronously: channel)
                    return .webSocket(frames, head)
                }
            }
        )
    }

    @Sendable private static func plain(_ channel: any Channel) -> EventLoopFuture<Outcome> {
        channel.eventLoop.makeCompletedFuture {
            let handlers = channel.pipeline.syncOperations
            try handlers.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return .http(
                try NIOAsyncChannel(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true)
                )
            )
        }
    }
}

extension WebChannel {
    /// Serves a port until cancelled or told to shut down gracefully.
    ///
    /// - Throws: The error that keeps it from listening.
    static func serve(
        _ router: Router<APIContext>,
        on host: String,
        _ port: Int,
        _ logger: Logger,
        ready: @escaping @Sendable (Int) async -> Void,
        channel: @escaping @Sendable (@escaping HTTPChannelHandler.Responder) -> WebChannel
    ) async throws {
        let application = Application(
            router: router,
            server: HTTPServerBuilder { channel($0) },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: "stoa"
            ),
            onServerRunning: { channel in await ready(channel.localAddress?.port ?? port) },
            logger: logger
        )
        try await application.run()
    }
}
