import Concurrency
import Foundation
import Keys
import Market
import Storage

/// A prekey as this node stores it for its account; only the private half is sealed.
struct StoredPrekey: Codable, Sendable {
    let madeAt: Date
    let validUntil: Date
    let isLastResort: Bool
    let seed: Data

    init(stored bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(StoredPrekey.self, from: Data(bytes))
    }

    init(madeAt: Date, validUntil: Date, isLastResort: Bool, seed: [UInt8]) {
        (self.madeAt, self.validUntil) = (madeAt, validUntil)
        (self.isLastResort, self.seed) = (isLastResort, Data(seed))
    }

    func bytes() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }
}

/// The keys with which an account's device on this node writes and is written to.
extension Chat {
    /// Returns the name of the setting that holds the account's device key, sealed.
    static func deviceSetting(of account: Address) -> String { "chat-device \(account)" }

    /// Returns the key of the account's device on this node, and creates it at first use.
    func device(of account: Address, _ seal: LocalSeal) async throws -> PrivateKey {
        let name = Self.deviceSetting(of: account)
        if let sealed = try store.read({ try $0.get(Settings.self, name) }) {
            return try Self.device(sealed, seal)
        }
        let fresh = PrivateKey.random()
        let secret = unsafe fresh.withBytes { unsafe SecretBytes(copying: $0) }
        let sealed = try seal.seal(secret, for: .device)
        let kept = try await store.write { transaction in
            if let kept = try transaction.get(Settings.self, name) { return kept }
            try transaction.put(Settings.self, name, sealed)
            return sealed
        }
        return try Self.device(kept, seal)
    }

    /// Publishes the device's certificate, and again before the open lane forgets it.
    func keepCertificate(_ unlocked: UnlockedAccount) async throws {
        let place = RecordKey(author: unlocked.account, kind: .device, slot: unlocked.slot)
        if let stored = try store.read({ try $0.record(in: place) }) {
            // A device that its account has revoked stays revoked. A record that today's rules
            // refuse is replaced.
            if let record = stored.readable(), record.isWithdrawal || isFresh(stored) { return }
        }
        let certificate = try DeviceCertificate(
            key: unlocked.device.publicKey,
            name: settings.deviceName
        )
        _ = try await recordService.publish(.device(certificate), by: unlocked.key)
    }

    /// Creates prekeys that are due, deletes old private halves, and renews the bundle.
    ///
    /// - Returns: The current bundle.
    /// - Throws: ``Refusal`` with `needs_unlock` if the account was removed in the meantime.
    func keepPrekeys(_ unlocked: UnlockedAccount) async throws -> PrekeyBundle {
        let prefix = Pair(unlocked.account, unlocked.slot)
        var held: [(id: UInt32, prekey: StoredPrekey)] = []
        try store.read { transaction in
            try transaction.scan(Prekeys.self, .prefix(prefix)) { key, bytes in
                held.append((key.second, try StoredPrekey(stored: bytes)))
                return true
            }
        }
        let time = now
        let dead = held.filter {
            Timestamp($0.prekey.validUntil).advanced(by: settings.privateHalfLife) <= time
        }
        let fresh =
            try fresh(after: held, isLastResort: false, settings.prekeyRotation, unlocked)
            + fresh(after: held, isLastResort: true, settings.lastResortRotation, unlocked)
        if !dead.isEmpty || !fresh.isEmpty {
            try await store.write { transaction in
                guard try transaction.contains(AccountEntries.self, unlocked.account) else {
                    throw Self.locked(unlocked.account)
                }
                for (id, _) in dead { try transaction.remove(Prekeys.self, Pair(prefix, id)) }
                for made in fresh {
                    try transaction.put(Prekeys.self, Pair(prefix, made.key.id), made.stored)
                }
            }
        }
        let known = try store.read { try $0.prekeyBundles(of: unlocked.account) }
            .first { $0.device == unlocked.slot }
        if fresh.isEmpty, let known { return try PrekeyBundle(known.bytes) }
        return try await renewBundle(unlocked, fresh.map(\.key), held)
    }

    /// Returns a prekey with its private half, or `nil` if it was deleted or never existed.
    func prekey(_ id: UInt32, _ unlocked: UnlockedAccount) throws -> Prekey? {
        let key = Pair(Pair(unlocked.account, unlocked.slot), id)
        guard let bytes = try store.read({ try $0.get(Prekeys.self, key) }) else { return nil }
        return try Self.prekey(id, StoredPrekey(stored: bytes), unlocked)
    }

    /// Returns whether an account's own record need not be published again yet.
    ///
    /// Open records are forgotten after a week and are not exchanged. Once the account is a party
    /// to a sale, a new version is anchored.
    func isFresh(_ record: StoredRecord) -> Bool {
        if record.lane == .anchored { return true }
        if view.isParty(record.version.key.author) { return false }
        return record.version.createdAt.advanced(by: settings.recordRenewal) > now
    }

    private func fresh(
        after held: [(id: UInt32, prekey: StoredPrekey)],
        isLastResort: Bool,
        _ rotation: Duration,
        _ unlocked: UnlockedAccount
    ) throws -> [(key: PrekeyBundle.Key, stored: [UInt8])] {
        let newest = held.filter { $0.prekey.isLastResort == isLastResort }
            .map { Timestamp($0.prekey.madeAt) }.max()
        if let newest, newest.advanced(by: rotation) > now { return [] }
        let prekey = Prekey.random()
        // Random, so that keys made at the same moment never replace each other.
        var source = SystemRandomNumberGenerator()
        let id = UInt32.random(in: 1...UInt32.max, using: &source)
        let life = isLastResort ? settings.lastResortLife : settings.prekeyLife
        let key = PrekeyBundle.Key(
            id: id,
            key: prekey.publicKey,
            validUntil: now.advanced(by: life),
            isLastResort: isLastResort
        )
        let seed = unsafe prekey.withSeed { unsafe SecretBytes(copying: $0) }
        let stored = StoredPrekey(
            madeAt: clock.now,
            validUntil: key.validUntil.date,
            isLastResort: isLastResort,
            seed: try unlocked.seal.seal(seed, for: .prekey(id))
        )
        return [(key, try stored.bytes())]
    }

    /// Signs a bundle of the newest prekey and the newest last-resort prekey.
    private func renewBundle(
        _ unlocked: UnlockedAccount,
        _ fresh: [PrekeyBundle.Key],
        _ held: [(id: UInt32, prekey: StoredPrekey)]
    ) async throws -> PrekeyBundle {
        var keys = fresh
        for isLastResort in [false, true]
        where !fresh.contains(where: { $0.isLastResort == isLastResort }) {
            let newest = held.filter { $0.prekey.isLastResort == isLastResort }
                .max { $0.prekey.madeAt < $1.prekey.madeAt }
            guard let (id, stored) = newest else { continue }
            keys.append(
                PrekeyBundle.Key(
                    id: id,
                    key: try Self.prekey(id, stored, unlocked).publicKey,
                    validUntil: Timestamp(stored.validUntil),
                    isLastResort: isLastResort
                )
            )
        }
        let bundle = try PrekeyBundle(
            network: settings.network,
            account: unlocked.account,
            createdAt: now,
            keys: keys,
            signedBy: unlocked.device
        )
        try await mailStore.keep(bundle, at: now)
        return bundle
    }

    private static func prekey(
        _ id: UInt32,
        _ stored: StoredPrekey,
        _ unlocked: UnlockedAccount
    ) throws -> Prekey {
        try Prekey(seed: unlocked.seal.openSecret([UInt8](stored.seed), for: .prekey(id)))
    }

    private static func device(_ sealed: [UInt8], _ seal: LocalSeal) throws -> PrivateKey {
        guard let key = PrivateKey(try seal.openSecret(sealed, for: .device)) else {
            throw StorageError.corrupt(.value(table: Settings.name))
        }
        return key
    }
}
