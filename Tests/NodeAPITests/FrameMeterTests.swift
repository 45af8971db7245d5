import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import NodeAPI

/// A WebSocket in memory whose client sends frames.
struct FrameMeterTests {
    /// The smallest frame of a client, an empty ping.
    private static let ping: [UInt8] = [0x89, 0x80, 0, 0, 0, 0]

    private static func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let handlers = channel.pipeline.syncOperations
        try handlers.addHandler(WebSocketFrameEncoder())
        try handlers.addHandler(FrameMeter())
        let decoder = WebSocketFrameDecoder(maxFrameSize: WebChannel.frameBytesMax)
        try handlers.addHandler(ByteToMessageHandler(decoder))
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        return channel
    }

    private static func send(_ count: Int, on channel: EmbeddedChannel) throws -> Int {
        let frames = Array(repeating: ping, count: count).flatMap { $0 }
        try channel.writeInbound(ByteBuffer(bytes: frames))
        var decoded = 0
        while try channel.readInbound(as: WebSocketFrame.self) != nil { decoded += 1 }
        return decoded
    }

    @Test func `decodes only the burst of a flood, and closes with 1008`() throws {
        let channel = try Self.channel()
        var decoded = 0
        for _ in 0..<1_000 where channel.isActive {
            decoded += try Self.send(100, on: channel)
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        }
        #expect(!channel.isActive)
        #expect(decoded == FrameBytesAllowance.burst / (100 * Self.ping.count) * 100)
        var said: [UInt8] = []
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
            said += Array(bytes.readableBytesView)
        }
        #expect(said.firstRange(of: [0x03, 0xF0]) != nil)
    }

    @Test func `a client that pings and answers is never cut off`() throws {
        let channel = try Self.channel()
        var decoded = 0
        for _ in 0..<3_600 {
            decoded += try Self.send(50, on: channel)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(channel.isActive && decoded == 180_000)
        // After a while it may send as much at once as in the beginning.
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        let burst = FrameBytesAllowance.burst / Self.ping.count
        #expect(try Self.send(burst, on: channel) == burst)
        #expect(channel.isActive)
    }
}
