import Concurrency
import Logging
import Metrics

/// Requests to one endpoint, in sizes that it answers.
extension ChainClient {
    /// An endpoint's answer with another HTTP status than 200, whose body may say why.
    private struct StatusAnswer: Error {
        let status: UInt
        let retryAfter: Duration?
        let body: [UInt8]
    }

    /// Makes a call.
    ///
    /// - Throws: ``EthereumError``; ``EthereumError/tooManyBlocks(_:blocks:)`` if the endpoint may
    ///   answer for fewer blocks, which is not its fault.
    func ask<Answer>(_ index: Int, _ call: RPCCall<Answer>) async throws -> Answer {
        try await connect(index)
        return try await exchange(index, call)
    }

    /// Makes several calls of one kind, in batches as long as the endpoint takes them.
    ///
    /// - Throws: As ``ask(_:_:)``.
    func ask<Answer>(_ index: Int, _ calls: [RPCCall<Answer>]) async throws -> [Answer] {
        guard !calls.isEmpty else { return [] }
        try await connect(index)
        var answers: [Answer] = []
        while answers.count < calls.count {
            let part = Array(calls[answers.count...].prefix(batches[index].size))
            if part.count == 1 {
                answers.append(try await exchange(index, part[0]))
                batches[index].answered(1)
            } else if let found = try await exchange(index, part) {
                answers += found
                batches[index].answered(part.count)
            }
        }
        return answers
    }

    func exchange<Answer>(_ index: Int, _ call: RPCCall<Answer>) async throws -> Answer {
        let codec = codec(of: index)
        let request = try codec.request(call)
        do {
            let bytes = try await post(index, request, to: call)
            let answer = try decoding(index) { try codec.answer(to: call, bytes) }
            if call.asksForEvents { ranges[index].answered(call.blocks?.count ?? 1) }
            return answer
        } catch let answer as StatusAnswer {
            throw settle(error(of: answer, to: call.method, index), of: call, index)
        } catch let error as EthereumError {
            throw settle(error, of: call, index)
        }
    }

    /// Makes several calls in one batch.
    ///
    /// - Returns: `nil` if the endpoint may answer shorter batches; this is remembered.
    private func exchange<Answer>(
        _ index: Int,
        _ calls: [RPCCall<Answer>]
    ) async throws -> [Answer]? {
        let (codec, method) = (codec(of: index), calls[0].method)
        let request = try codec.request(calls)
        let failure: EthereumError
        var isWhole = true
        do {
            let bytes = try await post(index, request, to: calls[0], calls: calls.count)
            return try decoding(index) { try codec.answers(to: calls, bytes) }
        } catch let refused as BatchRefused {
            failure = .refused(name(of: index), refused.refusal)
        } catch let answer as StatusAnswer {
            failure = error(of: answer, to: method, index)
        } catch let error as EthereumError {
            (failure, isWhole) = (error, false)
        }
        guard failure.mayBeOfBatch(isWhole: isWhole) else {
            throw settle(failure, of: calls[0], index)
        }
        batches[index].refused(calls.count)
        logger.debug(
            "shorter batches",
            metadata: ["calls": "\(batches[index].size)", "because": "\(failure)"]
        )
        // An endpoint that wants fewer requests, or does not answer in time, is not asked again at
        // once.
        if failure.mustPause { throw settle(failure, of: calls[0], index) }
        return nil
    }

    /// Determines the meaning of a failed call for its endpoint, and records it.
    private func settle<Answer>(
        _ error: EthereumError,
        of call: RPCCall<Answer>,
        _ index: Int
    ) -> EthereumError {
        if case .refused(_, let refusal) = error, refusal.isOfPool, !call.asksPool {
            let words = refusal.words
            return fault(index, .malformed(name(of: index), method: call.method, detail: words))
        }
        if case .refused(_, let refusal) = error, refusal.isOfHistory, call.readsOldState {
            return error
        }
        // Behind a shared address, another machine may not have the block yet.
        if case .refused(_, let refusal) = error, refusal.isOfNamedBlock, call.asksByHash {
            return error
        }
        guard let blocks = call.blocks else { return fault(index, error) }
        if case .refused(_, let refusal) = error,
            refusal.isOfHistory || refusal.isOfMissingBlock && !isNear(blocks.lowerBound, index)
        {
            lacking[index] = max(lacking[index] ?? 0, blocks.lowerBound)
            return error
        }
        guard call.asksForEvents, blocks.count > 1, error.mayBeOfRange || error.isBreakdown else {
            return fault(index, error)
        }
        let wasLimited = ranges[index].isLimited
        ranges[index].refused(blocks.count)
        if error.isBreakdown { return fault(index, error) }
        if case .refused(_, let refusal) = error, !refusal.isTooMuch {
            logUnknown(refusal, blocks.count, index)
        } else if !wasLimited {
            logger.notice(
                "endpoint answers for fewer blocks at once",
                metadata: ["endpoint": "\(name(of: index))", "because": "\(error)"]
            )
        }
        return .tooManyBlocks(name(of: index), blocks: blocks.count)
    }

    /// Whether a block is so new that the endpoint may not have it yet.
    func isNear(_ height: UInt64, _ index: Int) -> Bool {
        guard let head = pool.reports[index].head else { return true }
        return height + UInt64(limits.windowBlocksMax) > head
    }

    /// Logs a refusal whose words are not known, once for each endpoint and code.
    private func logUnknown(_ refusal: RPCRefusal, _ blocks: Int, _ index: Int) {
        let known = unknownCodes[index, default: []]
        guard known.count < limits.unknownCodesMax, !known.contains(refusal.code) else { return }
        unknownCodes[index] = known.union([refusal.code])
        logger.warning(
            "endpoint refused events for an unknown reason, fewer blocks are tried",
            metadata: [
                "endpoint": "\(name(of: index))", "blocks": "\(blocks)",
                "code": "\(refusal.code)", "words": "\(refusal.words)",
            ]
        )
    }

    /// Determines the meaning of an answer with an HTTP status other than 200.
    private func error(of answer: StatusAnswer, to method: String, _ index: Int) -> EthereumError {
        let plain = RPCTransportError(status: answer.status, pause: answer.retryAfter)
        guard let refusal = codec(of: index).refusal(of: method, in: answer.body) else {
            return error(plain, of: index, method: method)
        }
        switch plain {
        // Some endpoints answer like this to ranges and batches that are too large for them.
        case .busy where refusal.isOfRate || answer.retryAfter != nil && !refusal.isTooMuch,
            .status(401) where !refusal.saysWhat, .status(402) where !refusal.saysWhat,
            .status(403) where !refusal.saysWhat:
            return error(plain, of: index, method: method)
        default: return .refused(name(of: index), refusal)
        }
    }

    private func post<Answer>(
        _ index: Int,
        _ body: [UInt8],
        to call: RPCCall<Answer>,
        calls: Int = 1
    ) async throws -> [UInt8] {
        let bytesMax = limits.answerBytesMax(to: call, calls: calls)
        return try await attempt(index, method: call.method, calls: calls, bytesMax: bytesMax) {
            try await transport.post(
                body,
                to: endpoints[index],
                bytesMax: bytesMax,
                timeout: limits.answerTimeout
            )
        }
    }

    /// Decodes an answer, and records that the endpoint is slow if that takes long.
    private func decoding<Value>(_ index: Int, _ decode: () throws -> Value) rethrows -> Value {
        let start = clock.uptime
        defer { if clock.uptime - start > limits.decodingTimeMax { noteSlow(index) } }
        return try decode()
    }

    /// Exchanges a request for its answer, at the endpoint's pace, and records how it went.
    func exchange<Answer: Sendable>(
        _ index: Int,
        method: String,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            let bytesMax = limits.smallAnswerBytesMax
            return try await attempt(index, method: method, calls: 1, bytesMax: bytesMax, body)
        } catch let answer as StatusAnswer {
            throw fault(index, error(of: answer, to: method, index))
        } catch let error as EthereumError {
            throw fault(index, error)
        }
    }

    /// Exchanges a request for its answer, at the endpoint's pace; failures are not recorded.
    private func attempt<Answer: Sendable>(
        _ index: Int,
        method: String,
        calls: Int,
        bytesMax: Int,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        try await keepPace(index, calls: calls)
        let start = clock.uptime
        var isAnswered = false
        defer {
            let time = clock.uptime - start
            noteTime(time, of: index, method: method, calls: calls, isAnswered: isAnswered)
        }
        do {
            let answer = try await body()
            isAnswered = true
            if pool.succeeded(index, begun: start, latency: clock.uptime - start) {
                let name = name(of: index)
                logger.notice("endpoint answers again", metadata: ["endpoint": "\(name)"])
            }
            return answer
        } catch RPCTransportError.refusal(let status, let pause, let body) {
            throw StatusAnswer(status: status, retryAfter: pause, body: body)
        } catch let failure as RPCTransportError {
            throw error(failure, of: index, method: method, bytesMax: bytesMax)
        }
    }

    private func error(
        _ failure: RPCTransportError,
        of index: Int,
        method: String,
        bytesMax: Int = 0
    ) -> EthereumError {
        let name = name(of: index)
        return switch failure {
        case .unreachable(let reason): .unreachable(name, reason: reason)
        case .timedOut: .timedOut(name, method: method)
        case .status(let status), .refusal(let status, _, _): .httpStatus(name, status)
        case .busy(let status, let pause): .busy(name, status: status, retryAfter: pause)
        case .oversized: .oversized(name, method: method, bytesMax: bytesMax)
        }
    }

    /// Records that an endpoint is slow if it took long over a question that asks for little, and
    /// that it is not any longer if it has answered the same one quickly.
    private func noteTime(
        _ time: Duration,
        of index: Int,
        method: String,
        calls: Int,
        isAnswered: Bool
    ) {
        guard calls == 1, !["eth_getLogs", "eth_sendRawTransaction"].contains(method) else {
            return
        }
        if time > limits.voteTimeMax {
            noteSlow(index, over: method)
        } else if isAnswered {
            noteQuick(index, over: method)
        }
    }

    /// Waits for as long as the endpoint's limit of calls a second asks for.
    private func keepPace(_ index: Int, calls: Int) async throws {
        guard
            let pause = paces[index].reserve(calls, at: clock.uptime, waitMax: limits.paceWaitMax)
        else { throw EthereumError.overPace(name(of: index)) }
        count("stoa_chain_endpoint_requests", of: index, by: calls)
        guard pause > .zero else { return }
        count("stoa_chain_endpoint_delayed", of: index)
        try await clock.wait(pause)
    }

    func count(_ label: String, of index: Int, by amount: Int = 1) {
        Counter(
            label: label,
            dimensions: [("chain", "\(chain)"), ("endpoint", "\(name(of: index))")]
        ).increment(by: amount)
    }

    func codec(of index: Int) -> RPCCodec {
        RPCCodec(endpoint: name(of: index), secrets: endpoints[index].secrets)
    }
}

extension RPCCall {
    fileprivate var asksForEvents: Bool { method == "eth_getLogs" }

    /// Whether it asks for the events of a block that its hash names.
    fileprivate var asksByHash: Bool { asksForEvents && blocks == nil }

    /// Whether it also counts the transactions that wait in the endpoint's pool.
    fileprivate var asksPool: Bool { parameters.contains(.block(.pending)) }

    /// Whether it reads the accounts' states after a block that it names.
    fileprivate var readsOldState: Bool {
        guard blocks == nil else { return false }
        return parameters.contains { parameter in
            switch parameter {
            case .block(.number), .block(.hash): true
            default: false
            }
        }
    }
}
