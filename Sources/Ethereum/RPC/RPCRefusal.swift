/// An `error` object of a JSON-RPC answer.
///
/// Source: JSON-RPC 2.0, section 5.1; EIP-1474, "Error codes".
package struct RPCRefusal: Equatable, Sendable {
    /// An endpoint's words, which may repeat the operator's secrets: they explain a refusal, and
    /// are never shown.
    struct Told: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
        let message: String
        let detail: String

        var description: String { "…" }
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    package let method: String
    package let code: Int
    /// The endpoint's message, which is never trusted: one line of bounded length, without
    /// characters that could affect a screen or a log.
    package let message: String
    /// The words in `data`, in which some endpoints give the reason; as ``message``, empty if there
    /// are none.
    package let detail: String
    /// The data that a reverted call returned, if the endpoint reports it.
    package let revertData: [UInt8]?
    /// The message and the words in `data` before the operator's secrets were taken out of them.
    let told: Told

    /// Creates a refusal whose words repeat no secret.
    package init(
        method: String,
        code: Int,
        message: String,
        detail: String = "",
        revertData: [UInt8]? = nil
    ) {
        self.init(
            method: method,
            code: code,
            message: message,
            detail: detail,
            told: Told(message: message, detail: detail),
            revertData: revertData
        )
    }

    init(
        method: String,
        code: Int,
        message: String,
        detail: String,
        told: Told,
        revertData: [UInt8]?
    ) {
        (self.method, self.code, self.message) = (method, code, message)
        (self.detail, self.told, self.revertData) = (detail, told, revertData)
    }

    /// The message and the text in `data`, for people to read.
    package var words: String {
        detail.isEmpty || detail == message ? message : "\(message) (\(detail))"
    }

    private func has(_ words: [String]) -> Bool {
        let text = "\(told.message) \(told.detail)".lowercased()
        return words.contains(where: text.contains)
    }
}

/// The subject of a refusal.
///
/// Codes and words differ from endpoint to endpoint, and one code means several things. So the node
/// looks only for the differences that it needs, and an unknown refusal gets the benefit of the
/// doubt.
extension RPCRefusal {
    /// Whether another endpoint may answer.
    ///
    /// The codes of EIP-1474: method not found, internal error, method not supported, limit
    /// exceeded. Nodes use -32000 for everything else: for their own limits, such as a missing
    /// block or a used-up quota, and for errors of the call. Only the message distinguishes the
    /// two.
    var isEndpointsFault: Bool {
        switch method {
        case "eth_call", "eth_estimateGas": !isOfTheCall
        case "eth_sendRawTransaction":
            [-32601, -32603, -32004, -32005].contains(code) && !isOfTheTransaction
        // There is another way to ask for the price of gas, and not every node knows a tip.
        case "eth_feeHistory", "eth_maxPriorityFeePerGas": false
        case "eth_getTransactionReceipt": !isIndexing
        case "eth_getTransactionCount": !isOfPool
        default: true
        }
    }

    /// Whether the endpoint does not count the transactions that wait in its pool.
    var isOfPool: Bool {
        method == "eth_getTransactionCount" && told.message.lowercased().contains("pending")
    }

    /// Whether the endpoint lacks something old that others may have; it may be good otherwise.
    ///
    /// Only archive nodes keep the accounts' states of all blocks; others keep those of about 128
    /// blocks. Some nodes keep only newer blocks and events (EIP-4444).
    package var isOfHistory: Bool {
        code == 4_444 || has(["archive"]) && !isOfSize
            || has([
                "missing trie node", "state not available", "state is not available", "pruned",
                "historical state", "state already discarded", "maximum proof window",
                "state unavailable", "history unavailable", "history is not available",
                "historical data", "historical block", "no history",
            ])
    }

    /// Whether the endpoint does not have a block of the request: it is behind another one, or has
    /// forgotten the block.
    ///
    /// A smaller range does not help; another endpoint may have the block.
    var isOfMissingBlock: Bool {
        has([
            "beyond current head", "beyond the head", "beyond head", "after last accepted block",
            "block not found", "header not found", "unknown block", "block is not available",
            "block does not exist",
        ])
    }

    /// Whether the endpoint does not answer a question that names a block by its hash: it lacks the
    /// block, or takes no hashes.
    ///
    /// Source: EIP-1474, "Error codes": invalid params, resource not found.
    var isOfNamedBlock: Bool {
        [-32_602, -32_001].contains(code) || isOfMissingBlock || isOfHistory
    }

    /// Whether the endpoint wants fewer requests.
    var isOfRate: Bool {
        let words = [
            "rate limit", "rate-limit", "ratelimit", "request rate", "too many requests",
            "requests per", "per second", "per minute", "request count", "quota", "credits",
            "compute units", "throughput", "capacity", "throttl", "slow down", "daily limit",
            "monthly limit",
        ]
        return (code == 429 || has(words)) && !isOfSize
            || has(["requests per second", "calls per second", "rps limit"])
    }

    /// Whether a batch of calls was refused because it is one, or for its length.
    var isOfBatch: Bool {
        has(["batch", "response too large", "response size", "too many calls"])
    }

    /// Whether the text is about a range of blocks or its content.
    private var isOfSize: Bool {
        has([
            "range", "results", "response size", "too large", "too long", "too big", "timed out",
            "timeout", "logs", "blocks", "more than", "too wide",
        ])
    }

    /// Whether it is about this request and not about the caller, whatever the HTTP status.
    var saysWhat: Bool { mayBeOfRange && isOfSize || isOfBatch || isOfHistory }

    /// Whether the endpoint says that a request for events was too large.
    package var isTooMuch: Bool {
        mayBeOfRange && (code == -32_005 || isOfSize || has(["limit", "too many", "exceed"]))
    }

    /// Whether the same request for events of fewer blocks may be answered.
    var mayBeOfRange: Bool {
        method == "eth_getLogs" && ![-32_601, -32_004].contains(code)
            && !isOfMissingBlock && !isOfHistory && !isOfRate
    }

    /// Whether a contract reverted or the account cannot pay: every endpoint would refuse the call.
    private var isOfTheCall: Bool {
        let words = [
            "insufficient funds", "gas required exceeds", "out of gas", "outofgas",
            "invalid opcode", "exceeds balance", "always failing", "intrinsic gas",
            "floor data gas",
        ]
        let text = told.message.lowercased()
        return isRevert || code == -32015 || words.contains(where: text.contains)
    }

    /// Whether a contract reverted the call, rather than the endpoint refusing it.
    package var isRevert: Bool {
        code == 3 || revertData != nil || told.message.lowercased().contains("revert")
    }
}
