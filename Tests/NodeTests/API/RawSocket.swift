import NIOCore
import NIOPosix

/// A socket of somebody who keeps no rules.
enum RawSocket {
    /// Sends bytes as they are, says that there are no more, and reads until the other side hangs
    /// up.
    static func send(_ bytes: some Sequence<UInt8> & Sendable, host: String, port: Int) async throws
    {
        let socket = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        // That the other side hangs up is what is wanted.
        try? await socket.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            outbound.finish()
            for try await _ in inbound {}
        }
    }
}
