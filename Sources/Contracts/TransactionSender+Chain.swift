import Keys
import Market

/// The sender's requests to the chain.
extension TransactionSender {
    /// Reads the account's next nonce, from two endpoints if there are two.
    ///
    /// A nonce that is too high would leave a gap, and no later transaction of the account could
    /// be mined.
    ///
    /// - Returns: `nil` if the two endpoints do not agree: one is behind, or lies.
    /// - Throws: ``EthereumError`` if no endpoint answers.
    func nextNonce() async throws -> UInt64? {
        let session = try await client.session()
        let nonce = queue.freeNonce(from: try await count(at: .latest, through: session))
        guard let second = try await client.second(to: session) else { return nonce }
        do {
            let other = queue.freeNonce(from: try await count(at: .latest, through: second))
            return other == nonce ? nonce : nil
        } catch let error as EthereumError where error.isEndpointsFault {
            // A second endpoint that fails is ignored.
            return nonce
        }
    }

    /// Sends signed bytes to the best endpoint that answers.
    func broadcast(_ attempt: SignedAttempt) async throws -> SendQueue.SendAnswer {
        do {
            _ = try await client.perform(.send(attempt.raw))
            return .taken
        } catch EthereumError.refused(_, let refusal) {
            return Self.answer(of: refusal)
        } catch is EthereumError {
            return .unreachable
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
            let found = try await session.perform(hashes.map { RPCCall.receipt(of: $0) })
            var receipts: [Bytes32: Receipt] = [:]
            for (hash, receipt) in zip(hashes, found) {
                guard let receipt else { continue }
                guard receipt.transaction == hash else {
                    await client.mistrust(session, because: "another receipt than asked for")
                    return nil
                }
                receipts[hash] = receipt
            }
            let mined = Set(receipts.keys.compactMap { nonces[$0] })
            let lost = hashes.filter { hash in
                nonces[hash].map { $0 < settledNonce && !mined.contains($0) } ?? false
            }
            guard try await areLost(lost, at: settled, by: session, nonces: nonces) else {
                return nil
            }
            return .observed(
                SendQueue.Observation(
                    asked: Set(hashes),
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
    /// header of their block, and by the receipt of a second endpoint if there is one.
    private func vouched(
        _ receipts: some Collection<Receipt>,
        head: UInt64,
        by session: EndpointSession
    ) async throws -> Set<Bytes32> {
        let deep = receipts.filter { $0.block.number + configuration.confirmations <= head + 1 }
        guard !deep.isEmpty else { return [] }
        let headers = try await session.perform(
            deep.map { RPCCall.block(.number($0.block.number)) }
        )
        var held = zip(deep, headers).filter { $0.block == $1?.id }.map(\.0)
        if let second = try await client.second(to: session) {
            let others = try await second.perform(
                held.map { RPCCall.receipt(of: $0.transaction) }
            )
            held = zip(held, others)
                .filter { $0.block == $1?.block && $0.isSuccess == $1?.isSuccess }
                .map(\.0)
        }
        return Set(held.map(\.transaction))
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

    /// Classifies a refusal by its message, because endpoints give no code for the reason.
    ///
    /// The texts are those of geth, Erigon and Nethermind.
    private static func answer(of refusal: RPCRefusal) -> SendQueue.SendAnswer {
        let text = refusal.message.lowercased()
        let known = ["already known", "known transaction", "alreadyknown", "already imported"]
        if known.contains(where: text.contains) { return .taken }
        if text.contains("nonce too low") || text.contains("oldnonce") { return .nonceUsed }
        return .refused(refusal.message)
    }
}
