package import Market
package import Texts

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
    /// The reason without its full stop, for the middle of another sentence.
    package var description: String {
        let text = reason.detail.dropLast()
        return text.hasPrefix("No ") ? "n" + text.dropFirst() : String(text)
    }

    /// The error, and what to do about it.
    package var reason: Sentence {
        switch self {
        case .unreachable(let name, let reason):
            Sentence("endpoint.unreachable", ["endpoint": "\(name)", "reason": reason])
        case .timedOut(let name, let method):
            Sentence("endpoint.timedOut", ["endpoint": "\(name)", "method": method])
        case .httpStatus(let name, let status): Self.meaning(of: status, from: name)
        case .busy(let name, let status, let pause): Self.wantsFewer(name, status, pause)
        case .overPace(let name): Sentence("endpoint.overPace", ["endpoint": "\(name)"])
        case .oversized(let name, let method, let bytesMax):
            Sentence(
                "endpoint.oversized",
                ["endpoint": "\(name)", "method": method, "bytes": "\(bytesMax)"]
            )
        case .malformed(let name, let method, let detail):
            Sentence(
                "endpoint.malformed",
                ["endpoint": "\(name)", "method": method, "detail": detail]
            )
        case .refused(let name, let refusal):
            Sentence(
                "endpoint.refused",
                [
                    "endpoint": "\(name)", "method": refusal.method, "words": refusal.words,
                    "code": "\(refusal.code)",
                ]
            )
        case .tooManyBlocks(let name, let blocks):
            Sentence("endpoint.tooManyBlocks", ["endpoint": "\(name)", "blocks": "\(blocks)"])
        case .wrongChain(let name, let expected, let found):
            Sentence(
                "endpoint.wrongChain",
                ["endpoint": "\(name)", "found": "\(found)", "expected": "\(expected)"]
            )
        case .replacedChain(let name, let chain, let block):
            Sentence(
                "endpoint.replacedChain",
                ["endpoint": "\(name)", "chain": "\(chain)", "block": "\(block)"]
            )
        case .contradiction(let name, let detail):
            Sentence("endpoint.contradiction", ["endpoint": "\(name)", "detail": detail])
        case .noAgreement(let chain, let detail):
            Sentence("endpoint.noAgreement", ["chain": "\(chain)", "detail": detail])
        case .noEndpoint(let chain): Sentence("endpoint.noneUsable", ["chain": "\(chain)"])
        }
    }

    private static func wantsFewer(
        _ name: EndpointName,
        _ status: UInt,
        _ pause: Duration?
    ) -> Sentence {
        guard let pause else {
            return Sentence("endpoint.busy", ["endpoint": "\(name)", "status": "\(status)"])
        }
        let seconds = "\(pause.components.seconds)"
        return Sentence(
            "endpoint.busyFor",
            ["endpoint": "\(name)", "status": "\(status)", "seconds": seconds]
        )
    }

    private static func meaning(of status: UInt, from name: EndpointName) -> Sentence {
        let endpoint = "\(name)"
        return switch status {
        case 300..<400:
            Sentence("endpoint.moved", ["endpoint": endpoint, "status": "\(status)"])
        case 401: Sentence("endpoint.wantsKey", ["endpoint": endpoint])
        case 402: Sentence("endpoint.wantsPay", ["endpoint": endpoint])
        case 403: Sentence("endpoint.forbids", ["endpoint": endpoint])
        case 404: Sentence("endpoint.nothingThere", ["endpoint": endpoint])
        default: Sentence("endpoint.answered", ["endpoint": endpoint, "status": "\(status)"])
        }
    }
}
