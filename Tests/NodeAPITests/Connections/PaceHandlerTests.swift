import AccountAccess
import Answers
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import NodeAPI

/// A connection in memory, whose clock is set by the test.
struct PaceHandlerTests {
    private static let limits = ConnectionLimits()

    private static func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let handlers = channel.pipeline.syncOperations
        try handlers.addHandler(HTTPResponseEncoder())
        try handlers.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try handlers.addHandler(PaceHandler(limits: limits))
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        return channel
    }

    private static func receive(_ text: String, on channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    private static func answer(on channel: EmbeddedChannel) throws {
        let head = HTTPResponseHead(
            version: .http1_1,
            status: .ok,
            headers: ["content-length": "0"]
        )
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    /// What was sent to the client.
    private static func said(on channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: part)
        }
        return text
    }

    private static let part = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n"

    /// - From people: an unfinished request, an idle connection, a client that does not read → the
    ///   connection ends
    @Test(arguments: ["", "GET /v1", "GET / HTTP/1.1\r\nhost: x\r\n"])
    func `closes a connection without a complete request head in time`(text: String) throws {
        let channel = try Self.channel()
        try Self.receive(text, on: channel)
        channel.embeddedEventLoop.advanceTime(by: Self.limits.head - .milliseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a body may neither stop nor arrive byte by byte`() throws {
        let channel = try Self.channel()
        try Self.receive(Self.part, on: channel)
        channel.embeddedEventLoop.advanceTime(by: Self.limits.gap)
        #expect(!channel.isActive)

        let slow = try Self.channel()
        try Self.receive(Self.part, on: slow)
        for _ in 0..<3 {
            #expect(slow.isActive)
            slow.embeddedEventLoop.advanceTime(by: Self.limits.gap - .milliseconds(1))
            if slow.isActive { try Self.receive("x", on: slow) }
        }
        slow.embeddedEventLoop.advanceTime(by: .milliseconds(4))
        #expect(!slow.isActive)
    }

    /// Sends the parts of a body, one each second, and returns how many were taken.
    private static func sent(
        _ parts: Int,
        of bytes: Int,
        on channel: EmbeddedChannel
    ) throws -> Int {
        let part = String(repeating: "x", count: bytes)
        for number in 0..<parts {
            guard channel.isActive else { return number }
            try receive(part, on: channel)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        return parts
    }

    private static func head(ofBytes count: Int) -> String {
        "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: \(count)\r\n\r\n"
    }

    /// - From people: a body that is slower than 16 KiB a second for 30 s → the connection ends
    @Test func `an upload of 15 MiB at the slowest pace takes 16 minutes`() throws {
        let (parts, bytes) = (960, Int(Self.limits.bodyBytesPerSecond))
        let honest = try Self.channel()
        try Self.receive(Self.head(ofBytes: parts * bytes), on: honest)
        #expect(try Self.sent(parts, of: bytes, on: honest) == parts)
        #expect(honest.isActive)

        // At a sixteenth of the pace, the grace is used up soon.
        let hostile = try Self.channel()
        try Self.receive(Self.head(ofBytes: parts * bytes), on: hostile)
        #expect((31...33).contains(try Self.sent(parts, of: bytes / 16, on: hostile)))
    }

    @Test func `early bytes give a body at most the grace`() throws {
        let channel = try Self.channel()
        try Self.receive(Self.head(ofBytes: 15 << 20), on: channel)
        let pace = Int(Self.limits.bodyBytesPerSecond)
        #expect(try Self.sent(1, of: 600 * pace, on: channel) == 1)
        #expect((29...31).contains(try Self.sent(600, of: 1, on: channel)))
    }

    @Test func `a request in progress has time; an idle connection is closed`() throws {
        let channel = try Self.channel()
        try Self.receive("GET / HTTP/1.1\r\nhost: x\r\n\r\n", on: channel)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        // The body of the next one cannot be blamed on the client meanwhile.
        try Self.receive(Self.part, on: channel)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        try Self.answer(on: channel)
        try Self.receive("123456789", on: channel)
        try Self.answer(on: channel)
        channel.embeddedEventLoop.advanceTime(by: Self.limits.idle - .milliseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a finished client has a moment to close its connection`() throws {
        let channel = try Self.channel()
        try Self.receive("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", on: channel)
        try Self.answer(on: channel)
        channel.embeddedEventLoop.advanceTime(by: Self.limits.quiesce)
        #expect(!channel.isActive)
    }

    @Test func `disconnects a client that does not read its answer`() throws {
        let channel = try Self.channel()
        try Self.receive("GET / HTTP/1.1\r\nhost: x\r\n\r\n", on: channel)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: Self.limits.unread)
        #expect(!channel.isActive)
    }

    @Test func `a WebSocket may stay silent`() throws {
        let channel = try Self.channel()
        let question = "GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"
        try Self.receive(question, on: channel)
        let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols)
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test func `answers a non-HTTP request in order, then closes`() throws {
        let channel = try Self.channel()
        try Self.receive("GET / HTTP/1.1\r\nhost: x\r\n\r\n", on: channel)
        try Self.receive("\0\0\0", on: channel)
        #expect(try Self.said(on: channel).isEmpty)
        try Self.answer(on: channel)
        let said = try Self.said(on: channel)
        #expect(said.hasPrefix("HTTP/1.1 200") && said.contains("HTTP/1.1 400 Bad Request"))
        #expect(said.lowercased().contains("connection: close"))
        channel.embeddedEventLoop.advanceTime(by: Self.limits.quiesce)
        #expect(!channel.isActive)
    }
}
