import Concurrency
import Gossip
import Keys
import Logging
import Market
import Storage

/// Requests to other nodes.
///
/// They run concurrently, each with its own time limit, so a dead or slow node delays only itself.
extension Chat {
    /// Links to a home and runs `body`, within `limit` in total.
    ///
    /// A home that fails is left alone for a while, unless it opens a link itself; a refusal counts
    /// as an answer. An address from another peer is dialled only if it is at least as public as
    /// this node's own; an `own` home may have any address.
    func asking<Value: Sendable>(
        _ home: PeerID,
        at addresses: [Multiaddr],
        own isOwn: Bool,
        within limit: Duration,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let until = away[home], until > now { throw LinkError.notLinked(home) }
        do {
            let value = try await withTimeLimit(limit, throwing: LinkError.timedOut) { [exchange] in
                try await exchange.reach(home, at: addresses, anywhere: isOwn)
                return try await body()
            }
            away[home] = nil
            return value
        } catch let refusal as MailRefusal {
            throw refusal
        } catch {
            if !Task.isCancelled { leaveAlone(home) }
            throw error
        }
    }

    func asking<Value: Sendable>(
        _ lease: HomeLease,
        own isOwn: Bool,
        within limit: Duration,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let addresses = lease.addresses.compactMap { Multiaddr(text: $0) }
        return try await asking(
            lease.peer,
            at: addresses,
            own: isOwn,
            within: limit,
            body
        )
    }

    /// Runs `body` for each element, at most `settings.concurrentMax` at a time.
    func each<Element: Sendable>(
        _ elements: [Element],
        _ body: @escaping @Sendable (Element) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, element) in elements.enumerated() {
                if index >= settings.concurrentMax { await group.next() }
                group.addTask { await body(element) }
            }
        }
    }

    /// Asks an account's homes and some linked peers for the account's records.
    ///
    /// With these records the account can be written to and its mail can be proved. An account that
    /// was asked for a moment ago is not asked for again.
    ///
    /// Nodes do not exchange records that nothing on a chain vouches for. Hence this node must ask
    /// for the records of an account that was created while the node was down.
    ///
    /// - Returns: Whether at least one peer answered, even if it knows nothing of the account.
    @discardableResult
    func find(_ account: Address) async -> Bool {
        if let until = sought[account], until > now { return false }
        if sought.count >= settings.lookupsMax { sought = sought.filter { $0.value > now } }
        guard sought.count < settings.lookupsMax else { return false }
        sought[account] = now.advanced(by: settings.lookupInterval)
        let homes = (try? homeLeases(of: account)) ?? []
        let asked = Set(homes.map(\.peer))
        let others = await exchange.links.links().map(\.peer).shuffled()
            .filter { !asked.contains($0) }.prefix(settings.lookupPeersMax)
        return await withTaskGroup(of: Bool.self) { group in
            for lease in homes where lease.peer != exchange.localPeer {
                group.addTask { await self.ask(lease, for: account) }
            }
            for peer in others {
                group.addTask { await self.ask(peer, for: account) }
            }
            var isAnswered = false
            for await answered in group where answered { isAnswered = true }
            return isAnswered
        }
    }

    private func ask(_ lease: HomeLease, for account: Address) async -> Bool {
        await attemptAsking(lease.peer) {
            let found = try await self.asking(
                lease,
                own: false,
                within: self.settings.requestTimeMax
            ) {
                [exchange] in try await exchange.keys(of: account, from: lease.peer).records
            }
            await self.take(found, of: account, from: lease.peer)
        }
    }

    private func ask(_ peer: PeerID, for account: Address) async -> Bool {
        await attemptAsking(peer) {
            let found = try await withTimeLimit(
                self.settings.requestTimeMax,
                throwing: LinkError.timedOut
            ) { [exchange] in
                try await exchange.keys(of: account, from: peer).records
            }
            await self.take(found, of: account, from: peer)
        }
    }

    /// Takes the account's records from an answer; records of other authors were not asked for.
    func take(_ records: [[UInt8]], of account: Address, from peer: PeerID) async {
        let wanted = records.filter { bytes in
            // Bytes that are not a record are passed over, like a record of another author.
            (try? UnverifiedRecord(bytes))?.draft.author == account
        }
        await mailStore.take(records: wanted, from: exchange.origin(of: peer), isAsked: true)
    }

    /// - Returns: Whether the peer answered; ``MailRefusal/notKeptHere`` counts as an answer.
    private func attemptAsking(_ peer: PeerID, _ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return true
        } catch {
            logger.debug(
                "peer tells nothing of an account",
                metadata: ["peer": "\(peer.text)", "error": "\(error)"]
            )
            return error as? MailRefusal == .notKeptHere
        }
    }

    func leaveAlone(_ home: PeerID) {
        if away.count >= 1_000 { away = away.filter { $0.value > now } }
        away[home] = now.advanced(by: settings.unreachableInterval)
    }
}
