package import Client
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A server on this machine that answers as a test says, and remembers what it was asked.
package final class ScriptedServer: Sendable {
    package struct Request: Equatable, Sendable {
        package let method: String
        package let uri: String
        package let token: String?
        package let key: String?
        package let body: String
    }

    package enum Answer: Sendable {
        case json(Int, String)
        /// Closes the connection without an answer.
        case hangUp
        /// Keeps the connection and says nothing.
        case nothing
    }

    /// What a WebSocket gets: texts, and then its end if so wished.
    package struct Script: Sendable {
        package let texts: [String]
        package let closes: Bool

        package init(texts: [String], closes: Bool) {
            (self.texts, self.closes) = (texts, closes)
        }
    }

    private let asked = Mutex<[Request]>([])
    private let hangUps = AsyncStream.makeStream(
        of: Void.self,
        bufferingPolicy: .bufferingOldest(16)
    )
    private let answer: @Sendable (Request, Int) -> Answer
    private let events: @Sendable (String) -> Script?

    private init(
        answer: @escaping @Sendable (Request, Int) -> Answer,
        events: @escaping @Sendable (String) -> Script?
    ) {
        (self.answer, self.events) = (answer, events)
    }

    /// Everything that was asked so far, in order.
    package var requests: [Request] { asked.withLock { $0 } }

    /// Waits until a client has closed one of its WebSockets.
    package func waitForHangUp() async {
        for await _ in hangUps.stream { return }
    }

    /// Serves as long as `body` runs.
    ///
    /// `answer` says what to answer a request, told how many came before it; `events` what to send
    /// over a WebSocket, by its address, where `nil` refuses it.
    package static func scoped(
        answer: @escaping @Sendable (Request, Int) -> Answer,
        events: @escaping @Sendable (String) -> Script? = { _ in nil },
        _ body: (NodeAddress, ScriptedServer) async throws -> Void
    ) async throws {
        let server = ScriptedServer(answer: answer, events: events)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in server.install(on: channel) }
            .bind(host: "127.0.0.1", port: 0).get()
        let node = NodeAddress(host: "127.0.0.1", port: listener.localAddress?.port ?? 0)
        do {
            try await body(node, server)
        } catch {
            try await listener.close()
            throw error
        }
        try await listener.close()
    }

    private func install(on channel: any Channel) -> EventLoopFuture<Void> {
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { [self] channel, head in
                let isWanted = events(head.uri) != nil
                return channel.eventLoop.makeSucceededFuture(isWanted ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { [self] channel, head in
                note(head, body: "")
                return channel.pipeline.removeHandler(name: "answers").flatMap { [self] in
                    send(events(head.uri), over: channel)
                }
            }
        )
        return channel.pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in })
        ).flatMapThrowing { [self] in
            try channel.pipeline.syncOperations.addHandler(
                Answerer(server: self),
                name: "answers"
            )
        }
    }

    private func send(_ script: Script?, over channel: any Channel) -> EventLoopFuture<Void> {
        channel.closeFuture.whenComplete { [hangUps] _ in hangUps.continuation.yield() }
        for text in script?.texts ?? [] {
            let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
            channel.write(frame, promise: nil)
        }
        channel.flush()
        if script?.closes == true {
            // Once the client has taken the upgrade in; a turn of the loop is not enough for that.
            channel.eventLoop.scheduleTask(in: .milliseconds(100)) { channel.close(promise: nil) }
        }
        return channel.eventLoop.makeSucceededVoidFuture()
    }

    @discardableResult
    private func note(_ head: HTTPRequestHead, body: String) -> (Request, Int) {
        let request = Request(
            method: head.method.rawValue,
            uri: head.uri,
            token: head.headers.first(name: "authorization"),
            key: head.headers.first(name: "idempotency-key"),
            body: body
        )
        return asked.withLock { asked in
            asked.append(request)
            return (request, asked.count - 1)
        }
    }

    private final class Answerer: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: ScriptedServer
        private var head: HTTPRequestHead?
        private var body = ""

        init(server: ScriptedServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, "")
            case .body(let part): body += String(buffer: part)
            case .end:
                guard let head else { return }
                let (request, index) = server.note(head, body: body)
                reply(server.answer(request, index), context)
            }
        }

        private func reply(_ answer: Answer, _ context: ChannelHandlerContext) {
            if case .nothing = answer { return }
            guard case .json(let status, let text) = answer else {
                return context.close(promise: nil)
            }
            let head = HTTPResponseHead(
                version: .http1_1,
                status: HTTPResponseStatus(statusCode: status),
                headers: ["content-length": "\(text.utf8.count)"]
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let body = ByteBuffer(string: text)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
