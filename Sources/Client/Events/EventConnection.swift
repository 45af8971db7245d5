import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// One WebSocket to `/v1/events`.
///
/// Source: RFC 6455; Docs/api.md, section 1.3.
enum EventConnection {
    private enum Outcome: Sendable {
        case events(AsyncThrowingStream<Event, any Error>)
        case refused
    }

    /// Connects; the stream and the connection end together.
    ///
    /// - Throws: ``ClientError/unreachable(_:reason:)``, or ``Problem`` if the node refuses.
    static func open(
        _ client: StoaClient,
        _ source: EventSource,
        after number: UInt64?
    ) async throws -> AsyncThrowingStream<Event, any Error> {
        switch try await connect(client, source, after: number) {
        case .events(let events): return events
        case .refused:
            // A refused upgrade gives no reason; a call for the current session does.
            _ = try await client.currentAccount()
            throw ClientError.unexpected(client.node, status: 400, reason: "no events here")
        }
    }

    private static func connect(
        _ client: StoaClient,
        _ source: EventSource,
        after number: UInt64?
    ) async throws -> Outcome {
        let head = requestHead(client, source, after: number)
        let (node, limits) = (client.node, client.limits)
        do {
            let outcome = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(limits.connectTimeout))
                .connect(host: node.host, port: node.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try upgrade(channel, head, node, limits)
                    }
                }
            return try await outcome.get()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw ClientError.unreachable(node, reason: "no event connection")
        }
    }

    private static func requestHead(
        _ client: StoaClient,
        _ source: EventSource,
        after number: UInt64?
    ) -> HTTPRequestHead {
        var headers = HTTPHeaders([("host", client.node.authority), ("content-length", "0")])
        if let token = client.token {
            headers.add(name: "authorization", value: "Bearer \(token)")
        }
        // Records sent by a node that does not know this parameter are the account's.
        let parameters =
            (source == .account ? [] : ["of=\(source.rawValue)"])
            + (number.map { ["after=\($0)"] } ?? [])
        let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        return HTTPRequestHead(
            version: .http1_1,
            method: .GET,
            uri: "/v1/events" + query,
            headers: headers
        )
    }

    private static func upgrade(
        _ channel: any Channel,
        _ head: HTTPRequestHead,
        _ node: NodeAddress,
        _ limits: ClientLimits
    ) throws -> EventLoopFuture<Outcome> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Outcome>(
            maxFrameSize: limits.eventBytesMax,
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    .events(try EventFrames.install(on: channel, node, limits))
                }
            }
        )
        let upgrade = NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: head,
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in channel.close().map { .refused } }
        )
        var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
        // The first events may arrive in one segment with the answer to the upgrade.
        pipeline.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: pipeline
        )
    }
}
