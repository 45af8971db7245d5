import Concurrency
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import NodeAPI

/// A client that reads its answer as slowly as it can, over a real socket.
@Suite(.timeLimit(.minutes(1)))
struct SlowReaderTests {
    /// Answers each request with more bytes than sockets hold.
    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let body = ByteBuffer(repeating: 0, count: 64 << 20)
            let headers: HTTPHeaders = ["content-length": "\(body.readableBytes)"]
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// - From people: an answer that is read byte by byte → the connection is closed after 60 s
    @Test func `disconnects a client that reads a byte at a time`() async throws {
        var limits = ConnectionLimits()
        limits.unread = .seconds(1)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [limits] channel in
                channel.closeFuture.whenComplete { _ in end.finish() }
                return channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    try handlers.configureHTTPServerPipeline(
                        withPipeliningAssistance: false,
                        withErrorHandling: false
                    )
                    try handlers.addHandlers([PaceHandler(limits: limits), Answering()])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: 1)
            )
            .connect(host: "127.0.0.1", port: port).get()
        let question = ByteBuffer(string: "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
        try await client.writeAndFlush(question)
        await withThrowingTaskGroup { group in
            group.addTask {
                while true {
                    client.read()
                    try await SystemMonotonicClock().wait(.milliseconds(50))
                }
            }
            for await _ in ends {}
            group.cancelAll()
        }
        // It may see that the other side has hung up.
        try? await client.close()
        try await server.close()
    }
}
