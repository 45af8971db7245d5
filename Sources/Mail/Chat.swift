package import AccountAccess
import Answers
package import Concurrency
import Foundation
package import Gossip
package import Keys
package import Logging
package import Market
package import Records
package import Storage

/// Sealed messages between accounts: the functions for the API, and the actors that move the mail.
///
/// Work that needs an account's key happens while the account is signed in. While it is not, this
/// node still stores mail for it and sends on mail that is already sealed. It writes the keys of
/// works for an account that has left their delivery to it.
///
/// This type is stateless; each actor has its own state, in pure structs that only it can reach.
///
/// Source: Docs/protocol.md, section 10.
package struct Chat: Sendable {
    let context: MailContext
    /// The homes of the accounts.
    package let homes: HomeService
    /// The profiles of the accounts.
    package let profilePublisher: ProfilePublisher
    let homePublisher: HomePublisher
    let client: MailClient
    private let receiver: MailReceiver
    private let sender: MailSender
    /// The vaults of the accounts.
    package let vault: Vault
    package let vaultExchanger: VaultExchanger
    let follower: VaultFollower

    /// Handles the accounts' mail over `exchange`; `mailStore` holds the mail and the leases.
    ///
    /// `view` is the final state on this node's chain. If it shows an account as a party to a sale,
    /// the account's records are published again, so that they are kept for long.
    package init(
        store: Store,
        accounts: Accounts,
        events: AccountEventLog,
        recordService: RecordService,
        exchange: MailExchange,
        mailStore: LMDBMailStore,
        view: any ChainView & Sendable,
        settings: ChatSettings,
        clock: any WallClock,
        uptime: any MonotonicClock,
        logger: Logger
    ) {
        context = MailContext(
            store: store,
            accounts: accounts,
            events: events,
            recordService: recordService,
            exchange: exchange,
            mailStore: mailStore,
            view: view,
            settings: settings,
            clock: clock,
            uptime: uptime,
            logger: logger,
            errors: LoopErrors("homes", logger: logger, clock: uptime),
            signals: MailSignals(arrivals: mailStore.arrivals)
        )
        client = MailClient(context)
        receiver = MailReceiver(context.forLoop("received-mail"), client: client)
        homePublisher = HomePublisher(context, client: client)
        profilePublisher = ProfilePublisher(context, client: client, publisher: homePublisher)
        vaultExchanger = VaultExchanger(context, client: client)
        homes = HomeService(
            context,
            client: client,
            receiver: receiver,
            profiles: profilePublisher,
            publisher: homePublisher,
            vaults: vaultExchanger
        )
        sender = MailSender(context.forLoop("sent-mail"), client: client)
        vault = Vault(context, publisher: homePublisher, exchanger: vaultExchanger)
        follower = VaultFollower(context, vault: vault)
    }

    /// The store, which has the mail beside other data written with it.
    package var store: Store { context.store }

    /// The clock of mail.
    package var now: Timestamp { context.clock.timestamp }

    /// Whether no other node is linked to this one.
    package var isAlone: Bool { get async { await context.exchange.links.links().isEmpty } }

    /// Returns the keys with which an account writes and reads.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock` while the account is locked, `signs_elsewhere` if
    ///   its key is not on this node.
    package func unlockedAccount(_ account: Address) async throws -> UnlockedAccount {
        try await context.keyring.unlockedAccount(account)
    }

    /// Returns the keys with which an account's works are delivered, also while nobody is signed in
    /// if the account has left that to the node.
    ///
    /// - Throws: As ``unlockedAccount(_:)``.
    package func courier(of account: Address) async throws -> UnlockedAccount {
        try await context.keyring.courier(of: account)
    }

    /// Links to the other homes of accounts, as far as they can be reached.
    ///
    /// All at once, so that homes that do not answer take the time of one request.
    package func reachHomes(of accounts: [Address]) async {
        let leases = accounts.flatMap { (try? context.directory.homeLeases(of: $0)) ?? [] }
            .filter { $0.peer != context.exchange.localPeer }
        await forEach(leases, atOnce: leases.count) { lease in
            let limit = context.settings.requestTimeMax
            try? await client.request(lease, own: false, within: limit) {}
        }
    }

    /// Handles the mail of the node's accounts until cancelled.
    package func run() async throws {
        let signals = context.signals
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await _ in context.accounts.unlockings() {
                    await sender.makeAllDue()
                    signals.sendAll()
                }
            }
            group.addTask {
                while true {
                    try await context.uptime.wait(context.settings.pollInterval)
                    signals.sendAll()
                }
            }
            // Separate tasks, so that a home that does not answer delays nothing else.
            group.addTask {
                for await _ in signals.incoming.values() { await receiver.runPass() }
            }
            group.addTask {
                for await _ in signals.homes.values() { await runHomesPass() }
            }
            group.addTask { await sender.run(at: signals.outgoing.values()) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Records a new link to `peer`: mail that waits there or is meant for it is due at once.
    package func linked(_ peer: PeerID) async {
        await client.linked(peer)
        await homes.linked(peer)
        await vaultExchanger.linked(peer)
        guard await sender.linked() else { return }
        context.signals.outgoing.send()
        context.signals.homes.send()
    }

    /// Does all work that is due now, once.
    ///
    /// Failures are logged, and the next pass tries again.
    package func runOnce() async {
        await receiver.runPass()
        await runHomesPass()
        await receiver.runPass()
        await sender.runPass()
    }

    private func runHomesPass() async {
        await homes.runPass()
        await follower.runPass()
        await receiver.findSenders()
    }
}
