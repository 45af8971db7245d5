import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Support
import Testing

@testable import NodeAPI

/// Connections in memory to a port with two places for other machines.
struct ConnectionHandlerTests {
    private let admission: ConnectionAdmission

    init() {
        var limits = ConnectionLimits()
        (limits.elsewhereMax, limits.networkMax) = (2, 2)
        admission = ConnectionAdmission(
            limits: limits,
            clock: ManualClock(),
            logger: Logger(label: "test")
        )
    }

    /// - From people: an idle connection while a caller waits for a free slot → it is closed; one
    ///   that is being served stays
    @Test func `an idle connection can lose its place; one in use keeps it`() throws {
        let served = try channel(from: "192.0.2.1")
        let idle = try channel(from: "192.0.2.1")
        try served.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nhost: x\r\n\r\n"))
        let second = try channel(from: "192.0.2.2")
        #expect(served.isActive && !idle.isActive && second.isActive)
        // It has been idle for less long than the other since it was answered.
        let head = HTTPResponseHead(
            version: .http1_1,
            status: .ok,
            headers: ["content-length": "0"]
        )
        try served.writeOutbound(HTTPServerResponsePart.head(head))
        try served.writeOutbound(HTTPServerResponsePart.end(nil))
        let third = try channel(from: "192.0.2.3")
        #expect(served.isActive && !second.isActive && third.isActive)
        // A whole head without its body is nothing that the node works for.
        try third.writeInbound(
            ByteBuffer(string: "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n")
        )
        let fourth = try channel(from: "192.0.2.4")
        #expect(!served.isActive && third.isActive && fourth.isActive)
        let fifth = try channel(from: "192.0.2.5")
        #expect(!third.isActive && fourth.isActive && fifth.isActive)
    }

    @Test func `the operator's connection keeps its place even when idle`() throws {
        let own = try channel(from: "192.0.2.1")
        let handlers = own.pipeline.syncOperations
        try handlers.handler(type: ConnectionHandler.self).place?.trust()
        let others = try (2...9).map { try channel(from: "192.0.2.\($0)") }
        #expect(
            own.isActive && others.map(\.isActive) == Array(repeating: false, count: 7) + [true]
        )
        try own.close().wait()
        let last = try channel(from: "192.0.2.10")
        #expect(others.last?.isActive == true && last.isActive)
    }

    /// - From people: bytes after a request for another protocol or a tunnel → at most 16 KiB kept
    @Test(arguments: [
        "CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n",
        "GET / HTTP/9.9\r\nhost: a\r\n\r\n", "\0",
    ])
    func `keeps few bytes once the parser has stopped`(request: String) throws {
        let counter = ByteCounter()
        let channel = try channel(from: "192.0.2.1", counter: counter)
        // A fault is told by an error, which does not end the connection.
        _ = try? channel.writeInbound(ByteBuffer(string: request))
        for _ in 0..<64 {
            _ = try? channel.writeInbound(ByteBuffer(repeating: 0, count: 1_024))
        }
        let most = request.utf8.count + ConnectionHandler.keptBytesMax
        #expect(counter.count >= request.utf8.count && counter.count <= most)
        _ = try? channel.finish()
    }

    private func channel(
        from address: String,
        counter: ByteCounter = ByteCounter()
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let handlers = channel.pipeline.syncOperations
        weak var paced: PaceHandler?
        let connection = ConnectionHandler(admission: admission) { paced?.intake ?? .read }
        let pace = PaceHandler(limits: admission.limits) { [weak connection] in connection?.place }
        paced = pace
        try handlers.addHandler(connection)
        try handlers.addHandler(counter)
        try handlers.addHandler(HTTPResponseEncoder())
        try handlers.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try handlers.addHandler(pace)
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
        return channel
    }
}

/// Counts the bytes that reach the parser.
private final class ByteCounter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }
}
