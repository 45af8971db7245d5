import Concurrency
import Gossip
import GossipProtocol
import Keys
import Market
import NIOCore
import NIOPosix

/// A peer that breaks the rules, over a real socket.
enum RoguePeer {
    private typealias Socket = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Sends `bytes` unchanged, and reads until the other side closes the socket.
    static func send(_ bytes: [UInt8], to address: Multiaddr) async throws {
        try await connect(address).executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            for try await _ in inbound {}
        }
    }

    /// Opens sockets and sends nothing on them while `body` runs.
    static func hold(
        _ count: Int,
        silentSocketsTo address: Multiaddr,
        while body: () async throws -> Void
    ) async throws {
        var sockets: [any Channel] = []
        for _ in 0..<count {
            sockets.append(
                try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: address.hostText, port: Int(address.port)).get()
            )
        }
        try await body()
        for socket in sockets { socket.close(promise: nil) }
    }

    /// Links as a peer does, then sends `frames`, and reads until the other side closes the socket.
    static func speak(
        _ frames: [[UInt8]],
        to address: Multiaddr,
        as credentials: TLSCredentials
    ) async throws {
        try await speak(to: address, as: credentials) { send in
            for frame in frames { try await send(frame) }
        }
    }

    /// Links as a peer does, runs `script`, and reads until the other side closes the socket.
    static func speak(
        to address: Multiaddr,
        as credentials: TLSCredentials,
        _ script: (_ send: ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws {
        try await connect(address).executeThenClose { inbound, outbound in
            let session = try TLSSession(
                credentials: credentials,
                role: .dialer,
                expecting: address.peer,
                at: SystemWallClock.seconds()
            )
            let allocator = ByteBufferAllocator()
            var upgrade = Upgrade(role: .dialer, session: session, allocator: allocator)
            if let bytes = upgrade.takeOutput() { try await outbound.write(bytes) }
            var isLinked = false
            for try await bytes in inbound where !isLinked {
                let outcome = try upgrade.receive(bytes)
                if let bytes = upgrade.takeOutput() { try await outbound.write(bytes) }
                guard outcome != nil else { continue }
                isLinked = true
                try await script { frame in
                    try session.write(frame)
                    guard let bytes = session.takeOutput(allocator: allocator) else { return }
                    try await outbound.write(bytes)
                }
            }
        }
    }

    private static func connect(_ address: Multiaddr) async throws -> Socket {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: address.hostText, port: Int(address.port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Socket(wrappingChannelSynchronously: channel)
                }
            }
    }
}
