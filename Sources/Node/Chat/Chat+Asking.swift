import Concurrency
import Gossip
import Keys
import Logging
import Market
import Storage

/// Asking other nodes: at once, each with its own time, so that one that is dead or slow delays
/// nobody but itself.
extension Chat {
    /// Links to a home and asks it something, within `limit` in all.
    ///
    /// One that fails is left alone for a while, unless it links itself; a refusal is an answer.
    /// A stranger's word leads nowhere nearer than where this node itself is found; an `own` home
    /// may be anywhere.
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

    /// Does something for each, some at a time.
    func each<Element: Sendable>(
        _ elements: [Element],
        _ body: @escaping @Sendable (Element) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, element) in elements.enumerated() {
                if index >= settings.askedAtOnceMax { await group.next() }
                group.addTask { await body(element) }
            }
        }
    }

    /// Asks an account's homes, and some linked peers, for the records by which it can be written
    /// to and its mail be proved, unless it was asked for a moment ago.
    ///
    /// Records that nothing on a chain vouches for are not exchanged between nodes, so those of
    /// an account that was made while this node was down have to be asked for.
    ///
    /// - Returns: Whether anybody was asked and told what he knows, be it nothing.
    @discardableResult
    func find(_ account: Address) async -> Bool {
        if let until = sought[account], until > now { return false }
        if sought.count >= settings.soughtMax { sought = sought.filter { $0.value > now } }
        guard sought.count < settings.soughtMax else { return false }
        sought[account] = now.advanced(by: settings.seekInterval)
        let homes = (try? homeLeases(of: account)) ?? []
        let asked = Set(homes.map(\.peer))
        let others = await exchange.links.links().map(\.peer).shuffled()
            .filter { !asked.contains($0) }.prefix(settings.peersSoughtMax)
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
            let found = try await self.asking(lease, own: false, within: self.settings.askMax) {
                [exchange] in try await exchange.keys(of: account, from: lease.peer).records
            }
            await self.take(found, of: account, from: lease.peer)
        }
    }

    private func ask(_ peer: PeerID, for account: Address) async -> Bool {
        await attemptAsking(peer) {
            let found = try await withTimeLimit(self.settings.askMax, throwing: LinkError.timedOut)
            { [exchange] in
                try await exchange.keys(of: account, from: peer).records
            }
            await self.take(found, of: account, from: peer)
        }
    }

    /// Judges records that were asked for; those of others were not.
    func take(_ records: [[UInt8]], of account: Address, from peer: PeerID) async {
        let wanted = records.filter { bytes in
            // What is no record is passed over like one of somebody else.
            (try? UnverifiedRecord(bytes))?.draft.author == account
        }
        await mailStore.take(records: wanted, from: exchange.origin(of: peer), isAsked: true)
    }

    /// - Returns: Whether the peer told what it knows of the account.
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
        away[home] = now.advanced(by: settings.awayMax)
    }
}
