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
    /// - Returns: The nonce, the one that would be next if the transactions waiting in the
    ///   endpoints' pools were mined, and whether the first is confirmed; `nil` if the endpoints do
    ///   not agree on it: one is behind, or lies.
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
                votes.append(vote)
                if let same = votes.dropLast().first(where: { other in
                    queue.freeNonce(from: other.count) == nonce
                }) {
                    let odd = votes.first { queue.freeNonce(from: $0.count) != nonce }
                    if let odd { try await check(odd.session, beside: session) }
                    agreedCount = max(agreedCount, min(same.count, vote.count))
                    return (nonce, try await pending(above: nonce, by: votes, but: asked), true)
                }
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

    /// Returns the nonce after the transactions that wait in the pools: as two endpoints have it if
    /// one alone says that some wait, and a third one answers.
    private func pending(
        above nonce: UInt64,
        by votes: [NonceVote],
        but asked: Set<EndpointName>
    ) async throws -> UInt64 {
        var pending = PendingVotes(nonce: nonce, told: votes.map(\.pending))
        var asked = asked
        while pending.isOpen, let third = try await client.another(than: asked) {
            asked.insert(third.name)
            do {
                pending.add(try await pendingCount(through: third))
            } catch is EthereumError {
                continue
            }
        }
        return pending.decided
    }

    /// Mistrusts an endpoint that counts otherwise than others, unless it is only at another block.
    private func check(_ odd: EndpointSession, beside other: EndpointSession) async throws {
        do {
            let heads = (try await odd.head().number, try await other.head().number)
            let block = BlockTag.number(min(heads.0, heads.1))
            let call = RPCCall.block(block)
            // In a reorganisation both may be right.
            guard let own = try await odd.perform(call), let others = try await other.perform(call),
                own.id == others.id
            else { return }
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
