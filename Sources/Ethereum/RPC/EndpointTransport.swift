package import Concurrency
package import NIOSSL

/// A transport to every endpoint: HTTP for `http` and `https`, a WebSocket for `ws` and `wss`.
package struct EndpointTransport: RPCTransport {
    private let http: HTTPTransport
    private let socket: WebSocketTransport

    /// Runs `body` with a transport that is shut down afterwards.
    ///
    /// - Parameters:
    ///   - limits: Bounds on the data that an endpoint can make the transport store, and on
    ///     waiting.
    ///   - tls: Which certificates WebSockets accept.
    ///   - clock: Limits calls, and tells when a WebSocket that failed may be opened again.
    ///   - body: Uses the transport.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`; `NIOSSLError` if the machine's certificates cannot be read.
    package static func scoped<Value: Sendable>(
        limits: ChainLimits = ChainLimits(),
        tls: TLSConfiguration = .makeClientConfiguration(),
        clock: any MonotonicClock = .system,
        _ body: (EndpointTransport) async throws -> Value
    ) async throws -> Value {
        try await HTTPTransport.scoped(clock: clock) { http in
            let socket = try WebSocketTransport(limits: limits, tls: tls, clock: clock)
            defer { socket.shutDown() }
            return try await body(EndpointTransport(http: http, socket: socket))
        }
    }

    package func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8] {
        let transport: any RPCTransport = endpoint.isWebSocket ? socket : http
        return try await transport.post(body, to: endpoint, bytesMax: bytesMax, timeout: timeout)
    }

    package func subscribe(
        _ body: [UInt8],
        to endpoint: Endpoint,
        timeout: Duration
    ) async throws -> (answer: [UInt8], heads: HeadSubscription)? {
        guard endpoint.isWebSocket else { return nil }
        return try await socket.subscribe(body, to: endpoint, timeout: timeout)
    }
}
