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
