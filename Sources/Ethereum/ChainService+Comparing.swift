import Concurrency
import Logging
import Market

/// Compares what one endpoint says about blocks with what others say, before it has consequences.
extension ChainService {
    /// Asks other endpoints before blocks are rolled back that two endpoints have confirmed, and
    /// that are as deep as final ones.
    ///
    /// An endpoint that lacks them alone is left, and mistrusted if that lasts.
    ///
    /// - Parameters:
    ///   - block: The block to which the follower would roll back; `nil` if everything goes.
    ///   - session: The endpoint that is followed.
    /// - Throws: ``EthereumError`` if no other endpoint lacks them too; then the follower is as it
    ///   was.
    func requireDeparture(to block: BlockID?, through session: EndpointSession) async throws {
        guard configuration.endpoints.count > 1 else { return }
        let stored = try await store.checkpoint(of: configuration.chain)
        guard let settled = stored.flatMap({ settled(in: $0.window) }),
            block.map({ $0.number < settled.number }) ?? true
        else { return }
        if block == nil { try await requireChain(of: session) }
        var (asked, isContradicted) = (Set([session.name]), false)
        var detail = "it lacks block \(settled.number), and no other endpoint says that it does"
        while let other = try await client.another(than: asked) {
            asked.insert(other.name)
            do {
                let found = try await other.perform(.block(.number(settled.number)))
                // One that is behind cannot tell.
                guard let found else { continue }
                guard found.id == settled else {
                    loneForks.joined(session.name)
                    return
                }
                detail = "it lacks block \(settled.number), which another endpoint has"
                isContradicted = true
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        keepFollowing(stored)
        if isContradicted { await leave(session, because: detail) }
        throw EthereumError.contradiction(session.name, detail: detail)
    }

    /// Leaves an endpoint whose fork others contradict: the others are asked first, and it is
    /// mistrusted if it stays there.
    func leave(_ session: EndpointSession, because detail: String) async {
        if loneForks.saw(session.name, at: clock.uptime) {
            await client.mistrust(session, because: detail)
        } else {
            await client.setAside(session)
        }
    }

    /// Asks the endpoints that were alone on a fork for their newest blocks, and forgets the forks
    /// of those whose blocks two endpoints have.
    ///
    /// Nothing else may ask them: they come last, and two others are enough.
    func noteJoined() async throws {
        compareLoneForks()
        for name in loneForks.alone(at: clock.uptime) {
            guard let other = try await client.session(of: name), await !client.isSlow(other) else {
                continue
            }
            do {
                loneForks.told(try await other.head().id, by: name)
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        compareLoneForks()
    }

    private func compareLoneForks() {
        guard let confirmed = ledger.confirmed else { return }
        loneForks.compare { head in
            head.number <= confirmed.number ? follower.mark(at: head.number) == head : nil
        }
    }

    /// Records that an endpoint replaces blocks, if it delivered them itself: another endpoint's
    /// blocks can be the chain's.
    func noteReplaced(above block: BlockID?, by session: EndpointSession) {
        let lowest = block.map { $0.number + 1 } ?? configuration.filter.firstBlock
        guard ledger.source(of: lowest) == session.name else { return }
        deliveredHeads.replaced(above: block, by: session.name)
    }

    /// Leaves the endpoints whose newest blocks again and again no other one has: they may invent
    /// them, with events that hold up a sale.
    func leaveRestless() async {
        guard configuration.endpoints.count > 1 else { return }
        let restless = deliveredHeads.compare(upTo: ledger.confirmed) { follower.mark(at: $0) }
        for name in restless {
            guard let session = await client.named(name) else { continue }
            if restlessHeads.saw(name, at: clock.uptime) {
                await client.mistrust(session, because: "blocks that no other endpoint ever has")
            } else {
                await client.setAside(session)
            }
        }
    }

    /// Returns the newest block that two endpoints have confirmed and that is as deep as a final
    /// one.
    private func settled(in window: BlockWindow) -> BlockID? {
        guard let confirmed = ledger.confirmed, let applied = window.newest else { return nil }
        let height = applied.number + 1 - min(configuration.confirmations, applied.number + 1)
        return confirmed.number <= height ? confirmed : window.marks.last { $0.number <= height }
    }

    private func keepFollowing(_ stored: FollowerCheckpoint?) {
        follower = ChainFollower(
            filter: configuration.filter,
            checkpoint: stored,
            limits: configuration.limits
        )
    }

    /// Asks the endpoint which chain it serves, before everything is rolled back because of it.
    ///
    /// - Throws: ``EthereumError`` if it is another one; then the follower is as it was.
    func requireChain(of session: EndpointSession) async throws {
        let stored = try await store.checkpoint(of: configuration.chain)
        do {
            try await client.identify(session)
            try await requireFirstBlock(of: session, in: stored?.window)
        } catch {
            keepFollowing(stored)
            throw error
        }
    }

    /// Asks the endpoint for the first applied block, which every endpoint of the chain has.
    ///
    /// A development chain may begin again.
    private func requireFirstBlock(
        of session: EndpointSession,
        in window: BlockWindow?
    ) async throws {
        let chain = configuration.chain
        guard let first = window.flatMap(finalFirst) else { return }
        let found = try await session.perform(RPCCall.block(.number(first.number)))
        guard found?.id != first else { return }
        if chain.isOfDevelopment {
            logger.warning(
                "the development chain began again, its former events are dropped",
                metadata: ["endpoint": "\(session.name)", "block": "\(first.number)"]
            )
            return
        }
        guard found != nil else {
            throw EthereumError.malformed(
                session.name,
                method: "eth_getBlockByNumber",
                detail: "no block \(first.number), with which the market's events begin"
            )
        }
        let error = EthereumError.replacedChain(session.name, chain, block: first.number)
        throw await client.fault(session.index, error)
    }

    /// Returns the first applied block if it is final.
    func finalFirst(in window: BlockWindow) -> BlockID? {
        let isAlone = configuration.endpoints.count == 1
        guard let first = window.first,
            let known = isAlone ? window.newest : ledger.confirmed,
            known.number + 1 >= first.number + configuration.confirmations
        else { return nil }
        return first
    }
}
