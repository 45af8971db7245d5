package import Ethereum
import Synchronization

/// Answers what a test wrote, by endpoint; an endpoint without answers is unreachable.
package final class FakeTransport: RPCTransport {
    /// How one exchange ends, given the request's bytes.
    package typealias Answer = @Sendable ([UInt8]) throws -> [UInt8]

    private let answers = Mutex<[EndpointName: Answer]>([:])
    private let asked = Mutex<[EndpointName]>([])

    package init() {}

    package var exchanges: [EndpointName] { asked.withLock { $0 } }

    package func set(_ endpoint: Endpoint, _ answer: Answer?) {
        answers.withLock { $0[endpoint.name] = answer }
    }

    package func post(
        _ body: [UInt8],
        to endpoint: Endpoint,
        bytesMax: Int,
        timeout: Duration
    ) async throws -> [UInt8] {
        asked.withLock { $0.append(endpoint.name) }
        guard let answer = answers.withLock({ $0[endpoint.name] }) else {
            throw RPCTransportError.unreachable(reason: "refused")
        }
        return try answer(body)
    }
}
