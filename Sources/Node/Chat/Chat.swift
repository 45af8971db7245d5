import Client
package import Concurrency
import Foundation
package import Gossip
import Keys
package import Logging
package import Market
package import Storage

/// Sends, collects, opens and shows sealed messages between accounts.
///
/// Work that needs an account's key happens while the account is signed in. While it is not, this
/// node still stores mail for it and sends on mail that is already sealed.
///
/// Source: Docs/protocol.md, section 10.
package actor Chat {
    /// The keys of an account while it is signed in.
    struct UnlockedAccount: Sendable {
        let account: Address
        let key: PrivateKey
        let device: PrivateKey
        let seal: LocalSeal

        /// The device's name in mail.
        var slot: Bytes32 { DeviceCertificate.slot(of: device.publicKey) }
    }

    let store: Store
    let accounts: Accounts
    let events: AccountEventLog
    let recordService: RecordService
    let exchange: MailExchange
    let mailStore: LMDBMailStore
    let view: any ChainView & Sendable
    let settings: ChatSettings
    let clock: any WallClock
    let logger: Logger

    /// Homes that did not answer, and until when they are left alone.
    var away: [PeerID: Timestamp] = [:]
    /// When an account's mail is next collected at a home.
    var collectAt: [Pair<Address, PeerID>: Timestamp] = [:]
    /// The creation time of the prekey bundle that a home has accepted.
    var published: [Pair<Address, PeerID>: Timestamp] = [:]
    /// Until when a home need not be told the grants of an account's device again.
    var grantsTold: [Pair<Address, PeerID>: Timestamp] = [:]
    /// Envelopes that wait because the account has no room for their conversation.
    var postponed: [EnvelopeKey: PostponedMail] = [:]
    /// The number of request-box messages reported as events, and when the count starts again.
    var requestsTold: [Address: (count: Int, until: Timestamp)] = [:]
    /// Counts of dropped mail that are not yet reported to their accounts.
    var drops = MailDrops()
    /// Prekey bundles of accounts whose mail other nodes keep, and until when they are used.
    var foreignKeys: [Address: (bundles: [PrekeyBundle], until: Timestamp)] = [:]
    /// Envelopes whose sender is not proved yet.
    var doubts: [EnvelopeKey: Doubt] = [:]
    /// Senders that are still to be asked for, with the envelopes that wait for each.
    var strangers: [Address: Set<EnvelopeKey>] = [:]
    /// Accounts that other nodes were asked for, and until when they are not asked for again.
    var sought: [Address: Timestamp] = [:]
    /// When expired mail is next removed.
    private var sweepAt = Timestamp(milliseconds: 0)
    /// Whether the whole outbox is due, because something has changed.
    var isAllDue = true
    /// When a new link last made the whole outbox due.
    private var linkedAt = Timestamp(milliseconds: 0)

    /// Handles the accounts' mail over `exchange`; `mailStore` holds the mail and the leases.
    ///
    /// `view` is what this node's chain shows as final. If it shows an account as a party to a
    /// sale, the account's records are published again, so that they are kept for long.
    package init(
        store: Store,
        accounts: Accounts,
        events: AccountEventLog,
        recordService: RecordService,
        exchange: MailExchange,
        mailStore: LMDBMailStore,
        view: any ChainView & Sendable,
        settings: ChatSettings,
        clock: any WallClock = SystemWallClock(),
        logger: Logger
    ) {
        self.store = store
        self.accounts = accounts
        self.events = events
        self.recordService = recordService
        self.exchange = exchange
        self.mailStore = mailStore
        self.view = view
        self.settings = settings
        self.clock = clock
        self.logger = logger
    }

    var now: Timestamp { Timestamp(clock.now) }

    /// Handles the mail of the node's accounts until cancelled.
    package func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await _ in self.accounts.unlockings() { await self.makeAllDue() }
            }
            group.addTask {
                while true {
                    try await SystemMonotonicClock().wait(self.settings.pollInterval)
                    self.mailStore.arrivals.send()
                }
            }
            // Separate tasks, so that a home that does not answer delays nothing else.
            group.addTask {
                for await _ in self.mailStore.arrivals.values() { await self.runMailPass() }
            }
            group.addTask {
                for await _ in self.mailStore.arrivals.values() { await self.runHomesPass() }
            }
            group.addTask {
                for await _ in self.mailStore.arrivals.values() { await self.runOutboxPass() }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Notes a new link to `peer`: mail that waits there or is to go there is due at once.
    package func linked(_ peer: PeerID) {
        away[peer] = nil
        for key in collectAt.keys where key.second == peer { collectAt[key] = nil }
        isAllDue = true
        // A peer that links again and again waits for the next pass, like the others.
        guard linkedAt.advanced(by: .seconds(1)) <= now || linkedAt > now else { return }
        linkedAt = now
        mailStore.arrivals.send()
    }

    /// Makes all work due, for example after a sign-in.
    private func makeAllDue() {
        isAllDue = true
        mailStore.arrivals.send()
    }

    /// Does all work that is due now, once.
    ///
    /// Failures are logged, and the next pass tries again.
    package func runOnce() async {
        await runMailPass()
        await runHomesPass()
        await runMailPass()
        await runOutboxPass()
    }

    /// Opens mail that has arrived and queues receipts for it; asks no other node.
    private func runMailPass() async {
        for account in await accounts.unlocked {
            await attempt("open") { try await self.open(account) }
            await attempt("receipts") { try await self.queueReceipts(account) }
        }
    }

    /// Updates keys, leases and profiles, collects mail from other homes, asks for unknown senders.
    private func runHomesPass() async {
        if sweepAt <= now {
            sweepAt = now.advanced(by: settings.sweepInterval)
            await attempt("sweep") { try await self.mailStore.sweep(at: self.now) }
        }
        await each(await accounts.unlocked) { account in
            await self.attempt("keys and homes") { try await self.renew(account) }
            await self.attempt("collect") { try await self.collect(account) }
        }
        await findStrangers()
    }

    private func runOutboxPass() async { await attempt("send") { try await self.send() } }

    func attempt(_ what: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch is CancellationError {
            return
        } catch {
            logger.warning(
                "chat: could not do all",
                metadata: ["what": "\(what)", "error": "\(error)"]
            )
        }
    }

    /// Returns the keys with which the account writes and reads.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock` while the account is locked.
    func unlocked(_ account: Address) async throws -> UnlockedAccount {
        guard let key = await accounts.key(of: account),
            let secret = await accounts.localSecret(of: account)
        else { throw Self.locked(account) }
        let seal = LocalSeal(secret)
        let device = try await device(of: account, seal)
        return UnlockedAccount(account: account, key: key, device: device, seal: seal)
    }

    static func locked(_ account: Address) -> Refusal {
        Refusal(.nodeLocked, "Sign in to \(account) first.")
    }
}
