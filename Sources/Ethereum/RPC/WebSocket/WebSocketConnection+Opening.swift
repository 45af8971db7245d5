import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// Opens a WebSocket: TCP, TLS if the endpoint has it, and the upgrade of HTTP.
///
/// Source: RFC 6455, section 4.1.
extension WebSocketConnection {
    /// Begins to connect; the outcome is reported to ``opened(_:attempt:)`` or
    /// ``ended(_:attempt:)``.
    func open(attempt: Int) {
        // A name with several addresses is tried over several channels, one of which is used.
        let upgrades = Upgrades()
        ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(limits.connectTimeout))
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    upgrades.add(try upgrade(channel, attempt), of: channel)
                }
            }
            .connect(host: endpoint.host, port: endpoint.port)
            .whenComplete { [self] result in
                switch result {
                case .success(let channel): finish(channel, upgrades.future(of: channel), attempt)
                case .failure(let error):
                    ended(RPCTransportError(connecting: error), attempt: attempt)
                }
            }
    }

    private func finish(
        _ channel: any Channel,
        _ upgrade: EventLoopFuture<Bool>?,
        _ attempt: Int
    ) {
        let late = channel.eventLoop.scheduleTask(in: TimeAmount(limits.connectTimeout)) {
            [self] in
            ended(.timedOut, attempt: attempt)
            channel.close(promise: nil)
        }
        upgrade?.whenComplete { [self] result in
            late.cancel()
            switch result {
            case .success(true): opened(channel, attempt: attempt)
            case .success(false): break
            case .failure(let error):
                ended(RPCTransportError(connecting: error), attempt: attempt)
                channel.close(promise: nil)
            }
        }
    }

    /// Configures the channel's pipeline.
    ///
    /// - Returns: Whether the endpoint agreed to the upgrade; if not, the reason is reported.
    private func upgrade(_ channel: any Channel, _ attempt: Int) throws -> EventLoopFuture<Bool> {
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            let isAddress = (try? SocketAddress(ipAddress: endpoint.host, port: 0)) != nil
            let name = isAddress ? nil : endpoint.host
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
        }
        let upgrader = NIOTypedWebSocketClientUpgrader<Bool>(
            maxFrameSize: limits.answerBytesMax,
            // Else the channel ends before its error is known here.
            enableAutomaticErrorHandling: false,
            upgradePipelineHandler: { [self] channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try WebSocketFrames.install(on: channel, self, attempt: attempt)
                    return true
                }
            }
        )
        let upgrade = NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: requestHead,
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let reader = RefusalReader { [self] in ended($0, attempt: attempt) }
                    try channel.pipeline.syncOperations.addHandler(reader)
                    return false
                }
            }
        )
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: upgrade
        )
        // The first message may arrive in one segment with the answer to the upgrade.
        configuration.leftOverBytesStrategy = .forwardBytes
        return try pipeline.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }

    private var requestHead: HTTPRequestHead {
        let usual = endpoint.isSecure ? 443 : 80
        let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
        let authority = endpoint.port == usual ? host : "\(host):\(endpoint.port)"
        var headers: HTTPHeaders = ["host": authority]
        for header in endpoint.headers {
            headers.replaceOrAdd(name: header.name, value: header.value)
        }
        return HTTPRequestHead(
            version: .http1_1,
            method: .GET,
            uri: endpoint.target,
            headers: headers
        )
    }
}

/// Reads why an endpoint did not agree to a WebSocket.
private final class RefusalReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let report: @Sendable (RPCTransportError) -> Void

    init(report: @escaping @Sendable (RPCTransportError) -> Void) { self.report = report }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        report(
            RPCTransportError(
                status: head.status.code,
                retryAfter: head.headers.first(name: "retry-after")
            )
        )
        context.close(promise: nil)
    }
}

/// The upgrades of the channels over which one connection is tried.
private final class Upgrades: Sendable {
    private let futures = Mutex<[ObjectIdentifier: EventLoopFuture<Bool>]>([:])

    func add(_ future: EventLoopFuture<Bool>, of channel: any Channel) {
        futures.withLock { $0[ObjectIdentifier(channel)] = future }
    }

    func future(of channel: any Channel) -> EventLoopFuture<Bool>? {
        futures.withLock { $0[ObjectIdentifier(channel)] }
    }
}
