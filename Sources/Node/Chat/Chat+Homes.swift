package import Client
import Foundation
import Gossip
package import Keys
import Logging
import Market
import Storage

/// The homes that keep an account's mail, and how others learn of them.
extension Chat {
    /// Returns the account's homes, this node first.
    package func homes(of account: Address) throws -> [Home] {
        try leases(of: account).map { lease in
            let address = lease.addresses.first.map { "\($0)/p2p/\(lease.peer.text)" }
            return Home(
                peer: lease.peer.text,
                address: address ?? "/p2p/\(lease.peer.text)",
                until: lease.until.date,
                isThisNode: lease.peer == exchange.localPeer
            )
        }
    }

    /// Asks another node to be a home of the account, and names it in the account's profile.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`, `peer_unreachable`, `home_refused`.
    package func addHome(_ request: HomeRequest, for account: Address) async throws -> Home {
        let unlocked = try await unlocked(account)
        guard let address = Multiaddr(text: request.address), let peer = address.peer,
            peer != exchange.localPeer
        else {
            throw Refusal(
                .malformedValue,
                "Give another node's address, such as /ip4/10.0.0.3/tcp/4001/p2p/16Uiu2….",
                field: "address"
            )
        }
        guard try leases(of: account).filter({ $0.peer != peer }).count < Profile.homesMax else {
            throw Refusal(
                .homeRefused,
                "An account can have at most \(Profile.homesMax) homes. Remove one first.",
                field: "address"
            )
        }
        do {
            away[peer] = nil
            try await askLease(of: peer, at: [address], unlocked)
        } catch let refusal as MailRefusal {
            throw Refusal(.homeRefused, "The node refused: \(refusal)", field: "address")
        } catch let error as LinkError {
            throw Refusal(
                .peerUnreachable,
                "Cannot reach \(request.address.quoted): \(error).",
                field: "address"
            )
        }
        try await renew(account)
        guard let home = try homes(of: account).first(where: { $0.peer == peer.text }) else {
            throw Refusal(.homeRefused, "The node's lease has ended already.", field: "address")
        }
        let named = try store.read { try $0.profile(of: account)?.profile.homes ?? [] }
        guard named.contains(where: { $0.peer == peer }) else {
            throw Refusal(
                .homeRefused,
                "The profile of an account without a sale can have at most "
                    + "\(OpenLaneRules.byteCountMax) bytes; the addresses of this home do not fit "
                    + "beside the others'. Remove another home first.",
                field: "address"
            )
        }
        return home
    }

    /// Removes a home from the account and from its profile.
    ///
    /// This node collects the mail that waits there once more. The home keeps later mail, from
    /// senders that have not seen the new profile, until its lease ends; nobody collects that mail.
    ///
    /// - Parameters:
    ///   - text: The home's peer id or the beginning of it, or an address that ends with it.
    ///   - account: The account that has the home.
    /// - Throws: ``Refusal`` with `not_found`, `not_allowed` for this node, `ambiguous_id`.
    package func removeHome(_ text: String, of account: Address) async throws {
        let unlocked = try await unlocked(account)
        let peer = text.split(separator: "/").last.map(String.init) ?? ""
        let found = try leases(of: account).filter { !peer.isEmpty && $0.peer.text.hasPrefix(peer) }
        let candidates = found.map { IDResolver.Candidate(id: $0.peer.text, about: "a home") }
        guard let id = try IDResolver.only(candidates, text, field: "id"),
            let lease = found.first(where: { $0.peer.text == id })
        else {
            throw Refusal(.notFound, "This account has no home \(text.quoted).", field: "id")
        }
        guard lease.peer != exchange.localPeer else {
            throw Refusal(
                .notAllowed,
                "This node keeps the mail of its own accounts; it cannot be removed as a home."
            )
        }
        await attempt("fetch mail for the last time") {
            try await self.collect(unlocked, from: lease)
            try await self.open(account)
        }
        _ = try await store.write { try $0.remove(HomeLeases.self, Pair(account, lease.peer)) }
        try await keepProfile(unlocked, without: lease.peer)
    }

    /// Renews the account's certificate, prekeys, leases and profile if they are due.
    func renew(_ account: Address) async throws {
        let unlocked = try await unlocked(account)
        try await keepCertificate(unlocked)
        let bundle = try await keepPrekeys(unlocked)
        try await keepOwnLease(unlocked)
        let soon = now.advanced(by: exchange.settings.lease / 2)
        await each(try otherLeases(of: account).filter { $0.until < soon }) { lease in
            let addresses = lease.addresses.compactMap { Multiaddr(text: $0) }
            await self.attempt("renew a lease") {
                try await self.askLease(of: lease.peer, at: addresses, unlocked)
            }
        }
        try await keepProfile(unlocked)
        await each(try leases(of: account)) { lease in
            if lease.peer != self.exchange.localPeer { await self.hand(bundle, to: lease) }
            await self.tellGrants(unlocked, to: lease)
        }
    }

    /// Returns an account's homes: own leases for an account of this node, else its profile's.
    func homeLeases(of account: Address) throws -> [HomeLease] {
        let isOwn = try store.read { try $0.contains(AccountEntries.self, account) }
        if isOwn { return try leases(of: account) }
        let profile = try store.read { try $0.profile(of: account)?.profile }
        return (profile?.homes ?? []).filter { $0.until > now && $0.isGranted(to: account) }
    }

    /// Returns the leases that an account of this node has at other nodes.
    private func otherLeases(of account: Address) throws -> [HomeLease] {
        try leases(of: account).filter { $0.peer != exchange.localPeer }
    }

    /// Returns the leases that an account of this node has, this node's first.
    ///
    /// They come from the store, and from the profile, into which the account's other nodes put
    /// theirs.
    private func leases(of account: Address) throws -> [HomeLease] {
        var known: [HomeLease] = []
        try store.read { transaction in
            try transaction.scan(HomeLeases.self, .prefix(account)) { _, bytes in
                if let lease = HomeLease(bytes: bytes) { known.append(lease) }
                return true
            }
            known += try transaction.profile(of: account)?.profile.homes ?? []
        }
        var latest: [PeerID: HomeLease] = [:]
        for lease in known where lease.until > now {
            if let other = latest[lease.peer], other.until >= lease.until { continue }
            if lease.isGranted(to: account) { latest[lease.peer] = lease }
        }
        let own = exchange.localPeer
        return latest.values.sorted {
            $0.peer != $1.peer && ($0.peer == own || ($1.peer != own && $0.peer < $1.peer))
        }
    }

    /// Returns the homes to name in a profile: those it names and that still last, then others.
    ///
    /// Nodes of one account that know different homes thus arrive at the same list and leave it
    /// alone.
    private func homes(after known: [HomeLease], _ leases: [HomeLease]) -> [HomeLease] {
        let kept = known.compactMap { old in leases.first { $0.peer == old.peer } }
        let added = leases.filter { lease in !kept.contains { $0.peer == lease.peer } }
        return Array((kept + added).prefix(Profile.homesMax))
    }

    private func keepOwnLease(_ unlocked: UnlockedAccount) async throws {
        let fresh = try await exchange.ownLease(for: unlocked.account)
        let held = try leases(of: unlocked.account).first { $0.peer == exchange.localPeer }
        let soon = now.advanced(by: exchange.settings.lease / 2)
        if let held, held.addresses == fresh.addresses, held.until > soon { return }
        try await mailStore.keep(fresh, of: unlocked.account)
    }

    private func askLease(
        of peer: PeerID,
        at addresses: [Multiaddr],
        _ unlocked: UnlockedAccount
    ) async throws {
        let lease = try await asking(
            peer,
            at: addresses,
            own: true,
            within: settings.requestTimeMax
        ) {
            [exchange] in try await exchange.askLease(of: peer, by: unlocked.key)
        }
        try await mailStore.keep(lease, of: unlocked.account)
    }

    /// Publishes the profile if the account's homes have changed, or before the network forgets it.
    private func keepProfile(_ unlocked: UnlockedAccount, without gone: PeerID? = nil) async throws
    {
        let known = try store.read { try $0.profile(of: unlocked.account) }
        let homes = homes(after: known?.profile.homes ?? [], try leases(of: unlocked.account))
            .filter { $0.peer != gone }
        let name = try await accounts.account(unlocked.account).name
        let profile = try fitting(homes, of: unlocked.account) { homes in
            try Profile(
                name: known?.profile.name ?? name,
                about: known?.profile.about ?? "",
                avatar: known?.profile.avatar,
                region: known?.profile.region ?? "",
                homes: homes
            )
        }
        if let known, known.profile.homes == profile.homes, isFresh(known.record) { return }
        _ = try await recordService.publish(.profile(profile), by: unlocked.key)
        for key in published.keys where key.first == unlocked.account { published[key] = nil }
    }

    /// Returns a profile that names as many of these homes as the network accepts of the account.
    private func fitting(
        _ homes: [HomeLease],
        of account: Address,
        _ make: ([HomeLease]) throws -> Profile
    ) throws -> Profile {
        for count in (1...max(homes.count, 1)).reversed() {
            let profile = try make(Array(homes.prefix(count)))
            if recordService.admits(.profile(profile), by: account) { return profile }
        }
        return try make([])
    }

    /// Gives a home the bundle, and the records that show which account it belongs to.
    private func hand(_ bundle: PrekeyBundle, to lease: HomeLease) async {
        let key = Pair(bundle.account, lease.peer)
        if published[key] == bundle.createdAt { return }
        do {
            let records = try await mailStore.keys(of: bundle.account).records
            try await asking(lease, own: true, within: settings.requestTimeMax) { [exchange] in
                try await exchange.publish(bundle, records: records, at: lease.peer)
            }
            published[key] = bundle.createdAt
        } catch {
            logger.debug(
                "home has not taken the prekeys",
                metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
            )
        }
    }
}
