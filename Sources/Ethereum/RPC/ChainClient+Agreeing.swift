import Concurrency
package import Keys
package import Market

/// Asks several endpoints, so that one alone neither refuses nor allows anything.
extension ChainClient {
    /// The maximum number of endpoints that are asked one question.
    private static let votersMax = 3

    /// Runs a contract query at the newest block; see ``agreed(_:)``.
    ///
    /// - Throws: ``PreflightError/refused(_:)`` with the contract's reason, ``UnreadableAnswer`` if
    ///   no endpoint gives a readable answer, or ``EthereumError``.
    package func ask<Answer: Equatable & Sendable>(
        _ query: ContractQuery<Answer>
    ) async throws -> Answer {
        try await agreed { try await $0.ask(query, at: .latest) }
    }

    /// Runs a call at the newest block; see ``agreed(_:)``.
    ///
    /// - Returns: The data that it returns.
    /// - Throws: ``PreflightError/refused(_:)`` with the reason if it would fail;
    ///   ``EthereumError``.
    package func result(of request: CallRequest) async throws -> [UInt8] {
        try await agreed { try await $0.result(of: request, at: .latest) }
    }

    /// Reads an account's balance at the newest block, in wei; see ``agreed(_:)``.
    package func balance(of account: Address) async throws -> Amount {
        try await agreed { try await $0.perform(.balance(of: account)).amount }
    }

    /// Reads the code of an account at the newest block, empty if it is no contract; see
    /// ``agreed(_:)``.
    package func code(of account: Address) async throws -> [UInt8] {
        try await agreed { try await $0.perform(.code(of: account)).bytes }
    }

    /// Reads a block that is deep enough to be the same for all endpoints: two must say the same of
    /// it, or two of three, if several are configured.
    ///
    /// - Throws: ``EthereumError``; ``EthereumError/noAgreement(_:detail:)`` if two answer and do
    ///   not agree, and the error of one that does not answer if only one does.
    package func block(at height: UInt64) async throws -> BlockHeader? {
        let call = RPCCall.block(.number(height))
        guard endpoints.count > 1 else { return try await perform(call) }
        var asked: Set<EndpointName> = []
        var found: [(name: EndpointName, header: BlockHeader?)] = []
        var failure = EthereumError.noEndpoint(chain)
        while found.count < Self.votersMax, let session = try await another(than: asked) {
            asked.insert(session.name)
            do {
                let header = try await session.perform(call)
                if found.contains(where: { $0.header == header }) { return header }
                found.append((session.name, header))
            } catch let error as EthereumError where error.isEndpointsFault {
                failure = error
            }
        }
        throw found.isEmpty ? failure : disagreement(of: found.map(\.name), about: height)
    }

    /// Returns why a block that these endpoints answered for is not known.
    private func disagreement(of names: [EndpointName], about height: UInt64) -> EthereumError {
        guard names.count == 1 else {
            let all = names.map(\.description).joined(separator: ", ")
            return .noAgreement(chain, detail: "\(all) say different things of block \(height)")
        }
        for report in reports where !names.contains(report.name) {
            if case .failing(let error) = report.status { return error }
        }
        return .noAgreement(chain, detail: "only \(names[0]) answers for block \(height)")
    }

    /// Asks two endpoints, and a third one if they answer differently.
    ///
    /// An endpoint that takes longer than ``ChainLimits/voteTimeMax`` is left out, unless no other
    /// one answers.
    ///
    /// - Parameter question: Asks an endpoint.
    /// - Returns: The answer of two endpoints, or that of the first one if no two agree: each may
    ///   be at another block.
    /// - Throws: The refusal of two endpoints, or that of the first one if no two agree; otherwise
    ///   as ``ask(_:)``.
    private func agreed<Answer: Equatable & Sendable>(
        _ question: @escaping @Sendable (EndpointSession) async throws -> Answer
    ) async throws -> Answer {
        var asked: Set<EndpointName> = []
        var votes: [Result<Answer, PreflightError>] = []
        var late: [EndpointSession] = []
        var failure: any Error = EthereumError.noEndpoint(chain)
        while votes.count < Self.votersMax {
            var next = try await another(than: asked)
            let isLast = next == nil
            if isLast, votes.isEmpty, !late.isEmpty { next = late.removeFirst() }
            guard let session = next else { break }
            asked.insert(session.name)
            guard isLast || !isSlow(session) || endpoints.count == 1 else {
                late.append(session)
                continue
            }
            do {
                let vote = try await vote(on: question, of: session, isAwaited: isLast)
                if votes.contains(where: { isSame($0, vote) }) { return try vote.get() }
                votes.append(vote)
            } catch let error as EthereumError where error.isEndpointsFault {
                if !(failure is UnreadableAnswer) { failure = error }
            } catch let error as UnreadableAnswer {
                failure = error
            } catch is SlowVote {
                noteSlow(session)
                late.append(session)
            }
        }
        guard let first = votes.first else { throw failure }
        return try first.get()
    }

    /// Asks one endpoint, which must not take long unless it is the only one, since every preview
    /// asks much.
    ///
    /// - Throws: ``SlowVote``, or the endpoint's error.
    private func vote<Answer: Equatable & Sendable>(
        on question: @escaping @Sendable (EndpointSession) async throws -> Answer,
        of session: EndpointSession,
        isAwaited: Bool
    ) async throws -> Result<Answer, PreflightError> {
        do {
            if isAwaited || endpoints.count == 1 { return .success(try await question(session)) }
            return .success(
                try await withTimeLimit(limits.voteTimeMax, throwing: SlowVote(), clock: clock) {
                    try await question(session)
                }
            )
        } catch let error as PreflightError {
            return .failure(error)
        }
    }

    /// Returns whether two endpoints agree: refusals do, since each says it in words of its own.
    private func isSame<Answer: Equatable>(
        _ one: Result<Answer, PreflightError>,
        _ other: Result<Answer, PreflightError>
    ) -> Bool {
        switch (one, other) {
        case (.success(let one), .success(let other)): one == other
        case (.failure, .failure): true
        case (.success, .failure), (.failure, .success): false
        }
    }

    /// An endpoint that is not waited for.
    private struct SlowVote: Error {}
}

extension EndpointSession {
    /// Runs a contract query at a block, through this endpoint alone.
    ///
    /// - Throws: ``PreflightError/refused(_:)`` with the reason if the endpoint says that the call
    ///   would fail, ``UnreadableAnswer``, or ``EthereumError``.
    package func ask<Answer>(
        _ query: ContractQuery<Answer>,
        at block: BlockTag
    ) async throws -> Answer {
        let call = query.call
        let request = CallRequest(to: call.to, value: call.value, data: call.data)
        return try query.decode(try await result(of: request, at: block), of: name)
    }

    /// Runs a call at a block, through this endpoint alone.
    ///
    /// - Throws: ``PreflightError/refused(_:)`` with the reason if the endpoint says that it would
    ///   fail; ``EthereumError``.
    func result(of request: CallRequest, at block: BlockTag) async throws -> [UInt8] {
        do {
            return try await perform(.call(request, at: block)).bytes
        } catch EthereumError.refused(_, let refusal) where !refusal.isEndpointsFault {
            throw PreflightError.refused(refusal.reason)
        }
    }
}
