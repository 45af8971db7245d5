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

    /// Posts a call that subscribes to new blocks.
    ///
    /// - Returns: The answer, and the blocks if it is the id of a subscription; `nil` if the
    ///   endpoint cannot push messages.
    /// - Throws: As ``post(_:to:bytesMax:timeout:)``.
    func subscribe(
        _ body: [UInt8],
        to endpoint: Endpoint,
        timeout: Duration
    ) async throws -> (answer: [UInt8], heads: HeadSubscription)?
}

extension RPCTransport {
    package func subscribe(
        _ body: [UInt8],
        to endpoint: Endpoint,
        timeout: Duration
    ) async throws -> (answer: [UInt8], heads: HeadSubscription)? {
        nil
    }
}

/// Why no answer arrived.
package enum RPCTransportError: Error, Equatable, Sendable {
    case unreachable(reason: String)
    case timedOut
    case status(UInt)
    /// The endpoint wants fewer requests, and none before the pause has passed, if it names one.
    case busy(status: UInt, retryAfter: Duration?)
    /// The status is not 200, and the body is JSON, which may say why.
    case refusal(status: UInt, retryAfter: Duration?, body: [UInt8])
    case oversized
}

extension RPCTransportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let reason): reason
        case .timedOut: "no answer in time"
        case .status(let status), .busy(let status, _), .refusal(let status, _, _):
            "HTTP status \(status)"
        case .oversized: "an answer that is too long"
        }
    }
}
