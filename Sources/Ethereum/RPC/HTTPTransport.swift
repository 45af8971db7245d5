import AsyncHTTPClient
package import Concurrency
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A transport over HTTP/1.1 or HTTP/2, with or without TLS.
package struct HTTPTransport: RPCTransport {
    private let client: HTTPClient
    private let clock: any MonotonicClock

    /// Creates a transport over `client`, which its owner shuts down.
    private init(client: HTTPClient, clock: any MonotonicClock) {
        (self.client, self.clock) = (client, clock)
    }

    /// Runs `body` with a transport that is shut down afterwards.
    ///
    /// Redirects are refused: only the configured endpoints are used.
    package static func scoped<Value: Sendable>(
        clock: any MonotonicClock = .system,
        _ body: (HTTPTransport) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(5)
        // The endpoint pool decides when to try an endpoint again.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(HTTPTransport(client: client, clock: clock))
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    package func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8] {
        // The client's own deadline covers only the answer's head; this one covers the body too.
        try await withTimeLimit(timeout, throwing: RPCTransportError.timedOut, clock: clock) {
            try await exchange(body, with: endpoint, bytesMax: bytesMax)
        }
    }

    private func exchange(
        _ body: [UInt8],
        with endpoint: Endpoint,
        bytesMax: Int
    ) async throws -> [UInt8] {
        var request = HTTPClientRequest(url: endpoint.url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "accept", value: "application/json")
        for header in endpoint.headers {
            request.headers.replaceOrAdd(name: header.name, value: header.value)
        }
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await answer(to: request)
            guard response.status == .ok else { throw await Self.refusal(response) }
            return [UInt8](buffer: try await response.body.collect(upTo: bytesMax))
        } catch let error as RPCTransportError {
            throw error
        } catch is NIOTooManyBytesError {
            throw RPCTransportError.oversized
        } catch let error as HTTPClientError {
            if error == .cancelled { throw CancellationError() }
            throw RPCTransportError.unreachable(reason: error.shortDescription)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw RPCTransportError(connecting: error)
        }
    }

    /// Sends a request, and once more if its connection ends before the answer begins.
    ///
    /// A server may end a kept connection at any time, without a word (RFC 9112, section 9.3.1). No
    /// call does more if it is made twice: a signed transaction counts once.
    private func answer(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
        do {
            return try await client.execute(request, deadline: .distantFuture)
        } catch let error where Self.isEnded(error) {
            return try await client.execute(request, deadline: .distantFuture)
        }
    }

    /// Whether the connection was there and has ended.
    private static func isEnded(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as IOError: [ECONNRESET, EPIPE].contains(error.errnoCode)
        case ChannelError.ioOnClosedChannel, ChannelError.eof: true
        default: false
        }
    }

    /// The maximum number of bytes that are read of an answer with another status than 200.
    private static let refusalBytesMax = 65_536

    private static func refusal(_ response: HTTPClientResponse) async -> RPCTransportError {
        let status = response.status.code
        let retryAfter = response.headers.first(name: "retry-after")
        // If the body cannot be read, only the status is known.
        let body = try? await response.body.collect(upTo: refusalBytesMax)
        let bytes = body.map { [UInt8](buffer: $0) } ?? []
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return RPCTransportError(status: status, retryAfter: retryAfter)
        }
        let pause = retryAfter.flatMap { RPCTransportError.pause($0) }
        return .refusal(status: status, retryAfter: pause, body: bytes)
    }
}
