package import Texts

/// An endpoint's answer to a call of a contract's function that the function cannot give.
package struct UnreadableAnswer: Error, Equatable, Sendable {
    package let endpoint: EndpointName
    package let byteCount: Int
    package let cause: ABIError
}

extension UnreadableAnswer: CustomStringConvertible {
    /// The reason without its full stop, for the middle of another sentence.
    package var description: String { String(reason.detail.dropLast()) }

    /// The error, and what to do about it.
    package var reason: Sentence {
        guard byteCount > 0 else {
            return Sentence("endpoint.noContract", ["endpoint": "\(endpoint)"])
        }
        return Sentence(
            "endpoint.otherContract",
            ["endpoint": "\(endpoint)", "bytes": "\(byteCount)"]
        )
    }
}

extension ContractQuery {
    /// Decodes an endpoint's answer to the call.
    ///
    /// - Throws: ``UnreadableAnswer``.
    package func decode(_ data: [UInt8], of endpoint: EndpointName) throws -> Answer {
        do {
            return try decode(data)
        } catch let cause as ABIError {
            throw UnreadableAnswer(endpoint: endpoint, byteCount: data.count, cause: cause)
        }
    }
}
