/// An endpoint's answer to a call of a contract's function that the function cannot give.
package struct UnreadableAnswer: Error, Equatable, Sendable {
    package let endpoint: EndpointName
    package let byteCount: Int
    package let cause: ABIError
}

extension UnreadableAnswer: CustomStringConvertible {
    package var description: String {
        let found =
            byteCount == 0 ? "nothing" : "\(byteCount) bytes that the contract never returns"
        return
            "\(endpoint) answered a call of a contract with \(found): it does not have the contract, "
            + "or is at fault; use another endpoint in chain.rpc, or check that chain.deployment is of "
            + "this chain"
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
