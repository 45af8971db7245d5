import AccountAccess
import Answers
import Client
import Concurrency
import Foundation
import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Setup
import Storage

/// Sends the homes of accounts their prekeys, and the grants of their contacts.
actor HomePublisher {
    private let store: Store
    private let exchange: MailExchange
    private let mailStore: LMDBMailStore
    private let client: MailClient
    private let events: AccountEventLog
    private let settings: ChatSettings
    private let clock: any WallClock
    private let logger: Logger
    private let errors: LoopErrors
    private var publications: HomePublications

    private nonisolated var now: Timestamp { clock.timestamp }

    init(_ context: MailContext, client: MailClient) {
        (store, exchange, mailStore) = (context.store, context.exchange, context.mailStore)
        (self.client, events, settings) = (client, context.events, context.settings)
        (clock, logger, errors) = (context.clock, context.logger, context.errors)
        publications = HomePublications(context.settings)
    }

    /// Makes the grants of an account due at its homes.
    func grantsChanged(of account: Address) { publications.grantsChanged(of: account) }

    /// Has the account's records sent to its homes again.
    func recordsChanged(of account: Address) { publications.profilePublished(of: account) }

    /// Sends a home the bundle, and the records that show which account it belongs to.
    func publish(_ bundle: PrekeyBundle, at lease: HomeLease) async {
        let key = AccountHome(account: bundle.account, home: lease.peer)
        guard publications.needsBundle(createdAt: bundle.createdAt, at: key) else { return }
        do {
            let records = try await mailStore.keys(of: bundle.account).records
            try await client.request(lease, own: true, within: settings.requestTimeMax) {
                [exchange] in
                try await exchange.publish(bundle, records: records, at: lease.peer)
            }
            publications.bundleTaken(createdAt: bundle.createdAt, at: key)
        } catch {
            logger.debug(
                "home has not taken the prekeys",
                metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
            )
        }
    }

    /// Tells a home which grants of the account's device are valid, unless it knows already.
    ///
    /// If a home refuses, the grants are sent again when they change, or after a while. If it
    /// refuses because there are too many, the account gets an event.
    func sendGrants(_ unlocked: UnlockedAccount, to lease: HomeLease) async {
        let key = AccountHome(account: unlocked.account, home: lease.peer)
        guard publications.takeGrants(for: key, at: now) else { return }
        do {
            let ended = try store.read { try $0.blockedContacts(of: unlocked) }
                .prefix(exchange.settings.limits.endedGrantsMax)
                .map { unlocked.grant(for: try Address(text: $0.with)).id }
            let (account, device, secret) = (
                unlocked.account, unlocked.device, unlocked.grantSecret
            )
            try await client.request(lease, own: true, within: settings.requestTimeMax) {
                [exchange] in
                try await exchange.sendGrants(
                    secret,
                    ended: ended,
                    of: account,
                    device: device,
                    to: lease.peer
                )
            }
        } catch MailRefusal.tooManyGrants {
            await errors.item("report refused grants") {
                try await self.reportRefusedGrants(of: unlocked.account, by: lease.peer)
            }
        } catch {
            publications.grantsFailed(for: key, isRefused: error is MailRefusal, at: now)
            logger.debug(
                "home has not taken the grants",
                metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
            )
        }
    }

    /// Reports to the account that a home still treats blocked accounts as known senders.
    private func reportRefusedGrants(of account: Address, by home: PeerID) async throws {
        logger.warning(
            "a home does not remember so many blocked accounts",
            metadata: ["home": "\(home.text)", "account": "\(account)"]
        )
        try await events.record(
            "grants_refused",
            subject: account.text,
            data: ["home": home.text, "reason": MailRefusal.tooManyGrants.name],
            for: account
        )
    }
}
