import AccountAccess
import Answers
import Concurrency
import Keys
import Market
import Records
import Storage

/// Makes, renews and reads the keys of accounts' devices on this node.
struct DeviceKeys: Sendable {
    private let store: Store
    private let recordService: RecordService
    private let mailStore: LMDBMailStore
    private let renewal: RecordRenewal
    private let settings: ChatSettings
    private let clock: any WallClock
    private let schedule: PrekeySchedule
    private var now: Timestamp { clock.timestamp }

    init(_ context: MailContext) {
        (store, recordService) = (context.store, context.recordService)
        (mailStore, renewal) = (context.mailStore, context.renewal)
        (settings, clock) = (context.settings, context.clock)
        schedule = PrekeySchedule(context.settings)
    }

    /// Publishes the device's certificate, and again before the open lane forgets it.
    func renewCertificate(_ unlocked: UnlockedAccount) async throws {
        let place = RecordKey(author: unlocked.account, kind: .device, slot: unlocked.slot)
        if let stored = try store.read({ try $0.record(in: place) }) {
            // A device that its account has revoked stays revoked. A record that today's rules
            // refuse is replaced.
            if let record = stored.readable(), record.isWithdrawal || renewal.isFresh(stored) {
                return
            }
        }
        let certificate = try DeviceCertificate(
            key: unlocked.device.publicKey,
            name: settings.deviceName
        )
        let draft = try recordService.draft(
            of: .device(certificate),
            slot: unlocked.slot,
            author: unlocked.account,
            at: now
        )
        _ = try await recordService.publish(unlocked.signed(draft))
    }

    /// Creates prekeys that are due, deletes old private halves, and renews the bundle.
    ///
    /// - Returns: The current bundle.
    /// - Throws: ``Refusal`` with `needs_unlock` if the account was removed in the meantime.
    func renewPrekeys(_ unlocked: UnlockedAccount) async throws -> PrekeyBundle {
        let prefix = CompositeKey(unlocked.account, unlocked.slot)
        var held: [UInt32: PrekeyEntry] = [:]
        for (key, entry) in try store.read({ try $0.entries(Prekeys.self, .prefix(prefix)) }) {
            held[key.second] = entry
        }
        let keys = held.map { $1.scheduled($0) }
        let expired = schedule.expired(of: keys, at: now)
        let fresh = try schedule.due(after: keys, at: now).map {
            try makePrekey(isLastResort: $0, unlocked)
        }
        if !expired.isEmpty || !fresh.isEmpty {
            try await store.write { transaction in
                guard try transaction.contains(AccountEntries.self, unlocked.account) else {
                    throw Refusal.locked(unlocked.account)
                }
                for key in expired {
                    try transaction.remove(Prekeys.self, CompositeKey(prefix, key.id))
                }
                for (id, prekey) in fresh {
                    try transaction.put(Prekeys.self, CompositeKey(prefix, id), prekey)
                }
            }
        }
        let known = try store.read { try $0.prekeyBundles(of: unlocked.account) }
            .first { $0.device == unlocked.slot }
        if fresh.isEmpty, let known { return try PrekeyBundle(known.bytes) }
        held.merge(fresh) { $1 }
        return try await renewBundle(unlocked, of: held)
    }

    /// Deletes the old private halves of former devices, and all of those that are no longer kept.
    func expireFormerPrekeys(_ unlocked: UnlockedAccount) async throws {
        let kept = Set(unlocked.readers.map(\.slot))
        var over: [Prekeys.Key] = []
        try store.read { transaction in
            try transaction.scan(Prekeys.self, .prefix(unlocked.account)) { key, entry in
                let slot = key.first.second
                if slot == unlocked.slot { return true }
                let held = entry.scheduled(key.second)
                if !kept.contains(slot) || !schedule.expired(of: [held], at: now).isEmpty {
                    over.append(key)
                }
                return true
            }
        }
        guard !over.isEmpty else { return }
        try await store.write { [over] transaction in
            for key in over { try transaction.remove(Prekeys.self, key) }
        }
    }

    /// Returns a prekey with its private half, or `nil` if it was deleted or never existed.
    func prekey(_ id: UInt32, _ unlocked: UnlockedAccount) throws -> Prekey? {
        let key = CompositeKey(CompositeKey(unlocked.account, unlocked.slot), id)
        return try store.read { try $0.get(Prekeys.self, key) }
            .map { try Self.prekey(id, $0, unlocked) }
    }

    /// Makes a prekey with a random id, so that keys made at the same moment never replace each
    /// other.
    private func makePrekey(
        isLastResort: Bool,
        _ unlocked: UnlockedAccount
    ) throws -> (id: UInt32, prekey: PrekeyEntry) {
        var source = SystemRandomNumberGenerator()
        let id = UInt32.random(in: 1...UInt32.max, using: &source)
        let seed = unsafe Prekey.random().withSeed { unsafe SecretBytes(copying: $0) }
        let now = now
        let prekey = PrekeyEntry(
            madeAt: now,
            validUntil: schedule.end(isLastResort: isLastResort, at: now),
            isLastResort: isLastResort,
            seed: try unlocked.seal.seal(seed, for: .prekey(id))
        )
        return (id, prekey)
    }

    /// Signs a bundle of the newest prekey of each kind, and stores it.
    private func renewBundle(
        _ unlocked: UnlockedAccount,
        of held: [UInt32: PrekeyEntry]
    ) async throws -> PrekeyBundle {
        let keys = try schedule.bundled(of: held.map { $1.scheduled($0) }).compactMap { key in
            try held[key.id].map { stored in
                PrekeyBundle.Key(
                    id: key.id,
                    key: try Self.prekey(key.id, stored, unlocked).publicKey,
                    validUntil: key.validUntil,
                    isLastResort: key.isLastResort
                )
            }
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
        _ stored: PrekeyEntry,
        _ unlocked: UnlockedAccount
    ) throws -> Prekey {
        try Prekey(seed: unlocked.seal.openSecret(stored.seed, for: .prekey(id)))
    }
}

extension PrekeyEntry {
    fileprivate func scheduled(_ id: UInt32) -> PrekeySchedule.Key {
        PrekeySchedule.Key(
            id: id,
            madeAt: madeAt,
            validUntil: validUntil,
            isLastResort: isLastResort
        )
    }
}
