import AccountAccess
import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Storage

/// Finds the keys of the devices that receive a message, and seals it to them.
extension MailSender {
    /// Seals one envelope for every device that receives the message; none until keys are known.
    func copies(
        of outgoing: OutgoingMail,
        _ item: Item,
        _ unlocked: UnlockedAccount,
        _ batch: inout Batch
    ) async throws -> [OutgoingMail.Copy] {
        let bytes = try unlocked.seal.open(outgoing.mail, for: .outgoing(item.name.id))
        let mail = try SignedMail(bytes)
        var copies: [OutgoingMail.Copy] = []
        for account in [outgoing.recipient, unlocked.account] {
            let isOwn = account == unlocked.account
            let grant: [UInt8]? =
                isOwn
                ? unlocked.grant(for: account).bytes
                : try store.read {
                    try $0.contact(account, of: unlocked)?.grant.map { [UInt8]($0) }
                }
            if batch.bundles[account] == nil {
                batch.bundles[account] = try await prekeyBundles(of: account)
            }
            for bundle in batch.bundles[account] ?? []
            where bundle.device != mail.message.device {
                // Former devices need no copy of messages sent from this node.
                guard !isOwn || !unlocked.former.contains(where: { $0.publicKey == bundle.device }),
                    let key = bundle.key(at: now)
                else { continue }
                let header = MailEnvelope.Header(
                    recipient: account,
                    device: DeviceCertificate.slot(of: bundle.device),
                    prekey: key.id,
                    expiresAt: item.entry.expiresAt
                )
                let envelope = try MailEnvelope.seal(mail, under: header, to: key.key)
                copies.append(
                    OutgoingMail.Copy(
                        account: account,
                        envelope: envelope.bytes,
                        grant: grant
                    )
                )
            }
            // Nothing is sent to the sender's own devices alone.
            if copies.isEmpty { return [] }
        }
        return copies
    }

    /// Returns the prekey bundles of the account's devices, from here or from its homes.
    private func prekeyBundles(of account: Address) async throws -> [PrekeyBundle] {
        let kept = try store.read { try $0.prekeyBundles(of: account) }
        if !kept.isEmpty { return try certified(kept.map(\.bytes), of: account) }
        if let known = bundles.value(of: account, at: now) { return known }
        var homes = try otherHomes(of: account)
        if homes.isEmpty {
            await client.lookUp(account)
            homes = try otherHomes(of: account)
        }
        let found = await withTaskGroup(of: [PrekeyBundle].self) { group in
            for lease in homes {
                group.addTask { await self.prekeyBundles(of: account, from: lease) }
            }
            for await bundles in group where !bundles.isEmpty {
                group.cancelAll()
                return bundles
            }
            return []
        }
        if found.isEmpty { return [] }
        bundles.put(found, for: account, until: now.advanced(by: settings.bundleCacheTime), at: now)
        return found
    }

    /// Returns an account's homes but this node.
    private func otherHomes(of account: Address) throws -> [HomeLease] {
        try directory.homeLeases(of: account).filter { $0.peer != exchange.localPeer }
    }

    private func prekeyBundles(of account: Address, from lease: HomeLease) async -> [PrekeyBundle] {
        do {
            let found = try await client.request(lease, own: false, within: settings.requestTimeMax)
            {
                [exchange] in try await exchange.keys(of: account, from: lease.peer)
            }
            await client.take(found.records, of: account, from: lease.peer)
            return try certified(found.bundles, of: account)
        } catch {
            logger.debug(
                "home gives no keys",
                metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
            )
            return []
        }
    }

    /// Returns the bundles that belong to the account's certified devices on this network.
    private func certified(_ bundles: [[UInt8]], of account: Address) throws -> [PrekeyBundle] {
        let devices = Set(try store.read { try $0.devices(of: account) }.map(\.key))
        // A bundle that a home made up counts as missing, and one that mail cannot be sealed to.
        return bundles.compactMap { try? PrekeyBundle($0) }.filter {
            $0.account == account && devices.contains($0.device)
                && $0.network.utf8.elementsEqual(settings.network.utf8)
        }
    }
}
