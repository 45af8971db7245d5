import Concurrency
import Market

/// Compares the blocks and events of an endpoint with the applied ones.
///
/// It has the state of the follower as it is when a question is asked: while endpoints are asked,
/// nothing is applied or rolled back.
struct SourceComparer: Sendable {
    let configuration: ChainConfiguration
    let client: ChainClient
    let store: any ChainStore
    let clock: any MonotonicClock
    let follower: ChainFollower
    let ledger: SourceLedger
    let blockTimes: BlockTimes
    /// Until when other endpoints may answer in the current poll.
    let confirmBy: Duration

    /// As ``compare(_:with:)``; `nil` if the endpoint gives no answer.
    func answer(
        of other: EndpointSession,
        in range: ClosedRange<UInt64>
    ) async throws -> SourceComparison? {
        do {
            return try await compare(range, with: other)
        } catch let error as EthereumError where error.isOfHistory {
            return .removed
        } catch let error as EthereumError where error.isEndpointsFault {
            return nil
        }
    }

    /// Compares an endpoint's events with the applied ones, for at most
    /// ``ChainLimits/comparisonTimeMax``, or for the rest of ``ChainLimits/confirmWaitMax`` if it
    /// is known to take long.
    ///
    /// - Throws: ``EthereumError``; ``EthereumError/timedOut(_:method:)`` if it takes longer than
    ///   that rest.
    private func compare(
        _ range: ClosedRange<UInt64>,
        with other: EndpointSession
    ) async throws -> SourceComparison {
        struct Late: Error {}
        let rest = confirmBy - clock.uptime
        let (isSlow, most) = (await client.isSlow(other), configuration.limits.comparisonTimeMax)
        do {
            return try await withTimeLimit(
                isSlow ? rest : min(rest, most),
                throwing: Late(),
                clock: clock
            ) {
                try await self.compareAll(range, with: other)
            }
        } catch is Late {
            await client.noteSlow(other)
            guard isSlow || rest <= most else { return .late }
            throw EthereumError.timedOut(other.name, method: "eth_getLogs")
        }
    }

    private func compareAll(
        _ range: ClosedRange<UInt64>,
        with other: EndpointSession
    ) async throws -> SourceComparison {
        let head = try await other.head()
        blockTimes.note(head)
        guard head.number >= range.lowerBound else {
            let applied = follower.applied?.number ?? 0
            guard head.number + configuration.limits.lagBlocksMax < applied else {
                return .behind(isFar: false)
            }
            let headAgeMax = configuration.headAgeMax
            return .behind(isFar: await client.isLeftBehind(other, headAgeMax: headAgeMax))
        }
        let blocks = await client.rangeBlocksMax(of: other)
        let asked =
            range.lowerBound...min(range.upperBound, head.number, range.lowerBound + blocks - 1)
        let known = head.number == asked.upperBound ? head.id : nil
        let last = try await self.end(at: asked.upperBound, known: known, of: other)
        guard case .same(let end) = last else { return last }
        guard let logs = try await logs(of: other, in: asked, configuration.filter) else {
            return try await compareAll(range, with: other)
        }
        let own = try await store.events(of: configuration.chain, in: asked)
        var first = LogDifference.first(own: own.map(\.log), other: logs)
        if let first, let fork = fork(in: first) { return .fork(fork) }
        // Below a difference, both have the same logs.
        let common = own.filter { $0.log.block.number < first?.block.number ?? .max }
        switch try await compareTimes(of: common, with: other) {
        case .differs(let difference): first = difference
        case .some(let ended): return ended
        case nil: break
        }
        guard let first else { return last }
        guard first.block.number > asked.lowerBound else { return .differs(first) }
        let below = first.block.number - 1
        let isMarked = follower.mark(at: end.number) == end
        return try await self.end(
            at: below,
            known: isMarked ? follower.mark(at: below) : nil,
            of: other
        )
    }

    /// Compares the block of an endpoint with which a compared range ends.
    ///
    /// - Parameters:
    ///   - height: Its height.
    ///   - known: The endpoint's block there; `nil` to ask for it.
    ///   - other: The endpoint.
    /// - Returns: ``SourceComparison/same(_:)`` with its block, unless it has another one or none.
    /// - Throws: ``EthereumError``.
    private func end(
        at height: UInt64,
        known: BlockID?,
        of other: EndpointSession
    ) async throws -> SourceComparison {
        var block = known
        if block == nil {
            let found = try await other.perform(RPCCall.block(.number(height)))
            if let found { blockTimes.note(found) }
            block = found?.id
        }
        guard let block, block.number == height else {
            return await client.hasRemoved(height, other) ? .removed : .unknown
        }
        if let mark = follower.mark(at: height), mark != block { return .fork(block) }
        return .same(block)
    }

    /// Returns the other endpoint's block if the difference is that it has another one.
    private func fork(in difference: LogDifference) -> BlockID? {
        let block = difference.block
        if difference.isFork { return difference.onlyOther.first { $0.block != block }?.block }
        return follower.mark(at: block.number).flatMap { $0 == block ? nil : block }
    }

    /// Compares the times of applied events, as far as their headers have not proved them.
    ///
    /// - Returns: `nil` if all are the same; otherwise the comparison, which can end before the
    ///   last event: an endpoint may not answer for very many blocks.
    private func compareTimes(
        of own: [AppliedEvent],
        with other: EndpointSession
    ) async throws -> SourceComparison? {
        let unproven = Set(own.map(\.log.block).filter { blockTimes.proven($0.hash) == nil })
            .sorted { $0.number < $1.number }
        let asked = unproven.prefix(configuration.limits.timesAskedMax)
        let isWhole = asked.count == unproven.count
        let compared = own.filter { isWhole || $0.log.block.number <= asked.last?.number ?? 0 }
        guard var times = try await times(of: compared, by: other) else { return .unknown }
        // Another one says the times of blocks whose headers this one lacks.
        let rest = compared.filter { times[$0.log.block] == nil }
        if let last = rest.last, let source = ledger.source(of: last.log.block.number),
            let third = try await client.another(than: [other.name, source])
        {
            let told = try? await self.times(of: rest, by: third)
            times.merge(told ?? [:]) { known, _ in known }
        }
        if let first = LogDifference.first(own: compared, times: times) { return .differs(first) }
        return isWhole ? nil : asked.last.map(SourceComparison.same)
    }
}

/// One endpoint's logs for a range, compared with the applied events.
enum SourceComparison {
    /// The same events, up to this block: below a difference, or as far as it answers.
    case same(BlockID)
    /// It takes long, and is asked again after the others.
    case late
    case behind(isFar: Bool)
    /// It does not return a new block although its own head is not lower.
    case unknown
    /// It says that it lacks a block, or does not return an old one.
    case removed
    /// It has this other block at a height.
    case fork(BlockID)
    case differs(LogDifference)
}
