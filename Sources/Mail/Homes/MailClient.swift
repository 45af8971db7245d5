import Answers
import Concurrency
import Gossip
import GossipProtocol
import Keys
import Logging
import Market

/// Asks other nodes for the data that chat needs.
///
/// Requests run concurrently, each with its own time limit, so a dead or slow node delays only
/// itself.
actor MailClient {
    private let exchange: MailExchange
    private let mailStore: LMDBMailStore
    private let directory: HomeDirectory
    private let settings: ChatSettings
    private let clock: any WallClock
    private let uptime: any MonotonicClock
    private let logger: Logger
    private var availability: PeerAvailability
    private nonisolated var now: Timestamp { clock.timestamp }

    init(_ context: MailContext) {
        (exchange, mailStore) = (context.exchange, context.mailStore)
        (directory, settings) = (context.directory, context.settings)
        (clock, uptime, logger) = (context.clock, context.uptime, context.logger)
        availability = PeerAvailability(context.settings)
    }

    /// Records a new link to a peer, which can be asked from now on.
    func linked(_ peer: PeerID) { availability.reached(peer) }

    /// Whether a home may be asked now.
    func canAsk(_ home: PeerID) -> Bool { availability.canAsk(home, at: now) }

    /// Links to a home and runs `body`, within `limit` in total.
    ///
    /// A home that fails is left alone for a while, unless it opens a link itself; a refusal counts
    /// as an answer. An address is dialled only if it is at least as public as this node's own; the
    /// dials to an `own` home, which serves an account of this node, are not limited.
    func request<Value: Sendable>(
        _ home: PeerID,
        at addresses: [Multiaddr],
        own isOwn: Bool,
        within limit: Duration,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard availability.canAsk(home, at: now) else { throw LinkError.notLinked(home) }
        do {
            let value = try await withTimeLimit(
                limit,
                throwing: LinkError.timedOut,
                clock: uptime
            ) { [exchange] in
                try await exchange.reach(home, at: addresses, own: isOwn)
                return try await body()
            }
            availability.reached(home)
            return value
        } catch let refusal as MailRefusal {
            throw refusal
        } catch {
            if !Task.isCancelled { availability.failed(home, at: now) }
            throw error
        }
    }

    func request<Value: Sendable>(
        _ lease: HomeLease,
        own isOwn: Bool,
        within limit: Duration,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let addresses = lease.addresses.compactMap { Multiaddr(text: $0) }
        return try await request(lease.peer, at: addresses, own: isOwn, within: limit, body)
    }

    /// Asks an account's homes and some linked peers for the account's records.
    ///
    /// With these records the account can be written to and its mail can be proved. An account that
    /// was looked up a moment ago is not looked up again.
    ///
    /// Nodes do not exchange records that nothing on a chain vouches for. So this node must ask for
    /// the records of an account that was created while the node was down. A peer that was asked
    /// often lately is left out: it would take this node for an attacker.
    ///
    /// - Returns: Whether at least one peer answered, even if it knows nothing of the account.
    @discardableResult
    func lookUp(_ account: Address) async -> Bool {
        guard availability.beginLookup(of: account, at: now) else { return false }
        // An account whose homes cannot be read is looked up at other peers.
        let homes = (try? directory.homeLeases(of: account)) ?? []
        let asked = Set(homes.map(\.peer))
        let linked = await exchange.links.links().map(\.peer).shuffled()
        var leases: [HomeLease] = []
        for lease in homes where lease.peer != exchange.localPeer {
            if availability.beginAsking(lease.peer, at: now) { leases.append(lease) }
        }
        var others: [PeerID] = []
        for peer in linked where !asked.contains(peer) && others.count < settings.lookupPeersMax {
            if availability.beginAsking(peer, at: now) { others.append(peer) }
        }
        return await withTaskGroup(of: Bool.self) { group in
            for lease in leases { group.addTask { await self.ask(lease, for: account) } }
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
            let found = try await self.request(
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
                throwing: LinkError.timedOut,
                clock: self.uptime
            ) { [exchange] in
                try await exchange.keys(of: account, from: peer).records
            }
            await self.take(found, of: account, from: peer)
        }
    }

    /// Takes the account's records from an answer; records of other authors were not asked for.
    func take(_ records: [[UInt8]], of account: Address, from peer: PeerID) async {
        let wanted = records.filter { bytes in
            // Bytes that are not a record are skipped, like a record of another author.
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
}
