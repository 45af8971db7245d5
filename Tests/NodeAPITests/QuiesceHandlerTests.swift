import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import NodeAPI

/// A connection in memory to a server that stops.
struct QuiesceHandlerTests {
    private static func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let handlers = channel.pipeline.syncOperations
        let pace = PaceHandler(limits: ConnectionLimits())
        try handlers.addHandler(QuiesceHandler { pace.isIdle })
        try handlers.addHandler(HTTPResponseEncoder())
        try handlers.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try handlers.addHandler(pace)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        return channel
    }

    private static func ask(on channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nhost: x\r\n\r\n"))
    }

    private static func answer(on channel: EmbeddedChannel) throws {
        let head = HTTPResponseHead(version: .http1_1, status: .noContent)
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    private static func quiesce(_ channel: EmbeddedChannel) {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.run()
    }

    @Test(arguments: [false, true])
    func `closes a connection without a request at once`(isUsed: Bool) throws {
        let channel = try Self.channel()
        if isUsed {
            try Self.ask(on: channel)
            try Self.answer(on: channel)
        }
        #expect(channel.isActive)
        Self.quiesce(channel)
        #expect(!channel.isActive)
    }

    @Test func `a request in progress has a moment to be answered`() throws {
        let channel = try Self.channel()
        try Self.ask(on: channel)
        Self.quiesce(channel)
        #expect(channel.isActive)
        try Self.answer(on: channel)
        let said = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: said).hasPrefix("HTTP/1.1 204"))
        channel.embeddedEventLoop.advanceTime(by: QuiesceHandler.graceMax - .milliseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }
}
