import Keys
import Market

/// Reads the state of the sent transactions from the endpoints.
extension TransactionSender {
    /// Reads the present state of transactions from the chain: from two endpoints if there are two,
    /// and from a third one if they differ.
    ///
    /// - Parameters:
    ///   - hashes: The transactions.
    ///   - nonces: The nonces of the transactions.
    /// - Returns: `nil` if it could not be read.
    /// - Throws: Only `CancellationError`.
    func observe(
        _ hashes: [Bytes32],
        nonces: [Bytes32: UInt64]
    ) async throws -> SendQueue.Event? {
        var votes = SightingVotes(
            nonces: nonces,
            confirmations: configuration.confirmations,
            needed: client.endpoints.count == 1 ? 1 : 2
        )
        var sessions: [EndpointName: EndpointSession] = [:]
        var open = hashes
        while !open.isEmpty, let session = try await client.another(than: Set(sessions.keys)) {
            sessions[session.name] = session
            do {
                votes.add(try await sighting(of: open, by: session, votes))
            } catch is EthereumError {
                continue
            }
            open = votes.open(of: hashes)
        }
        for lie in votes.contradictions(of: hashes) {
            guard let liar = sessions[lie.by], let right = sessions[lie.right] else { continue }
            try await mistrust(liar, lie, right)
        }
        return votes.observation(of: hashes).map { .observed($0) }
    }

    /// Reads what one endpoint says of transactions.
    private func sighting(
        of hashes: [Bytes32],
        by session: EndpointSession,
        _ votes: SightingVotes
    ) async throws -> Sighting {
        let head = try await session.head().number
        // Read before the receipts. A transaction mined in between then has a receipt, and its
        // nonce is not taken for one that another transaction used.
        let settledNonce = try await settledNonce(below: head, by: session)
        var found = try await receipts(of: hashes, by: session)
        guard found.allSatisfy({ hash, receipt in receipt.map { $0.transaction == hash } ?? true })
        else {
            let detail = "another receipt than asked for"
            await client.mistrust(session, because: detail)
            throw EthereumError.contradiction(session.name, detail: detail)
        }
        // The block must be in the endpoint's own chain.
        let deep = found.values.compactMap(\.self).filter { votes.isDeep($0, below: head) }
        let headers = try await session.perform(
            deep.map { RPCCall.block(.number($0.block.number)) }
        )
        for (receipt, header) in zip(deep, headers) where receipt.block != header?.id {
            found.removeValue(forKey: receipt.transaction)
        }
        return Sighting(
            endpoint: session.name,
            head: head,
            settledNonce: settledNonce,
            receipts: found
        )
    }

    /// Counts the account's transactions that have all confirmations; `nil` if the endpoint no
    /// longer has that state.
    private func settledNonce(
        below head: UInt64,
        by session: EndpointSession
    ) async throws -> UInt64? {
        let depth = configuration.confirmations
        do {
            return try await count(
                at: .number(head + 1 >= depth ? head + 1 - depth : 0),
                through: session
            )
        } catch EthereumError.refused {
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

    /// Mistrusts an endpoint whose receipt two others contradict: in the same block, or in another
    /// one of the same chain.
    ///
    /// On a fork, it may say what is true there.
    private func mistrust(
        _ liar: EndpointSession,
        _ lie: SightingVotes.Contradiction,
        _ right: EndpointSession
    ) async throws {
        do {
            if lie.told.block != lie.block {
                let header = try await right.perform(.block(.number(lie.told.block.number)))
                guard header?.id == lie.told.block else { return }
            }
            await client.mistrust(liar, because: "another receipt than two others have")
        } catch is EthereumError {
            // The receipt of the others is enough.
        }
    }
}
