import Keys
import Market

/// Transactions that a wallet outside the node has sent without telling the node.
extension TransactionSender {
    /// How many blocks back they are looked for: most endpoints keep the states of 128 blocks.
    private static let searchedBlocks: UInt64 = 120
    /// How many polls apart they are looked for.
    static let searchPolls = 5

    /// Looks for the transactions requested from wallets among those that have used a nonce since,
    /// and accepts a requested one as if the owner had given its hash.
    ///
    /// - Throws: The journal's error.
    func takeUntold() async throws {
        for request in queue.walletRequests where request.kind == .original {
            do {
                guard let hash = try await untold(request) else { continue }
                try await take(.hash(hash), for: request.slot.intent)
                logUntold(hash, request.slot)
            } catch is EthereumError {
                // It is looked for again.
                continue
            } catch is IntentError {
                // It has been answered or withdrawn, or the endpoint no longer knows it.
                continue
            } catch is AskedTransactionFault {
                // The wallet did something else: with more fee than was agreed to, for example.
                continue
            }
        }
    }

    /// Returns the transaction on the chain that looks like the requested one.
    ///
    /// Two endpoints are asked, since one could hide it.
    private func untold(_ request: WalletRequest) async throws -> Bytes32? {
        var searched: [UInt64] = []
        var asked: Set<EndpointName> = []
        while searched.count < 2, let session = try await client.another(than: asked) {
            asked.insert(session.name)
            do {
                let (found, used) = try await untold(request, through: session)
                if let found { return found }
                if let used { searched.append(used) }
            } catch is EthereumError {
                continue
            }
        }
        guard searched.count > 1 || client.endpoints.count == 1, let used = searched.min() else {
            return nil
        }
        searchedNonces[request.slot] = used
        return nil
    }

    /// Looks for the requested transaction at one endpoint.
    ///
    /// - Returns: The transaction if there is one, and the nonce below which there is none; `nil`
    ///   if the endpoint does not show all blocks.
    private func untold(
        _ request: WalletRequest,
        through session: EndpointSession
    ) async throws -> (found: Bytes32?, used: UInt64?) {
        let used = try await count(at: .latest, through: session)
        let nonces = request.asked.nonces.filter {
            $0 < used && $0 >= searchedNonces[request.slot, default: 0]
                && !request.asked.taken.contains($0)
        }
        guard !nonces.isEmpty else { return (nil, used) }
        let head = try await session.head().number
        let wanted = request.asked.transaction
        for nonce in nonces {
            guard let block = try await block(of: nonce, upTo: head, through: session) else {
                continue
            }
            guard let found = try await session.perform(.transfers(in: block)) else {
                return (nil, nil)
            }
            let same = found.transactions.filter {
                $0.from == account && $0.to == wanted.to && $0.value == wanted.value
            }
            for transfer in same {
                let sent = try await client.sentTransaction(transfer.hash)
                guard let sent, (try? request.asked.signed(raw: sent.encoded)) != nil else {
                    continue
                }
                return (transfer.hash, nil)
            }
        }
        return (nil, used)
    }

    /// Returns the block with the account's transaction of a nonce; `nil` if it is too far back.
    private func block(
        of nonce: UInt64,
        upTo head: UInt64,
        through session: EndpointSession
    ) async throws -> UInt64? {
        var (before, after) = (head - min(head, Self.searchedBlocks), head)
        guard try await count(at: .number(before), through: session) <= nonce,
            try await count(at: .number(after), through: session) > nonce
        else { return nil }
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if try await count(at: .number(middle), through: session) > nonce {
                after = middle
            } else {
                before = middle
            }
        }
        return after
    }
}
