import Concurrency
import NIOSSL
import Synchronization

/// A transport over WebSockets: one to each endpoint, with or without TLS.
package final class WebSocketTransport: RPCTransport {
    private let limits: ChainLimits
    private let clock: any MonotonicClock
    private let tls: NIOSSLContext
    /// The connections, by the endpoint's URL; there are as many as configured endpoints.
    private let connections = Mutex<[String: WebSocketConnection]>([:])

    /// Creates a transport; its owner calls ``shutDown()``.
    ///
    /// - Throws: `NIOSSLError` if the machine's certificates cannot be read.
    init(
        limits: ChainLimits,
        tls: TLSConfiguration,
        clock: any MonotonicClock
    ) throws {
        (self.limits, self.clock) = (limits, clock)
        self.tls = try NIOSSLContext(configuration: tls)
    }

    /// Closes all connections; later requests fail.
    func shutDown() {
        for connection in connections.withLock({ $0.values }) { connection.shutDown() }
    }

    package func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8] {
        let connection = connection(to: endpoint)
        let answer = try await withTimeLimit(
            timeout,
            throwing: RPCTransportError.timedOut,
            clock: clock
        ) {
            try await connection.send(body)
        }
        guard answer.count <= bytesMax else { throw RPCTransportError.oversized }
        return answer
    }

    package func subscribe(
        _ body: [UInt8],
        to endpoint: Endpoint,
        timeout: Duration
    ) async throws -> (answer: [UInt8], heads: HeadSubscription)? {
        let connection = connection(to: endpoint)
        let heads = HeadSubscription(elementsMax: limits.headsWaitingMax)
        let answer = try await withTimeLimit(
            timeout,
            throwing: RPCTransportError.timedOut,
            clock: clock
        ) {
            try await connection.send(body, heads: heads)
        }
        return (answer, heads)
    }

    private func connection(to endpoint: Endpoint) -> WebSocketConnection {
        connections.withLock { connections in
            if let connection = connections[endpoint.url] { return connection }
            let connection = WebSocketConnection(
                endpoint,
                limits: limits,
                tls: endpoint.isSecure ? tls : nil,
                clock: clock
            )
            connections[endpoint.url] = connection
            return connection
        }
    }
}
