import AccountAccess
import Answers
package import Client
import Concurrency
import Foundation
import Gossip
import GossipProtocol
package import Keys
import Logging
import Market
import Records
import Setup
import Storage

/// Maintains the homes of this node's accounts, and collects their mail there.
///
/// It renews leases and keys, and has profiles published and homes informed.
package actor HomeService {
    private let store: Store
    private let accounts: Accounts
    private let exchange: MailExchange
    private let mailStore: LMDBMailStore
    private let keyring: Keyring
    private let directory: HomeDirectory
    private let client: MailClient
    private let settings: ChatSettings
    private let clock: any WallClock
    private let logger: Logger
    private let errors: LoopErrors
    private let receiver: MailReceiver
    private let profiles: ProfilePublisher
    private let publisher: HomePublisher
    private let vaults: VaultExchanger
    private let keys: DeviceKeys
    private var collection: MailCollection
    /// Leases that were renewed not long ago, however soon they end.
    private var renewedLeases = ExpiringTable<AccountHome, Void>(entriesMax: 10_000)

    private nonisolated var now: Timestamp { clock.timestamp }

    init(
        _ context: MailContext,
        client: MailClient,
        receiver: MailReceiver,
        profiles: ProfilePublisher,
        publisher: HomePublisher,
        vaults: VaultExchanger
    ) {
        (store, accounts, exchange) = (context.store, context.accounts, context.exchange)
        (mailStore, keyring) = (context.mailStore, context.keyring)
        directory = context.directory
        (self.client, self.receiver) = (client, receiver)
        (self.profiles, self.publisher, self.vaults) = (profiles, publisher, vaults)
        (settings, clock) = (context.settings, context.clock)
        (logger, errors) = (context.logger, context.errors)
        keys = DeviceKeys(context)
        collection = MailCollection(context.settings)
    }

    /// Makes mail that waits at a newly linked peer due.
    func linked(_ peer: PeerID) { collection.linked(peer) }

    /// Renews everything due for each signed-in account, collects its mail, and removes expired
    /// mail.
    func runPass() async {
        if collection.takeSweep(at: now) {
            await errors.item("remove expired mail") {
                try await self.mailStore.sweep(at: self.now)
            }
        }
        await forEach(await accounts.unlocked, atOnce: settings.concurrentMax) { account in
            await self.errors.item("renew keys and homes") { try await self.renew(account) }
            await self.errors.item("collect") { try await self.collect(account) }
            await self.errors.item("exchange vaults") {
                try await self.vaults.exchangeDue(of: account)
            }
        }
        let unlocked = Set(await accounts.unlocked)
        for account in await accounts.accounts(allowing: .deliver)
        where !unlocked.contains(account) {
            await errors.item("renew what buyers need") { try await self.renewForBuyers(account) }
        }
    }

    /// Returns the account's homes, this node first.
    package func all(of account: Address) throws -> [Home] {
        try directory.homes(of: account).leases.map { lease in
            let address = lease.addresses.first.map { "\($0)/p2p/\(lease.peer.text)" }
            return Home(
                peer: lease.peer.text,
                address: address ?? "/p2p/\(lease.peer.text)",
                until: lease.until.date,
                isThisNode: lease.peer == exchange.localPeer
            )
        }
    }

    /// Returns the peer id in a node's address.
    ///
    /// - Parameter address: A multiaddr.
    /// - Returns: The id; `nil` if it is not an address of a node.
    package static func peer(in address: String) -> String? {
        Multiaddr(text: address)?.peer?.text
    }

    /// Returns the peer id, or a prefix of one, by which a person names a home.
    ///
    /// - Parameter text: The id, a prefix of it, or an address that ends with it.
    /// - Returns: The id or a prefix of it; empty if the text has none.
    package static func peerID(of text: String) -> String {
        let last = text.split(separator: "/").last.map(String.init) ?? ""
        // A table on a narrow screen ends a long id so.
        return last.hasSuffix("…") ? String(last.dropLast()) : last
    }

    /// Asks another node to be a home of the account, and names it in the account's profile.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`, `peer_unreachable`, `home_refused`.
    package func add(_ request: HomeRequest, for account: Address) async throws -> Home {
        let unlocked = try await keyring.unlockedAccount(account)
        guard let address = Multiaddr(text: request.address), let peer = address.peer,
            peer != exchange.localPeer
        else {
            throw Refusal(.malformedValue, Sentence("refusal.homeAddress"), field: "address")
        }
        guard
            try directory.homes(of: account).leases.filter({ $0.peer != peer }).count
                < Profile.homesMax
        else {
            throw Refusal(
                .homeRefused,
                Sentence("refusal.homesFull", ["most": "\(Profile.homesMax)"]),
                field: "address"
            )
        }
        await client.linked(peer)
        do {
            try await requestLease(of: peer, at: [address], unlocked, own: false)
        } catch {
            throw Self.refusal(of: error, at: address, request.address)
        }
        try await renew(account)
        guard let home = try all(of: account).first(where: { $0.peer == peer.text }) else {
            throw Refusal(.homeRefused, Sentence("refusal.leaseEnded"), field: "address")
        }
        // No profile is published until the account's own is found; then it names this home.
        guard try await !profiles.isAwaiting(account) else { return home }
        let named = try store.read { try $0.profile(of: account)?.profile.homes ?? [] }
        guard named.contains(where: { $0.peer == peer }) else {
            throw Refusal(
                .homeRefused,
                Sentence("refusal.homesLong", ["most": "\(OpenLaneRules.byteCountMax)"]),
                field: "address"
            )
        }
        return home
    }

    /// Returns the error to a caller whose request for a lease failed.
    private static func refusal(
        of error: any Error,
        at address: Multiaddr,
        _ text: String
    ) -> any Error {
        switch error {
        case let refusal as MailRefusal:
            return Refusal(
                .homeRefused,
                Sentence("refusal.homeRefused"),
                refusal.reason,
                field: "address"
            )
        case let fault as MailAnswerFault:
            return Refusal(
                .homeRefused,
                Sentence("refusal.noHome"),
                fault.reason,
                Sentence("refusal.otherHome"),
                field: "address"
            )
        case let error as LinkError:
            let unreachable = Sentence("refusal.peerUnreachable", ["address": text.quoted])
            var reason = [unreachable, error.reason]
            if address.reach != .world { reason.append(Sentence("refusal.nearbyHome")) }
            return Refusal(.peerUnreachable, reason, field: "address")
        default: return error
        }
    }

    /// Removes a home from the account and from its profile.
    ///
    /// This node collects the mail that waits there once more. The home keeps later mail, from
    /// senders that have not seen the new profile, until its lease ends, but no one collects it.
    ///
    /// - Parameters:
    ///   - text: The home's peer id or a prefix of it, or an address that ends with it.
    ///   - account: The account that has the home.
    /// - Throws: ``Refusal`` with `not_found`, `not_allowed` for this node, `ambiguous_id`.
    package func remove(_ text: String, of account: Address) async throws {
        let unlocked = try await keyring.unlockedAccount(account)
        let peer = Self.peerID(of: text)
        let found = try directory.homes(of: account).leases
            .filter { !peer.isEmpty && $0.peer.text.hasPrefix(peer) }
        let candidates = found.map { lease in
            let id = lease.peer.text
            return NamedID(id: id, Sentence("match.home", ["id": id]))
        }
        guard let id = try NamedID.only(candidates, text, field: "id"),
            let lease = found.first(where: { $0.peer.text == id })
        else {
            throw Refusal(
                .notFound,
                Sentence("refusal.noHomeNamed", ["home": text.quoted]),
                field: "id"
            )
        }
        guard lease.peer != exchange.localPeer else {
            throw Refusal(.notAllowed, Sentence("refusal.ownHome"))
        }
        for reader in unlocked.readers {
            await errors.item("collect for the last time") {
                try await self.collect(reader, from: lease)
            }
        }
        await errors.item("open the last mail") { try await self.receiver.open(account) }
        _ = try await store.write {
            try $0.remove(HomeLeases.self, CompositeKey(account, lease.peer))
        }
        try await profiles.renew(unlocked, without: lease.peer)
    }

    /// Renews the account's certificate, prekeys, leases and profile if they are due.
    private func renew(_ account: Address) async throws {
        let unlocked = try await keyring.unlockedAccount(account)
        try await keys.renewCertificate(unlocked)
        let bundle = try await keys.renewPrekeys(unlocked)
        try await keys.expireFormerPrekeys(unlocked)
        try await renewOwnLease(unlocked)
        let soon = now.advanced(by: exchange.settings.lease / 2)
        let ending = try directory.otherHomes(of: account).filter { lease in
            let key = AccountHome(account: account, home: lease.peer)
            return lease.until < soon && !renewedLeases.contains(key, at: now)
        }
        await forEach(ending, atOnce: settings.concurrentMax) { lease in
            let addresses = lease.addresses.compactMap { Multiaddr(text: $0) }
            await self.errors.item("renew a lease") {
                try await self.requestLease(of: lease.peer, at: addresses, unlocked)
            }
        }
        try await profiles.renew(unlocked)
        await forEach(try directory.homes(of: account).leases, atOnce: settings.concurrentMax) {
            lease in
            if lease.peer != self.exchange.localPeer {
                await self.publisher.publish(bundle, at: lease)
            }
            await self.publisher.sendGrants(unlocked, to: lease)
        }
    }

    /// Renews the records by which buyers reach this node for an account that has left the delivery
    /// of its works to it.
    private func renewForBuyers(_ account: Address) async throws {
        let courier = try await keyring.courier(of: account)
        // An account that is signed in renews all.
        guard courier.isLeftAlone else { return }
        try await keys.renewCertificate(courier)
        try await renewOwnLease(courier)
        try await profiles.renew(courier)
    }

    private func renewOwnLease(_ unlocked: UnlockedAccount) async throws {
        let fresh = try await exchange.ownLease(for: unlocked.account)
        let held = try directory.homes(of: unlocked.account).leases.first {
            $0.peer == exchange.localPeer
        }
        let soon = now.advanced(by: exchange.settings.lease / 2)
        if let held, held.addresses == fresh.addresses, held.until > soon { return }
        try await mailStore.keep(fresh, of: unlocked.account)
    }

    private func requestLease(
        of peer: PeerID,
        at addresses: [Multiaddr],
        _ unlocked: UnlockedAccount,
        own isOwn: Bool = true
    ) async throws {
        let lease = try await client.request(
            peer,
            at: addresses,
            own: isOwn,
            within: settings.requestTimeMax
        ) { [exchange] in
            try await exchange.askLease(of: peer, by: unlocked.key)
        }
        renewedLeases.insert(
            AccountHome(account: unlocked.account, home: peer),
            until: now.advanced(by: settings.leaseRenewalInterval),
            at: now
        )
        guard lease.until >= now.advanced(by: settings.leaseMin) else {
            throw MailAnswerFault.leaseTooShort
        }
        try await mailStore.keep(lease, of: unlocked.account)
    }

    /// Collects the mail that waits at the account's other homes, from each home when it is due.
    private func collect(_ account: Address) async throws {
        let unlocked = try await keyring.unlockedAccount(account)
        let due = collection.takeDue(
            of: account,
            at: try directory.otherHomes(of: account),
            now: now
        )
        await forEach(due, atOnce: settings.concurrentMax) { lease in
            for reader in unlocked.readers {
                do { try await self.collect(reader, from: lease) } catch {
                    // A former device that the home no longer knows delays no other one.
                    self.logger.debug(
                        "nothing collected",
                        metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
                    )
                    guard error is MailRefusal else { return }
                }
            }
        }
    }

    private func collect(_ unlocked: UnlockedAccount, from lease: HomeLease) async throws {
        let (account, device, slot) = (unlocked.account, unlocked.device, unlocked.slot)
        try await client.request(lease, own: true, within: settings.collectionTimeMax) {
            [exchange, mailStore, clock, keys, receiver] in
            _ = try await exchange.collect(account, device: device, from: lease.peer) { entry in
                let header = entry.envelope.header
                guard header.recipient == account, header.device == slot else { return false }
                guard try keys.prekey(header.prekey, unlocked) != nil else {
                    // Mail that no key opens takes no room here, not even for a moment.
                    await receiver.count(.unopened, of: account)
                    return true
                }
                let from = MailOrigin.name(of: lease.peer)
                let refusal = try await mailStore.deposit(
                    entry.envelope,
                    as: entry.origin == nil ? .contact(grant: from) : .stranger,
                    from: entry.origin ?? from,
                    at: clock.timestamp
                )
                return refusal == nil || refusal == .wrongExpiry
            }
        }
    }
}
