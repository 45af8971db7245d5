import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// An endpoint on this machine that speaks HTTP and WebSocket, and does what a test says.
package final class EndpointServer: Sendable {
    /// Where an answer goes.
    package struct Client: Sendable {
        fileprivate let channel: any Channel
        /// The number of the connection, from 0.
        package let connection: Int
        package let isWebSocket: Bool

        /// Sends a message; over HTTP it is the body of an answer with status 200.
        package func send(_ text: String) {
            guard isWebSocket else { return answer(200, [:], text) }
            let data = ByteBuffer(string: text)
            channel.writeAndFlush(
                WebSocketFrame(fin: true, opcode: .text, data: data),
                promise: nil
            )
        }

        /// Sends a message in frames of one byte each.
        package func sendFragmented(_ text: String) {
            let bytes = Array(text.utf8)
            for (index, byte) in bytes.enumerated() {
                let frame = WebSocketFrame(
                    fin: index == bytes.count - 1,
                    opcode: index == 0 ? .text : .continuation,
                    data: ByteBuffer(bytes: [byte])
                )
                channel.write(frame, promise: nil)
            }
            channel.flush()
        }

        /// Sends an answer over HTTP.
        package func answer(_ status: Int, _ headers: [String: String], _ body: String) {
            var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
            fields.add(name: "content-length", value: "\(body.utf8.count)")
            let head = HTTPResponseHead(
                version: .http1_1,
                status: HTTPResponseStatus(statusCode: status),
                headers: fields
            )
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: body)))
            channel.write(part, promise: nil)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }

        /// Reads nothing any more, and sends pings until the connection ends.
        package func pingWithoutReading() {
            channel.setOption(.autoRead, value: false).whenComplete { _ in }
            let ping = WebSocketFrame(
                fin: true,
                opcode: .ping,
                data: ByteBuffer(repeating: 0, count: 125)
            )
            channel.eventLoop.scheduleRepeatedTask(
                initialDelay: .zero,
                delay: .milliseconds(1)
            ) { [channel] task in
                guard channel.isActive else { return task.cancel() }
                guard channel.isWritable else { return }
                for _ in 0..<200 { channel.write(ping, promise: nil) }
                channel.flush()
            }
        }

        package func close() { channel.close(promise: nil) }

        /// Ends the server's half of the connection only.
        package func closeHalf() { channel.close(mode: .output, promise: nil) }
    }

    /// What the server does; `nil` for what it does not do.
    package struct Behaviour: Sendable {
        /// Handles a message, or the body of a POST.
        package var receive: @Sendable (String, Client) -> Void
        /// Refuses a WebSocket with this status and these headers.
        package var refusal: (status: Int, headers: [String: String])?
        /// Whether pings are answered.
        package var answersPings = true

        package init(receive: @escaping @Sendable (String, Client) -> Void) {
            self.receive = receive
        }
    }

    private let behaviour: Behaviour
    private let targets = Mutex<[String]>([])
    private let connections = Mutex(0)

    private init(_ behaviour: Behaviour) { self.behaviour = behaviour }

    /// The paths and queries that were asked for, in order.
    package var asked: [String] { targets.withLock { $0 } }

    package var connectionCount: Int { connections.withLock { $0 } }

    /// Serves as long as `body` runs; it is given the server's port.
    package static func scoped(
        _ behaviour: Behaviour,
        isSecure: Bool = false,
        _ body: (Int, EndpointServer) async throws -> Void
    ) async throws {
        let server = EndpointServer(behaviour)
        let tls = isSecure ? try TestCertificate.serverContext() : nil
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLServerHandler(context: tls)
                        )
                    }
                }.flatMap { server.install(on: channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(listener.localAddress?.port ?? 0, server)
        } catch {
            try await listener.close()
            throw error
        }
        try await listener.close()
    }

    private func install(on channel: any Channel) -> EventLoopFuture<Void> {
        let number = connections.withLock { count in
            defer { count += 1 }
            return count
        }
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: 1 << 24,
            shouldUpgrade: { [self] channel, head in
                targets.withLock { $0.append(head.uri) }
                return channel.eventLoop.makeSucceededFuture(
                    behaviour.refusal == nil ? HTTPHeaders() : nil
                )
            },
            upgradePipelineHandler: { [self] channel, _ in
                channel.pipeline.removeHandler(name: "requests").flatMapThrowing { [self] in
                    let client = Client(channel: channel, connection: number, isWebSocket: true)
                    try channel.pipeline.syncOperations.addHandler(
                        Messages(behaviour: behaviour, client: client)
                    )
                }
            }
        )
        return channel.pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in })
        ).flatMapThrowing { [self] in
            let client = Client(channel: channel, connection: number, isWebSocket: false)
            try channel.pipeline.syncOperations.addHandler(
                Requests(server: self, client: client),
                name: "requests"
            )
        }
    }

    private final class Messages: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        private let behaviour: Behaviour
        private let client: Client

        init(behaviour: Behaviour, client: Client) {
            (self.behaviour, self.client) = (behaviour, client)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.opcode {
            case .text: behaviour.receive(String(buffer: frame.unmaskedData), client)
            case .ping where behaviour.answersPings:
                let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
                context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
            default: break
            }
        }
    }

    private final class Requests: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart

        private let server: EndpointServer
        private let client: Client
        private var isPost = false
        private var body = ""

        init(server: EndpointServer, client: Client) {
            (self.server, self.client) = (server, client)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                (isPost, body) = (head.method == .POST, "")
                if isPost { server.targets.withLock { $0.append(head.uri) } }
            case .body(let part): body += String(buffer: part)
            case .end:
                if isPost { return server.behaviour.receive(body, client) }
                let refusal = server.behaviour.refusal ?? (status: 400, headers: [:])
                client.answer(refusal.status, refusal.headers, "")
            }
        }
    }
}
