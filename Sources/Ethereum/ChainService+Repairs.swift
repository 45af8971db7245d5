package import Keys
import Logging

/// A part of a contract's state that differs from its events, and the blocks that are still compared.
struct EventRepair: Equatable {
    let subject: Bytes32
    let contract: Address
    /// The block that is read next.
    var next: UInt64
    /// Where reading begins again if the first blocks show no difference.
    var earlier: UInt64?
}

/// Finds the events that are missing or invented, and reads them again.
extension ChainService {
    /// Reads the logs of a contract again with the next poll.
    ///
    /// - Parameters:
    ///   - subject: The part of the contract's state that differs from its events.
    ///   - contract: The contract.
    ///   - last: The block of the last known event of that part; `nil` if there is none.
    ///   - first: The block of the first one, where reading begins if the later blocks show no
    ///     difference.
    package func repair(
        _ subject: Bytes32,
        in contract: Address,
        from last: UInt64?,
        or first: UInt64?
    ) {
        guard !repairs.contains(where: { $0.subject == subject }) else { return }
        let next = last ?? configuration.filter.firstBlock
        let earlier = first.flatMap { $0 < next ? $0 : nil }
        repairs.append(
            EventRepair(subject: subject, contract: contract, next: next, earlier: earlier)
        )
    }

    /// Compares the logs of doubtful contracts with the applied events, as far as the limits of one
    /// poll allow, and rolls back to the first block that differs.
    ///
    /// If the endpoint cannot say, the next comparison of the subject begins again.
    ///
    /// - Returns: Whether blocks were rolled back, so that the head must be followed again.
    func repairEvents(through session: EndpointSession) async throws -> Bool {
        do {
            return try await repairNext(through: session)
        } catch let error as EthereumError {
            let subject = repairs.first?.subject
            if subject != nil { repairs.removeFirst() }
            logger.notice(
                "a contract's logs cannot be read again",
                metadata: ["subject": "\(subject ?? .zero)", "error": "\(error)"]
            )
            return false
        }
    }

    private func repairNext(through session: EndpointSession) async throws -> Bool {
        for _ in 0..<configuration.limits.confirmQuestionsMax {
            guard var repair = repairs.first, let applied = follower.applied else { return false }
            guard repair.next <= applied.number else {
                repairs.removeFirst()
                if let earlier = repair.earlier {
                    (repair.next, repair.earlier) = (earlier, nil)
                    repairs.insert(repair, at: 0)
                } else {
                    if unexplained.count >= configuration.limits.unexplainedMax { unexplained = [] }
                    unexplained.insert(repair.subject)
                    logger.error(
                        "events and contract differ, and no log explains it",
                        metadata: [
                            "subject": "\(repair.subject)", "endpoint": "\(session.name)",
                        ]
                    )
                }
                continue
            }
            let blocks = min(sourceBlocks, await client.rangeBlocksMax(of: session))
            let range = repair.next...min(applied.number, repair.next + max(1, blocks) - 1)
            switch try await compare(repair.contract, in: range, with: session) {
            case .same: repairs[0].next = range.upperBound + 1
            case .tooMuch: continue
            case .differs(let height):
                guard try await isBorneOut(height, of: repair.contract, than: session) else {
                    repairs[0].next = height + 1
                    continue
                }
                repairs.removeFirst()
                unexplained.remove(repair.subject)
                note(.leftOut(height), by: ledger.source(of: height) ?? session.name)
                logger.notice(
                    "events are read again",
                    metadata: ["from": "\(height)", "subject": "\(repair.subject)"]
                )
                return try await rewind(below: height, through: session)
            }
        }
        return false
    }

    /// Asks other endpoints about a difference in a block that two endpoints have confirmed.
    ///
    /// - Returns: Whether another one has other events of the block as well, all others have removed it,
    ///   or it was not confirmed.
    /// - Throws: ``EthereumError`` if none can say.
    private func isBorneOut(
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

    /// Returns whether two endpoints have the same block below a height, to which ``rewind(below:through:)``
    /// would roll back.
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

    /// How an endpoint's logs of one contract compare with the applied events.
    private enum Comparison {
        case same
        /// From this height on.
        case differs(UInt64)
        /// The endpoint answers for fewer blocks, as the client now knows.
        case tooMuch
    }

    private func compare(
        _ contract: Address,
        in range: ClosedRange<UInt64>,
        with session: EndpointSession
    ) async throws -> Comparison {
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

    /// Reads headers by height, and remembers the times that their hashes prove.
    ///
    /// An endpoint that gives a block another time than its hash proves is mistrusted.
    func wholeHeaders(
        _ numbers: [UInt64],
        by session: EndpointSession
    ) async throws -> [BlockHeader?] {
        let found = try await session.perform(numbers.map { RPCCall.whole(.number($0)) })
        guard blockTimes.note(found.compactMap(\.self)) else {
            let detail = "a time of a block that its hash refutes"
            await client.mistrust(session, because: detail)
            throw EthereumError.contradiction(session.name, detail: detail)
        }
        return found.map { $0?.header }
    }

    /// Returns the times of the blocks of applied events: those that are proven, and an endpoint's.
    ///
    /// An endpoint that does not have a header, such as an old one, says nothing about its time.
    ///
    /// - Returns: `nil` if it has another block at one of these heights.
    func times(
        of applied: [AppliedEvent],
        by session: EndpointSession
    ) async throws -> [BlockID: UInt64]? {
        var times: [BlockID: UInt64] = [:]
        for block in applied.map(\.log.block) { times[block] = blockTimes.proven(block.hash) }
        let blocks = Set(applied.map(\.log.block)).filter { times[$0] == nil }
            .sorted { $0.number < $1.number }
        do {
            let found = try await wholeHeaders(blocks.map(\.number), by: session)
            for (block, header) in zip(blocks, found) {
                guard let header else { continue }
                guard header.id == block else { return nil }
                times[block] = header.timestamp
            }
        } catch let error as EthereumError where error.isOfHistory {
            // Headers that it has are asked for again with the next question.
        }
        return times
    }

    /// Rolls back everything from a height on, also below the blocks whose hashes are kept.
    ///
    /// - Returns: Whether blocks were rolled back; `false` if the endpoint has no block there.
    private func rewind(below height: UInt64, through session: EndpointSession) async throws -> Bool
    {
        var directives = [ChainFollower.Directive]()
        if follower.isMarked(below: height) || height <= configuration.filter.firstBlock {
            directives = follower.reread(from: height)
        } else {
            let below = try await session.perform(RPCCall.block(.number(height - 1)))
            guard let below, below.number == height - 1 else { return false }
            directives = follower.retreat(to: below.id)
        }
        for directive in directives { _ = try await perform(directive, through: session) }
        return true
    }
}
