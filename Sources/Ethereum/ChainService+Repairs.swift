package import Keys
import Logging

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
        let next = last ?? configuration.filter.firstBlock
        repairs.add(subject, in: contract, from: next, or: first)
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
            let subject = repairs.gaveUp()
            logFinding(
                "a contract's logs cannot be read again",
                about: "\(session.name)",
                level: .notice,
                metadata: ["subject": "\(subject ?? .zero)", "error": "\(error)"]
            )
            return false
        }
    }

    private func repairNext(through session: EndpointSession) async throws -> Bool {
        for _ in 0..<configuration.limits.confirmQuestionsMax {
            guard let repair = repairs.first, let applied = follower.applied else { return false }
            guard repair.next <= applied.number else {
                if repairs.endedAtHead() {
                    logFinding(
                        "events and contract differ, and no log explains it",
                        about: "\(repair.subject)",
                        metadata: [
                            "subject": "\(repair.subject)", "endpoint": "\(session.name)",
                        ]
                    )
                }
                continue
            }
            let blocks = min(sourceBlocks, await client.rangeBlocksMax(of: session))
            let range = repair.next...min(applied.number, repair.next + max(1, blocks) - 1)
            switch try await comparer.compare(repair.contract, in: range, with: session) {
            case .same: repairs.passed(range.upperBound)
            case .tooMuch: continue
            case .differs(let height):
                guard try await comparer.isBorneOut(height, of: repair.contract, than: session)
                else {
                    repairs.passed(height)
                    continue
                }
                repairs.explained()
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
