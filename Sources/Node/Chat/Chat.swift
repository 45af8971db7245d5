import Client
package import Concurrency
import Foundation
package import Gossip
import Keys
package import Logging
package import Market
package import Storage

/// Sealed messages between accounts: sends, collects, opens and shows them.
///
/// What needs an account's key happens while it is signed in; mail for it is stored and what is
/// sealed already is sent on while it is not.
///
/// Source: Docs/protocol.md, section 10.
package actor Chat {
    /// What an account can do while it is signed in.
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
    /// When an account's mail is collected next at a home.
    var collectAt: [Pair<Address, PeerID>: Timestamp] = [:]
    /// Bundles that a home has taken, by when they were made.
    var published: [Pair<Address, PeerID>: Timestamp] = [:]
    /// Homes that know the grants of an account's device, and until when that is taken for granted.
    var grantsTold: [Pair<Address, PeerID>: Timestamp] = [:]
    /// Envelopes for whose conversations there is no room.
    var postponed: [EnvelopeKey: PostponedMail] = [:]
    /// How many messages in an account's request box were told as events, until when.
    var requestsTold: [Address: (count: Int, until: Timestamp)] = [:]
    /// What was dropped after it was collected, and not yet told to its account.
    var drops = MailDrops()
    /// Bundles of accounts that others keep mail for, and until when they are used.
    var foreignKeys: [Address: (bundles: [PrekeyBundle], until: Timestamp)] = [:]
    /// Envelopes whose sender is not proved yet.
    var doubts: [EnvelopeKey: Doubt] = [:]
    /// Their senders, as far as they are still to be asked for, with the envelopes that wait for it.
    var strangers: [Address: Set<EnvelopeKey>] = [:]
    /// Accounts that others were asked for, and until when they are not asked again.
    var sought: [Address: Timestamp] = [:]
    /// When what has expired is forgotten next.
    private var sweepAt = Timestamp(milliseconds: 0)
    /// Whether everything in the outbox is due, for something has changed.
    var isHurried = true
    /// When a new link last made everything due.
    private var hurriedAt = Timestamp(milliseconds: 0)

    /// Looks after the accounts' mail over `exchange`, whose mail and leases are kept in `mailStore`.
    ///
    /// By `view`, what this node's chain shows as final, records of accounts that have a sale are
    /// made anew, so that they are kept for long.
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

    /// Looks after the mail of the node's accounts until cancelled.
    package func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await _ in self.accounts.unlockings() { await self.hurry() }
            }
            group.addTask {
                while true {
                    try await SystemMonotonicClock().wait(self.settings.lookInterval)
                    self.mailStore.arrivals.send()
                }
            }
            // Apart from each other, so that a home that does not answer delays nothing else.
            group.addTask {
                for await _ in self.mailStore.arrivals.values() { await self.lookAtMail() }
            }
            group.addTask {
                for await _ in self.mailStore.arrivals.values() { await self.lookAtHomes() }
            }
            group.addTask {
                for await _ in self.mailStore.arrivals.values() { await self.lookAtOutbox() }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// A link to this peer is there: what waits there or is to go there need not wait.
    package func linked(_ peer: PeerID) {
        away[peer] = nil
        for key in collectAt.keys where key.second == peer { collectAt[key] = nil }
        isHurried = true
        // A peer that comes and goes all the time has to wait for the next look like others.
        guard hurriedAt.advanced(by: .seconds(1)) <= now || hurriedAt > now else { return }
        hurriedAt = now
        mailStore.arrivals.send()
    }

    /// Everything is looked at anew, as after a sign-in.
    private func hurry() {
        isHurried = true
        mailStore.arrivals.send()
    }

    /// Does once all there is to do now.
    ///
    /// What fails is told to the log and tried again at the next look.
    package func look() async {
        await lookAtMail()
        await lookAtHomes()
        await lookAtMail()
        await lookAtOutbox()
    }

    /// Opens what has come, and owes receipts for it; asks nobody.
    private func lookAtMail() async {
        for account in await accounts.unlocked {
            await attempt("open") { try await self.open(account) }
            await attempt("receipts") { try await self.tellReceipts(account) }
        }
    }

    /// Keeps what others must have of the accounts, and brings what waits for them elsewhere.
    private func lookAtHomes() async {
        if sweepAt <= now {
            sweepAt = now.advanced(by: settings.sweepInterval)
            await attempt("sweep") { try await self.mailStore.sweep(at: self.now) }
        }
        await each(await accounts.unlocked) { account in
            await self.attempt("keys and homes") { try await self.keepHouse(account) }
            await self.attempt("collect") { try await self.collect(account) }
        }
        await findStrangers()
    }

    private func lookAtOutbox() async { await attempt("send") { try await self.send() } }

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

    /// What the account needs to write and read.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock` while it is locked.
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
