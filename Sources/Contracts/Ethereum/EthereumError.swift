package import Market

/// Why a call to a chain failed.
package enum EthereumError: Error, Equatable, Sendable {
    /// The connection failed or broke. Check the address and that the endpoint runs.
    case unreachable(EndpointName, reason: String)
    /// The whole answer did not arrive in time.
    case timedOut(EndpointName, method: String)
    /// The HTTP status is not 200; 401 and 403 mean a missing key.
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
    /// The endpoint serves another chain than the configured one.
    case wrongChain(EndpointName, expected: ChainID, found: ChainID)
    /// The endpoint's answers contradict each other; another endpoint is needed.
    case contradiction(EndpointName, detail: String)
    /// No endpoint of the chain is usable now.
    case noEndpoint(ChainID)

    /// Whether another endpoint may answer, so that it makes sense to ask it.
    var isEndpointsFault: Bool {
        switch self {
        case .refused(_, let refusal): refusal.isEndpointsFault
        case .noEndpoint: false
        case .unreachable, .timedOut, .httpStatus, .busy, .overPace, .oversized, .malformed,
            .wrongChain, .contradiction:
            true
        }
    }
}

/// An `error` object of a JSON-RPC answer.
///
/// Source: JSON-RPC 2.0, section 5.1; EIP-1474, "Error codes".
package struct RPCRefusal: Equatable, Sendable {
    package let method: String
    package let code: Int
    /// The endpoint's message, which is never trusted: one line of bounded length, without
    /// characters that could affect a screen or a log.
    package let message: String
    /// The data that a reverted call returned, if the endpoint reports it.
    package let revertData: [UInt8]?

    package init(method: String, code: Int, message: String, revertData: [UInt8]? = nil) {
        (self.method, self.code, self.message) = (method, code, message)
        self.revertData = revertData
    }

    /// Whether another endpoint may answer.
    ///
    /// The codes of EIP-1474: method not found, internal error, method not supported, limit
    /// exceeded. Nodes use -32000 for everything else: for their own lacks, such as a missing block
    /// or a used up quota, and for errors of the call. Only the message tells the two apart.
    var isEndpointsFault: Bool {
        switch method {
        case "eth_call", "eth_estimateGas": !isOfTheCall
        case "eth_sendRawTransaction": Self.ownFaults.contains(code)
        case "eth_getLogs": isBeyondHead || Self.ownFaults.contains(code)
        case "eth_getBalance", "eth_getTransactionCount": !isOfOldState
        default: true
        }
    }

    private static let ownFaults = [-32601, -32603, -32004, -32005]

    /// Whether the endpoint does not have a block of the request, because it is behind another one.
    ///
    /// A smaller range does not help; another endpoint may have the block.
    private var isBeyondHead: Bool {
        let words = [
            "beyond current head", "beyond the head", "beyond head", "after last accepted block",
            "block not found", "header not found", "unknown block",
        ]
        let text = message.lowercased()
        return words.contains(where: text.contains)
    }

    /// Whether the endpoint no longer has the accounts' states after an old block.
    ///
    /// Only archive nodes keep them all; others have those of about 128 blocks.
    package var isOfOldState: Bool {
        let words = [
            "missing trie node", "state not available", "state is not available", "pruned",
            "historical state", "state already discarded", "maximum proof window", "archive",
            "state unavailable",
        ]
        let text = message.lowercased()
        return words.contains(where: text.contains)
    }

    /// Whether a contract reverted or the account cannot pay: every endpoint would refuse the call.
    private var isOfTheCall: Bool {
        let words = [
            "insufficient funds", "gas required exceeds", "out of gas", "invalid opcode",
            "exceeds balance", "always failing", "intrinsic gas",
        ]
        let text = message.lowercased()
        return isRevert || code == -32015 || words.contains(where: text.contains)
    }

    /// Whether a contract reverted the call, rather than the endpoint refusing it.
    package var isRevert: Bool {
        code == 3 || revertData != nil || message.lowercased().contains("revert")
    }

    /// Whether the request was too large for the endpoint.
    package var isTooMuch: Bool {
        let words = ["limit", "too many", "range", "more than", "exceed", "too large", "timeout"]
        let text = message.lowercased()
        return method == "eth_getLogs" && !isBeyondHead
            && (code == -32005 || words.contains(where: text.contains))
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
            "\(name) answered HTTP \(status): check its address and its key"
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
            "\(name) refused \(refusal.method): \(refusal.message) (\(refusal.code))"
        case .wrongChain(let name, let expected, let found):
            "\(name) serves chain \(found), not \(expected): correct the endpoint or the chain"
        case .contradiction(let name, let detail):
            "\(name) contradicts itself (\(detail)): use another endpoint"
        case .noEndpoint(let chain):
            "no endpoint of chain \(chain) can be used: see its health, then add or repair one"
        }
    }
}
