package import Market

/// Why a call to a chain failed.
package enum EthereumError: Error, Equatable, Sendable {
    /// The connection failed or broke. Check the address and that the endpoint runs.
    case unreachable(EndpointName, reason: String)
    /// The whole answer did not arrive in time.
    case timedOut(EndpointName, method: String)
    /// The HTTP status is not 200, and there is no JSON-RPC error with more detail.
    case httpStatus(EndpointName, UInt)
    /// The endpoint wants fewer requests: HTTP status 429, or 503 with a pause.
    case busy(EndpointName, status: UInt, retryAfter: Duration?)
    /// The operator's limit for this endpoint leaves no room for the request now.
    case overPace(EndpointName)
    /// The answer is larger than the limit; request less.
    case oversized(EndpointName, method: String, bytesMax: Int)
    /// The answer does not follow the JSON-RPC specification.
    case malformed(EndpointName, method: String, detail: String)
    /// The endpoint answered with an error.
    case refused(EndpointName, RPCRefusal)
    /// The endpoint does not answer for so many blocks at once, but may for fewer.
    case tooManyBlocks(EndpointName, blocks: Int)
    /// The endpoint serves another chain than the configured one.
    case wrongChain(EndpointName, expected: ChainID, found: ChainID)
    /// The endpoint serves another chain with the same id: its block at this height is not the
    /// first applied block.
    case replacedChain(EndpointName, ChainID, block: UInt64)
    /// The endpoint's answers contradict each other; another endpoint is needed.
    case contradiction(EndpointName, detail: String)
    /// No two endpoints of the chain give the same answer, and none is known to be wrong.
    case noAgreement(ChainID, detail: String)
    /// No endpoint of the chain is usable now.
    case noEndpoint(ChainID)

    /// Whether another endpoint may answer, so that it makes sense to ask it.
    package var isEndpointsFault: Bool {
        switch self {
        case .refused(_, let refusal): refusal.isEndpointsFault
        case .noEndpoint, .noAgreement, .tooManyBlocks: false
        case .unreachable, .timedOut, .httpStatus, .busy, .overPace, .oversized, .malformed,
            .wrongChain, .replacedChain, .contradiction:
            true
        }
    }

    /// Whether the endpoint says that it lacks a block or old data.
    var isOfHistory: Bool {
        guard case .refused(_, let refusal) = self else { return false }
        return refusal.isOfHistory || refusal.isOfMissingBlock
    }

    /// Whether the same question about fewer blocks may be answered.
    ///
    /// Endpoints refuse ranges in many ways, so a refusal in unknown words counts as well.
    var mayBeOfRange: Bool {
        switch self {
        case .refused(_, let refusal): refusal.mayBeOfRange
        case .httpStatus(_, let status): [400, 413, 422, 500].contains(status) || isSlow
        case .oversized, .timedOut: true
        default: false
        }
    }

    /// Returns whether the same calls may be answered in shorter batches.
    ///
    /// - Parameter isWhole: Whether the batch was refused as such, and not one of its calls.
    /// - Returns: `true` if asking in shorter ones may help.
    func mayBeOfBatch(isWhole: Bool) -> Bool {
        switch self {
        case .refused(_, let refusal): isWhole || refusal.isOfBatch || refusal.isOfRate
        case .httpStatus(_, let status): [400, 413, 422, 500, 501].contains(status) || isSlow
        case .oversized, .timedOut, .malformed: true
        case .busy: true
        default: false
        }
    }

    /// Whether the endpoint, or a server before it, broke down over the question: a smaller one may
    /// be answered.
    var isBreakdown: Bool {
        switch self {
        case .httpStatus(_, let status): status >= 500 || status == 403
        case .unreachable, .malformed: true
        default: isSlow
        }
    }

    /// Whether the endpoint must not be asked again at once.
    var mustPause: Bool {
        switch self {
        case .busy: true
        case .refused(_, let refusal): refusal.isOfRate
        default: isSlow
        }
    }

    /// Whether the endpoint, or a server before it, stopped waiting for the answer.
    var isSlow: Bool {
        switch self {
        case .timedOut: true
        case .httpStatus(_, let status): [408, 504, 524].contains(status)
        default: false
        }
    }
}

extension EthereumError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let name, let reason):
            "\(name) cannot be reached (\(reason)): check the address and that it runs"
        case .timedOut(let name, let method):
            "\(name) did not answer \(method) in time: try again or configure another endpoint"
        case .httpStatus(let name, let status):
            "\(name) \(Self.meaning(of: status))"
        case .busy(let name, let status, let pause):
            "\(name) wants fewer requests (HTTP \(status)"
                + (pause.map { ", again in \($0.components.seconds) s" } ?? "")
                + "): lower chain.rpcPerSecond for it, or add another endpoint"
        case .overPace(let name):
            "\(name) has as many requests as chain.rpcPerSecond allows: raise it, or add another "
                + "endpoint"
        case .oversized(let name, let method, let bytesMax):
            "\(name) answered \(method) with more than \(bytesMax) bytes: use another endpoint"
        case .malformed(let name, let method, let detail):
            "\(name) answered \(method) wrongly (\(detail)): use another endpoint"
        case .refused(let name, let refusal):
            "\(name) refused \(refusal.method): \(refusal.words) (\(refusal.code))"
        case .tooManyBlocks(let name, let blocks):
            "\(name) does not answer for \(blocks) blocks at once: fewer are asked for"
        case .wrongChain(let name, let expected, let found):
            "\(name) serves chain \(found), not \(expected): correct the endpoint or the chain"
        case .replacedChain(let name, let chain, let block):
            "\(name) serves another chain with the id \(chain), whose block \(block) is not the "
                + "one that was read before: use an endpoint of the former chain, or, if the chain "
                + "was begun again, deploy the market there and name its file in chain.deployment"
        case .contradiction(let name, let detail):
            "\(name) contradicts itself (\(detail)): use another endpoint"
        case .noAgreement(let chain, let detail):
            "no two endpoints of chain \(chain) agree (\(detail)): see their health, then add or "
                + "repair one"
        case .noEndpoint(let chain):
            "no endpoint of chain \(chain) can be used: see its health, then add or repair one"
        }
    }

    private static func meaning(of status: UInt) -> String {
        switch status {
        case 300..<400:
            "sends requests on to another address (HTTP \(status)): put that address into chain.rpc"
        case 401:
            "wants a key or a password, or rejects the given one (HTTP 401): check the key in its "
                + "URL or in chain.rpc.headers"
        case 402:
            "wants to be paid (HTTP 402): its free quota is used up, or the plan lacks this; pay "
                + "it, or use another endpoint"
        case 403:
            "does not allow this (HTTP 403): check the key in its URL or in chain.rpc.headers, and "
                + "whether it admits this machine's address"
        case 404: "has nothing at this address (HTTP 404): check the path of its URL"
        default: "answered HTTP \(status): check its address and its key"
        }
    }
}
