import Keys
import Market

/// What a sender asks the chain.
extension TransactionSender {
    /// The greatest nonce that two endpoints know, as one of them may be behind.
    func nextNonce() async throws -> UInt64 {
        let session = try await client.session()
        var nonce = try await count(at: .latest, through: session)
        if let second = try await client.second(to: session) {
            do {
                nonce = max(nonce, try await count(at: .latest, through: second))
            } catch let error as EthereumError where error.isEndpointsFault {
                // One that fails has nothing to add.
            }
        }
        return nonce
    }

    /// Sends signed bytes to the best endpoint that takes them.
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

    /// Reads what became of the transactions asked about; `nil` where it could not be read.
    func observe(_ hashes: [Bytes32]) async throws -> SendQueue.Event? {
        do {
            let session = try await client.session()
            let head = try await session.head().number
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
            let depth = configuration.confirmations
            let settled = head + 1 >= depth ? BlockTag.number(head + 1 - depth) : .number(0)
            return .observed(
                SendQueue.Observation(
                    asked: Set(hashes),
                    head: head,
                    settledNonce: try await count(at: settled, through: session),
                    receipts: receipts,
                    vouched: try await vouched(receipts.values, head: head, by: session)
                )
            )
        } catch is EthereumError {
            return nil
        }
    }

    /// Which receipts at full confirmations hold: by the header of their block, and by the same
    /// receipt of a second endpoint where there is one.
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

    private func count(at block: BlockTag, through session: EndpointSession) async throws -> UInt64
    {
        let call = RPCCall.transactionCount(of: account, at: block)
        guard let number = try await session.perform(call).number else {
            throw EthereumError.malformed(
                await client.name(of: session.index),
                method: call.method,
                detail: "more than 64 bits"
            )
        }
        return number
    }

    /// Endpoints say in words alone why they refuse; these are geth's, Erigon's and Nethermind's.
    private static func answer(of refusal: RPCRefusal) -> SendQueue.SendAnswer {
        let text = refusal.message.lowercased()
        let known = ["already known", "known transaction", "alreadyknown", "already imported"]
        if known.contains(where: text.contains) { return .taken }
        if text.contains("nonce too low") || text.contains("oldnonce") { return .nonceUsed }
        return .refused(refusal.message)
    }
}
