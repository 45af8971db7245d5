import Client
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
    struct Holder: Sendable {
        let account: Address
        let key: PrivateKey
        let device: PrivateKey
        let seal: LocalSeal

        /// The device's name in mail.
        var slot: Bytes32 { DeviceCertificate.slot(of: device.publicKey) }
    }

    let store: Store
    let accounts: Accounts
    let events: EventLog
    let desk: RecordDesk
    let exchange: MailExchange
    let room: StoredMailRoom
    let view: any ChainView & Sendable
    let settings: ChatSettings
    let clock: any NodeClock
    let logger: Logger

    /// Homes that did not answer, and until when they are left alone.
    var away: [PeerID: Timestamp] = [:]
    /// When an account's mail is collected next at a home.
    var collectAt: [Pair<Address, PeerID>: Timestamp] = [:]
    /// Bundles that a home has taken, by when they were made.
    var published: [Pair<Address, PeerID>: Timestamp] = [:]
    /// Bundles of accounts that others keep mail for, and until when they are used.
    var foreignKeys: [Address: (bundles: [PrekeyBundle], until: Timestamp)] = [:]
    /// Envelopes whose sender is not proved yet: how often looked at, and when again.
    var doubts: [Bytes32: (tries: Int, next: Timestamp)] = [:]
    /// When what has expired is forgotten next.
    private var sweepAt = Timestamp(milliseconds: 0)
    /// Whether everything in the outbox is due, for something has changed.
    var isHurried = true

    /// Looks after the accounts' mail over `exchange`, whose mail and leases are kept in `room`.
    ///
    /// By `view`, what this node's chain shows as final, records of accounts that have a sale are
    /// made anew, so that they are kept for long.
    package init(
        store: Store,
        accounts: Accounts,
        events: EventLog,
        desk: RecordDesk,
        exchange: MailExchange,
        room: StoredMailRoom,
        view: any ChainView & Sendable,
        settings: ChatSettings,
        clock: any NodeClock = SystemClock(),
        logger: Logger
    ) {
        self.store = store
        self.accounts = accounts
        self.events = events
        self.desk = desk
        self.exchange = exchange
        self.room = room
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
                for await _ in self.accounts.unlockRings() { await self.hurry() }
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: self.settings.lookInterval)
                    self.room.arrivals.ring()
                }
            }
            group.addTask {
                for await _ in self.room.arrivals.rings() { await self.look() }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// A link to this peer is there: what waits there or is to go there need not wait.
    package func linked(_ peer: PeerID) {
        away[peer] = nil
        for key in collectAt.keys where key.second == peer { collectAt[key] = nil }
        hurry()
    }

    /// Everything is looked at anew, as after a sign-in.
    private func hurry() {
        isHurried = true
        room.arrivals.ring()
    }

    /// Does once all there is to do now.
    ///
    /// What fails is told to the log and tried again at the next look.
    package func look() async {
        if sweepAt <= now {
            sweepAt = now.advanced(by: settings.sweepInterval)
            await attempt("sweep") { try await self.room.sweep(at: self.now) }
        }
        let unlocked = await accounts.unlocked
        for account in unlocked {
            await attempt("open") { try await self.open(account) }
        }
        for account in unlocked {
            await attempt("keys and homes") { try await self.keepHouse(account) }
            await attempt("collect") { try await self.collect(account) }
            await attempt("open") { try await self.open(account) }
            await attempt("receipts") { try await self.tellReceipts(account) }
        }
        await attempt("send") { try await self.send() }
    }

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
    func holder(_ account: Address) async throws -> Holder {
        guard let key = await accounts.key(of: account),
            let secret = await accounts.localSecret(of: account)
        else { throw Refusal(.nodeLocked, "Sign in to \(account) first.") }
        let seal = LocalSeal(secret)
        let device = try await device(of: account, seal)
        return Holder(account: account, key: key, device: device, seal: seal)
    }
}
