import Keys
import Market

/// The sender's requests to the chain.
extension TransactionSender {
    /// How often one question is answered at most: two of three decide.
    private static let votersMax = 3

    /// An endpoint's count of the account's transactions, and with those that wait in its pool.
    private struct NonceVote {
        let session: EndpointSession
        let count: UInt64
        let pending: UInt64
    }

    /// Reads the account's next nonce, from two endpoints if there are two; if they differ, two of
    /// three decide.
    ///
    /// A nonce that is too high would leave a gap, and no later transaction of the account could
    /// be mined. So while only one endpoint answers, its count counts as confirmed only up to what
    /// this sender has used itself, and to what two endpoints have agreed on before.
    ///
    /// - Returns: The nonce, the one that would be next if the transactions waiting in the endpoints'
    ///   pools were mined, and whether the first is confirmed; `nil` if the endpoints do not agree
    ///   on it: one is behind, or lies.
    /// - Throws: ``EthereumError`` if no endpoint answers.
    func nextNonce() async throws -> (next: UInt64, pending: UInt64, isConfirmed: Bool)? {
        var votes: [NonceVote] = []
        var failure = EthereumError.noEndpoint(chain)
        var asked: Set<EndpointName> = []
        var next: EndpointSession? = try await client.session()
        while let session = next {
            asked.insert(session.name)
            do {
                let vote = NonceVote(
                    session: session,
                    count: try await count(at: .latest, through: session),
                    pending: try await pendingCount(through: session)
                )
                let nonce = queue.freeNonce(from: vote.count)
                if let same = votes.first(where: { queue.freeNonce(from: $0.count) == nonce }) {
                    let odd = votes.first { $0.session.name != same.session.name }
                    if let odd { try await check(odd.session, beside: session) }
                    agreedCount = max(agreedCount, min(same.count, vote.count))
                    return (nonce, max(same.pending, vote.pending), true)
                }
                votes.append(vote)
            } catch let error as EthereumError {
                failure = error
            }
            next = votes.count < Self.votersMax ? try await client.another(than: asked) : nil
        }
        guard let only = votes.first else { throw failure }
        guard votes.count == 1 else { return nil }
        let isKnown = only.count <= max(agreedCount, queue.nonceAfterOwn)
        let isConfirmed = isKnown || client.endpoints.count == 1
        return (queue.freeNonce(from: only.count), only.pending, isConfirmed)
    }

    /// Mistrusts an endpoint that counts otherwise than others, unless it is only at another block.
    private func check(_ odd: EndpointSession, beside other: EndpointSession) async throws {
        do {
            let heads = (try await odd.head().number, try await other.head().number)
            let block = BlockTag.number(min(heads.0, heads.1))
            let counts = (
                try await count(at: block, through: odd), try await count(at: block, through: other)
            )
            guard counts.0 != counts.1 else { return }
            await client.mistrust(odd, because: "another next nonce than two others")
        } catch is EthereumError {
            // The count of the others is enough.
        }
    }

    /// Counts the account's transactions with those that wait in an endpoint's pool; 0 if the
    /// endpoint does not say.
    private func pendingCount(through session: EndpointSession) async throws -> UInt64 {
        do {
            return try await count(at: .pending, through: session)
        } catch EthereumError.refused {
            return 0
        }
    }

    /// Reads the present state of transactions from the chain.
    ///
    /// - Parameters:
    ///   - hashes: The transactions.
    ///   - nonces: The nonces of the transactions.
    /// - Returns: `nil` if it could not be read, or the endpoints do not agree.
    /// - Throws: Only `CancellationError`.
    func observe(
        _ hashes: [Bytes32],
        nonces: [Bytes32: UInt64]
    ) async throws -> SendQueue.Event? {
        do {
            let session = try await client.session()
            let head = try await session.head().number
            let depth = configuration.confirmations
            let settled = head + 1 >= depth ? BlockTag.number(head + 1 - depth) : .number(0)
            // Read before the receipts. A transaction mined in between then has a receipt, and its
            // nonce is not taken for one that another transaction used.
            let settledNonce = try await count(at: settled, through: session)
            let found = try await self.receipts(of: hashes, by: session)
            var receipts: [Bytes32: Receipt] = [:]
            for (hash, receipt) in found {
                guard let receipt else { continue }
                guard receipt.transaction == hash else {
                    await client.mistrust(session, because: "another receipt than asked for")
                    return nil
                }
                receipts[hash] = receipt
            }
            let mined = Set(receipts.keys.compactMap { nonces[$0] })
            let lost = found.keys.filter { hash in
                nonces[hash].map { $0 < settledNonce && !mined.contains($0) } ?? false
            }
            guard try await areLost(lost, at: settled, by: session, nonces: nonces) else {
                return nil
            }
            return .observed(
                SendQueue.Observation(
                    asked: Set(found.keys),
                    head: head,
                    settledNonce: settledNonce,
                    receipts: receipts,
                    vouched: try await vouched(receipts.values, head: head, by: session)
                )
            )
        } catch is EthereumError {
            return nil
        }
    }

    /// Reads receipts; `nil` for a transaction that is not mined.
    ///
    /// - Returns: The receipts, without those that the endpoint does not know yet because it still
    ///   indexes its blocks.
    private func receipts(
        of hashes: [Bytes32],
        by session: EndpointSession
    ) async throws -> [Bytes32: Receipt?] {
        do {
            let found = try await session.perform(hashes.map { RPCCall.receipt(of: $0) })
            return Dictionary(zip(hashes, found)) { first, _ in first }
        } catch EthereumError.refused(_, let refusal) where refusal.isIndexing {
            var found: [Bytes32: Receipt?] = [:]
            for hash in hashes {
                do {
                    found.updateValue(try await session.perform(.receipt(of: hash)), forKey: hash)
                } catch EthereumError.refused(_, let refusal) where refusal.isIndexing {
                    continue
                }
            }
            return found
        }
    }

    /// Returns whether a second endpoint, if there is one, agrees that other transactions used the
    /// nonces of these.
    ///
    /// Otherwise one endpoint that has lost a receipt could make the sender sign, and pay, again.
    private func areLost(
        _ hashes: [Bytes32],
        at settled: BlockTag,
        by session: EndpointSession,
        nonces: [Bytes32: UInt64]
    ) async throws -> Bool {
        guard !hashes.isEmpty, let second = try await client.second(to: session) else {
            return true
        }
        let count = try await count(at: settled, through: second)
        let receipts = try await second.perform(hashes.map { RPCCall.receipt(of: $0) })
        return receipts.allSatisfy { $0 == nil }
            && hashes.allSatisfy { nonces[$0].map { $0 < count } ?? true }
    }

    /// Returns the transactions whose receipts have all confirmations and are verified: by the
    /// header of their block, and by the receipt and the head of another endpoint if there is one.
    ///
    /// If the second endpoint does not agree, a third one decides; one that two others contradict is
    /// mistrusted.
    private func vouched(
        _ receipts: some Collection<Receipt>,
        head: UInt64,
        by session: EndpointSession
    ) async throws -> Set<Bytes32> {
        let deep = receipts.filter { isDeep($0, below: head) }
        guard !deep.isEmpty else { return [] }
        let headers = try await session.perform(
            deep.map { RPCCall.block(.number($0.block.number)) }
        )
        let held = zip(deep, headers).filter { $0.block == $1?.id }.map(\.0)
        var open = held
        var (asked, contrary) = (Set([session.name]), [EndpointSession]())
        while asked.count < 3, !open.isEmpty, let other = try await client.another(than: asked) {
            asked.insert(other.name)
            let found = try await self.receipts(of: open, by: other)
            if open.contains(where: { found[$0.transaction]?.contradicts($0) == true }) {
                contrary.append(other)
            }
            open.removeAll { found[$0.transaction]?.isSame(as: $0) == true }
        }
        if contrary.count > 1 { contrary = [session] }
        if asked.count > 2, open.isEmpty || contrary.first?.name == session.name {
            for one in contrary {
                await client.mistrust(one, because: "another receipt than two others have")
            }
        }
        return Set((asked.count > 1 ? held.filter { !open.contains($0) } : held).map(\.transaction))
    }

    /// Returns another endpoint's receipts, as far as they have all confirmations there.
    private func receipts(
        of held: [Receipt],
        by other: EndpointSession
    ) async throws -> [Bytes32: Receipt] {
        let head = try await other.head().number
        let known = held.filter { isDeep($0, below: head) }
        let found = try await other.perform(known.map { RPCCall.receipt(of: $0.transaction) })
        return Dictionary(
            zip(known, found).compactMap { pair in pair.1.map { (pair.0.transaction, $0) } }
        ) { first, _ in first }
    }

    private func isDeep(_ receipt: Receipt, below head: UInt64) -> Bool {
        receipt.block.number + configuration.confirmations <= head + 1
    }

    func count(at block: BlockTag, through session: EndpointSession) async throws -> UInt64 {
        let call = RPCCall.transactionCount(of: account, at: block)
        guard let number = try await session.perform(call).number, number <= ChainLimits.numberMax
        else {
            await client.mistrust(session, because: "a nonce beyond all bounds")
            throw EthereumError.malformed(
                await client.name(of: session.index),
                method: call.method,
                detail: "a nonce beyond all bounds"
            )
        }
        return number
    }
}

extension Receipt {
    /// Whether both tell the same block and outcome of a transaction.
    fileprivate func isSame(as other: Receipt) -> Bool {
        block == other.block && isSuccess == other.isSuccess
    }

    /// Whether both tell another outcome in one block.
    fileprivate func contradicts(_ other: Receipt) -> Bool {
        block == other.block && isSuccess != other.isSuccess
    }
}
