package import Market

/// Why a chain could not be asked, or why it refused.
package enum EthereumError: Error, Equatable, Sendable {
    /// No connection, or it broke. Check the address and that the endpoint runs.
    case unreachable(EndpointName, reason: String)
    /// No whole answer in time.
    case timedOut(EndpointName, method: String)
    /// The HTTP server answered with another status than 200; 401 and 403 ask for a key, 429 for
    /// fewer requests.
    case httpStatus(EndpointName, UInt)
    /// The answer is larger than is accepted; ask for less.
    case oversized(EndpointName, method: String, bytesMax: Int)
    /// The answer is not what the JSON-RPC specification says.
    case malformed(EndpointName, method: String, detail: String)
    /// The endpoint answered with an error of its own.
    case refused(EndpointName, RPCRefusal)
    /// The endpoint serves another chain than the one configured.
    case wrongChain(EndpointName, expected: ChainID, found: ChainID)
    /// Two answers of the endpoint exclude each other; another one is needed.
    case contradiction(EndpointName, detail: String)
    /// None of the chain's endpoints can be used now.
    case noEndpoint(ChainID)

    /// True where another endpoint may do better, so that asking it makes sense.
    var isEndpointsFault: Bool {
        switch self {
        case .refused(_, let refusal): refusal.isEndpointsFault
        case .noEndpoint: false
        case .unreachable, .timedOut, .httpStatus, .oversized, .malformed, .wrongChain,
            .contradiction:
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
    /// The endpoint's words on one line, cut to a bounded length, without characters that do
    /// something to a screen or a log; never trusted.
    package let message: String
    /// What a reverted call returned, where the endpoint tells.
    package let revertData: [UInt8]?

    package init(method: String, code: Int, message: String, revertData: [UInt8]? = nil) {
        (self.method, self.code, self.message) = (method, code, message)
        self.revertData = revertData
    }

    /// Whether another endpoint may do better.
    ///
    /// Codes by EIP-1474: method not found, internal error, method not supported, limit exceeded.
    /// Nodes put all else under -32000, a lack of their own such as a missing block or a used up
    /// quota as well as what is wrong with the call; only words tell one from the other.
    var isEndpointsFault: Bool {
        switch method {
        case "eth_call", "eth_estimateGas": !isOfTheCall
        case "eth_sendRawTransaction": Self.ownFaults.contains(code)
        case "eth_getLogs": isBeyondHead || Self.ownFaults.contains(code)
        default: true
        }
    }

    private static let ownFaults = [-32601, -32603, -32004, -32005]

    /// True if the endpoint lacks a block that was asked about: it is behind the one that named it.
    ///
    /// No smaller range helps; another endpoint may have the block.
    private var isBeyondHead: Bool {
        let words = [
            "beyond current head", "beyond the head", "beyond head", "after last accepted block",
            "block not found", "header not found", "unknown block",
        ]
        let text = message.lowercased()
        return words.contains(where: text.contains)
    }

    /// True where a contract refused, or the account cannot pay: every endpoint would say so.
    private var isOfTheCall: Bool {
        let words = [
            "insufficient funds", "gas required exceeds", "out of gas", "invalid opcode",
            "exceeds balance", "always failing", "intrinsic gas",
        ]
        let text = message.lowercased()
        return isRevert || code == -32015 || words.contains(where: text.contains)
    }

    /// Whether a contract refused, rather than the endpoint.
    package var isRevert: Bool {
        code == 3 || revertData != nil || message.lowercased().contains("revert")
    }

    /// True where the endpoint wants smaller questions.
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
            "\(name) answered HTTP \(status): check its address, its key and its request limit"
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
            "no endpoint of chain \(chain) can be used: see its health, then add or mend one"
        }
    }
}
