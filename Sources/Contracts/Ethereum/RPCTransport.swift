/// A transport of JSON-RPC requests and answers.
package protocol RPCTransport: Sendable {
    /// Posts `body` to an endpoint and returns its whole answer.
    ///
    /// - Throws: ``RPCTransportError``, or `CancellationError`.
    func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8]
}

/// Why no answer arrived.
package enum RPCTransportError: Error, Equatable, Sendable {
    case unreachable(reason: String)
    case timedOut
    case status(UInt)
    case oversized
}

extension RPCTransportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let reason): reason
        case .timedOut: "no answer in time"
        case .status(let status): "HTTP status \(status)"
        case .oversized: "an answer that is too long"
        }
    }
}
