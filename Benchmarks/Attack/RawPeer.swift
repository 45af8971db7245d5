import Concurrency
import Gossip
import GossipProtocol
import Market
import NIOCore
import NIOPosix

/// A link on which anything can be sent, and nothing that comes is read.
struct RawPeer: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<Handler>

    /// Connects, shows a certificate, and agrees on yamux.
    static func connect(to address: Multiaddr, as credentials: TLSCredentials) async throws
        -> RawPeer
    {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let linked = loop.makePromise(of: Void.self)
        do {
            let channel = try await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try Handler(address, credentials, linked)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: address.hostText, port: Int(address.port)).get()
            let handler = try await channel.pipeline.handler(type: Handler.self)
                .map { NIOLoopBound($0, eventLoop: loop) }.get()
            try await linked.futureResult.get()
            return RawPeer(channel: channel, handler: handler)
        } catch {
            linked.fail(error)
            throw error
        }
    }

    /// Sends `bytes` in as few TLS records as hold them.
    func send(_ bytes: [UInt8]) async throws {
        try await perform { session in try session.write(bytes) }
    }

    /// Changes this side's key so many times, saying nothing else.
    func changeKey(times: Int) async throws {
        try await perform { session in for _ in 0..<times { try session.updateKey() } }
    }

    /// Waits until the node has hung up.
    func wait() async throws { try await channel.closeFuture.get() }

    func close() { channel.close(promise: nil) }

    private func perform(_ work: @escaping @Sendable (TLSSession) throws -> Void) async throws {
        try await channel.eventLoop.flatSubmit { [channel, handler] in
            do {
                let session = handler.value.session
                try work(session)
                guard let bytes = session.takeOutput(allocator: channel.allocator) else {
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                return channel.writeAndFlush(bytes)
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }.get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        let session: TLSSession
        private var upgrade: Upgrade
        private var isLinked = false
        private let linked: EventLoopPromise<Void>

        init(
            _ address: Multiaddr,
            _ credentials: TLSCredentials,
            _ linked: EventLoopPromise<Void>
        ) throws {
            session = try TLSSession(
                credentials: credentials,
                role: .dialer,
                expecting: address.peer,
                at: SystemWallClock.seconds()
            )
            upgrade = Upgrade(role: .dialer, session: session, allocator: ByteBufferAllocator())
            self.linked = linked
        }

        func channelActive(context: ChannelHandlerContext) { flush(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isLinked else { return }
            do {
                let outcome = try upgrade.receive(unwrapInboundIn(data))
                flush(context)
                guard outcome != nil else { return }
                isLinked = true
                linked.succeed()
            } catch {
                context.close(promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) { linked.fail(ChannelError.eof) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private func flush(_ context: ChannelHandlerContext) {
            guard let bytes = upgrade.takeOutput() else { return }
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        }
    }
}

/// The multiplexer's frames, as bytes.
enum RawFrames {
    /// A stream's first frame, which proposes a protocol and does not wait for the answer.
    static func open(_ stream: UInt32, _ protocolID: String, then bytes: [UInt8] = []) -> [UInt8] {
        data(stream, proposal(of: protocolID) + bytes, .open)
    }

    /// What begins a negotiation and proposes a protocol.
    static func proposal(of protocolID: String) -> [UInt8] { proposals([protocolID]) }

    /// What begins a negotiation and proposes these, waiting for no answer.
    static func proposals(_ words: [String]) -> [UInt8] {
        (["/multistream/1.0.0"] + words).flatMap(line)
    }

    static func data(
        _ stream: UInt32,
        _ bytes: [UInt8],
        _ flags: YamuxFrame.Flags = []
    ) -> [UInt8] {
        YamuxFrame(kind: .data, flags: flags, stream: stream, value: UInt32(bytes.count)).bytes
            + bytes
    }

    static func window(_ stream: UInt32, _ flags: YamuxFrame.Flags) -> [UInt8] {
        YamuxFrame(kind: .windowUpdate, flags: flags, stream: stream).bytes
    }

    private static func line(_ text: String) -> [UInt8] {
        Varint.encode(text.utf8.count + 1) + Array(text.utf8) + [10]
    }
}
