import NIOCore
import NIOPosix

/// A socket of somebody who keeps no rules.
enum RawSocket {
    /// Sends bytes as they are, says that there are no more, and reads until the other side hangs
    /// up; `leavesOpen` does not say so.
    ///
    /// - Returns: What the other side said.
    @discardableResult
    static func send(
        _ bytes: some Sequence<UInt8> & Sendable,
        host: String,
        port: Int,
        leavesOpen: Bool = false
    ) async throws -> String {
        let heard = try await hear(bytes, host: host, port: port, leavesOpen: leavesOpen)
        return String(buffer: heard)
    }

    /// As ``send(_:host:port:leavesOpen:)``, for what need not be text.
    static func hear(
        _ bytes: some Sequence<UInt8> & Sendable,
        host: String,
        port: Int,
        leavesOpen: Bool = true
    ) async throws -> ByteBuffer {
        try await converse(bytes, host: host, port: port, leavesOpen: leavesOpen, [])
    }

    /// A reply to what the other side has said.
    struct Reply: Sendable {
        /// The bytes that it waits for.
        let heard: [UInt8]
        /// Returns the bytes to send then.
        let say: @Sendable () async throws -> [UInt8]
    }

    /// As ``hear(_:host:port:leavesOpen:)``, and gives each reply once its bytes have come.
    static func converse(
        _ bytes: some Sequence<UInt8> & Sendable,
        host: String,
        port: Int,
        leavesOpen: Bool = true,
        _ replies: [Reply]
    ) async throws -> ByteBuffer {
        let socket = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        return try await socket.executeThenClose { inbound, outbound in
            var heard = ByteBuffer()
            // That the other side hangs up is what is wanted.
            do {
                try await outbound.write(ByteBuffer(bytes: bytes))
                if !leavesOpen { outbound.finish() }
                var replies = replies[...]
                for try await part in inbound {
                    heard.writeImmutableBuffer(part)
                    while let next = replies.first,
                        Array(heard.readableBytesView).firstRange(of: next.heard) != nil
                    {
                        replies.removeFirst()
                        let words = try await next.say()
                        // The other side can have hung up by now, after its last words.
                        guard !words.isEmpty else { continue }
                        try await outbound.write(ByteBuffer(bytes: words))
                    }
                }
            } catch is IOError, is ChannelError {}
            return heard
        }
    }
}
