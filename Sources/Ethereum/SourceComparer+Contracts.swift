import Keys
import Market

/// Compares the events of one contract.
extension SourceComparer {
    /// Asks other endpoints about a difference in a block that two endpoints have confirmed.
    ///
    /// - Returns: Whether another one has other events of the block as well, all others have
    ///   removed it, or it was not confirmed.
    /// - Throws: ``EthereumError`` if none can say.
    func isBorneOut(
        _ height: UInt64,
        of contract: Address,
        than session: EndpointSession
    ) async throws -> Bool {
        guard configuration.endpoints.count > 1,
            ledger.confirmed.map({ height <= $0.number }) ?? false
        else { return true }
        var (asked, pruned) = (Set([session.name]), 0)
        while let other = try await client.another(than: asked) {
            asked.insert(other.name)
            do {
                switch try await compare(contract, in: height...height, with: other) {
                case .differs:
                    if try await isSame(below: height, session, other) { return true }
                case .same: return false
                case .tooMuch: continue
                }
            } catch let error as EthereumError where error.isEndpointsFault {
                if error.isOfHistory { pruned += 1 }
            }
        }
        if pruned == configuration.endpoints.count - 1 { return true }
        throw EthereumError.contradiction(
            session.name,
            detail:
                "other events of block \(height) than two endpoints had, and no other one answers"
        )
    }

    /// Returns whether two endpoints have the same block below a height, to which a repair would
    /// roll back.
    private func isSame(
        below height: UInt64,
        _ session: EndpointSession,
        _ other: EndpointSession
    ) async throws -> Bool {
        guard !follower.isMarked(below: height), height > configuration.filter.firstBlock else {
            return true
        }
        let below = RPCCall.block(.number(height - 1))
        return try await session.perform(below)?.id == other.perform(below)?.id
    }

    /// Compares the logs of a contract, and the times of their blocks.
    ///
    /// - Throws: ``EthereumError``.
    func compare(
        _ contract: Address,
        in range: ClosedRange<UInt64>,
        with session: EndpointSession
    ) async throws -> ContractComparison {
        let filter = LogFilter(
            addresses: [contract],
            topics: configuration.filter.topics,
            firstBlock: configuration.filter.firstBlock
        )
        guard let logs = try await logs(of: session, in: range, filter) else { return .tooMuch }
        let own = try await store.events(of: configuration.chain, in: range)
            .filter { $0.log.address == contract }
        if let first = LogDifference.first(own: own.map(\.log), other: logs) {
            return .differs(first.block.number)
        }
        guard let times = try await times(of: own, by: session) else {
            throw EthereumError.malformed(
                session.name,
                method: "eth_getBlockByNumber",
                detail: "not the blocks whose logs it has"
            )
        }
        return LogDifference.first(own: own, times: times).map { .differs($0.block.number) }
            ?? .same
    }
}

/// How an endpoint's logs of one contract compare with the applied events.
enum ContractComparison {
    case same
    /// From this height on.
    case differs(UInt64)
    /// The endpoint answers for fewer blocks, as the client now knows.
    case tooMuch
}
