/// Carries the bytes of a question to an endpoint and those of its answer back.
package protocol RPCTransport: Sendable {
    /// Posts `body` and answers the whole answer.
    ///
    /// - Throws: ``RPCTransportError``, or `CancellationError`.
    func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8]
}

/// Why no answer came.
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
