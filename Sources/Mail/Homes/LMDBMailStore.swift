import Concurrency
import Gossip
package import GossipProtocol
package import Keys
package import Market
package import Records
package import Storage

/// Keeps in the node's store what ``MailExchange`` is entrusted with.
package struct LMDBMailStore: MailStore {
    private let store: Store
    private let recordService: RecordService
    private let localPeer: PeerID
    /// Signals that mail of this node's own accounts has arrived.
    let arrivals = Broadcast<Void>()

    package init(
        store: Store,
        recordService: RecordService,
        localPeer: PeerID
    ) {
        (self.store, self.recordService, self.localPeer) = (store, recordService, localPeer)
    }

    package func facts(
        of account: Address,
        device: Bytes32?,
        deposit: MailDeposit?,
        from origin: Bytes32,
        at now: Timestamp
    ) async throws -> MailServer.Facts {
        let isFull = try isFull
        return try store.read { transaction in
            var facts = MailServer.Facts(
                isKeptHere: try transaction.contains(AccountEntries.self, account)
            )
            if !facts.isKeptHere,
                let lease = try transaction.get(HomeLeases.self, CompositeKey(account, localPeer))
            {
                facts.isKeptHere = HomeLease(bytes: lease).map { $0.until > now } ?? false
            }
            facts.leases = try transaction.homedCount()
            facts.isFull = isFull
            if let device { facts.device = try transaction.deviceKey(device, of: account) }
            if let deposit, let device {
                facts.isHeld = try transaction.holds(
                    deposit.envelope.hash,
                    for: account,
                    device: device
                )
                facts.strangersPercent = try transaction.strangersPercent(of: account)
                facts.originPercent = try transaction.strangersPercent(of: account, from: origin)
            }
            if let grant = deposit?.grant?.id {
                facts.grantSecrets = try transaction.grantSecrets(for: grant, of: account)
                    .map(\.secret)
            }
            return facts
        }
    }

    private var isFull: Bool {
        get throws {
            do {
                try store.requireRoom()
                return false
            } catch let error as StorageError where error.isLackOfRoom {
                return true
            }
        }
    }

    package func grant(
        _ lease: HomeLease,
        to account: Address,
        from origin: Bytes32
    ) async throws -> MailRefusal? {
        let key = CompositeKey(account, lease.peer)
        do {
            return try await store.add { transaction in
                if try !transaction.contains(AccountEntries.self, account) {
                    let isRoom = try transaction.addHomed(account, from: origin)
                    guard isRoom else { return .full }
                }
                try transaction.put(HomeLeases.self, key, lease.bytes)
                return nil
            }
        } catch let error as StorageError where error.isLackOfRoom {
            return .full
        }
    }

    /// Stores a lease of one of this node's own accounts, granted here or elsewhere.
    ///
    /// Does nothing if the account was removed in the meantime.
    func keep(_ lease: HomeLease, of account: Address) async throws {
        let key = CompositeKey(account, lease.peer)
        try await store.write { transaction in
            guard try transaction.contains(AccountEntries.self, account) else { return }
            try transaction.put(HomeLeases.self, key, lease.bytes)
            // It may have been an account of another node before.
            try transaction.removeHomed(account)
        }
    }

    package func keepGrants(
        _ secret: Bytes32,
        ended: [Bytes32],
        of account: Address,
        device: Bytes32
    ) async throws -> MailRefusal? {
        let outcome = try await store.write {
            try $0.putGrants(secret, ended: ended, of: account, device: device)
        }
        return switch outcome {
        case .kept: nil
        case .tooManyEnded: .tooManyGrants
        case .unknownDevice: .unknownDevice
        }
    }

    package func keys(
        of account: Address
    ) async throws -> (bundles: [[UInt8]], records: [[UInt8]]) {
        try store.read { transaction in
            let records =
                try transaction.records(of: .profile, by: account, limit: 1)
                + transaction.records(of: .device, by: account, limit: RecordKind.device.slotsMax)
            let bundles = try transaction.prekeyBundles(of: account)
            return (bundles.map(\.bytes), records.filter { $0.readable() != nil }.map(\.bytes))
        }
    }

    package func take(records: [[UInt8]], from origin: RecordOrigin, isAsked: Bool) async {
        for record in records {
            _ = await recordService.validate(record, from: origin, isAsked: isAsked)
        }
    }

    /// How far the time of a bundle can be ahead of this node's clock.
    private static let bundleAheadMax = MailLimits().clockOffMax

    package func keep(_ bundle: PrekeyBundle, at now: Timestamp) async throws {
        let device = DeviceCertificate.slot(of: bundle.device)
        _ = try await store.add {
            try $0.putPrekeyBundle(
                bundle.bytes,
                of: bundle.account,
                device: device,
                createdAt: bundle.createdAt,
                newestMax: now.advanced(by: Self.bundleAheadMax)
            )
        }
    }

    package func deposit(
        _ envelope: MailEnvelope,
        as admission: MailAdmission,
        from origin: Bytes32,
        at now: Timestamp
    ) async throws -> MailRefusal? {
        let header = envelope.header
        let source: MailSource =
            switch admission {
            case .contact(let grant): .contact(grant: grant)
            case .stranger: .stranger(origin: origin)
            }
        let stored = StoredEnvelope(
            hash: envelope.hash,
            source: source,
            expiresAt: header.expiresAt,
            bytes: envelope.bytes
        )
        let outcome: DepositOutcome
        let isOwn: Bool
        do {
            (outcome, isOwn) = try await store.add { transaction in
                let outcome = try transaction.deposit(
                    stored,
                    for: header.recipient,
                    device: header.device,
                    at: now
                )
                return (outcome, try transaction.contains(AccountEntries.self, header.recipient))
            }
        } catch let error as StorageError where error.isLackOfRoom {
            return .recipientOverQuota
        }
        switch outcome {
        case .stored:
            if isOwn { arrivals.send() }
            return nil
        case .duplicate: return nil
        case .expired: return .wrongExpiry
        case .notKeptHere: return .notKeptHere
        case .recipientOverQuota: return .recipientOverQuota
        case .depositorOverQuota: return .senderOverQuota
        case .strangersOverQuota: return .strangersOverQuota
        }
    }

    package func waiting(
        for account: Address,
        device: Bytes32,
        after number: UInt64,
        limit: Int
    ) async throws -> [WaitingEnvelope] {
        try store.read { transaction in
            try transaction.envelopes(for: account, device: device, after: number, limit: limit)
                .map { key, stored in
                    let envelope = try MailEnvelope(stored.bytes)
                    switch stored.source {
                    case .contact:
                        return WaitingEnvelope(number: key.number, envelope: envelope)
                    case .stranger(let origin), .unproved(let origin):
                        return WaitingEnvelope(
                            number: key.number,
                            envelope: envelope,
                            origin: origin
                        )
                    }
                }
        }
    }

    package func acknowledge(
        _ numbers: [UInt64],
        of account: Address,
        device: Bytes32
    ) async throws {
        let keys = numbers.map { EnvelopeKey(recipient: account, device: device, number: $0) }
        _ = try await store.write { try $0.acknowledge(keys, by: account, device: device) }
    }

    package func vault(
        of account: Address,
        after marks: [VaultLogMark],
        limit: Int,
        byteCountMax: Int
    ) async throws -> (held: [VaultLogMark], segments: [VaultSegment]) {
        try store.read { transaction in
            let held = try transaction.vaultMarks(of: account)
            let segments = try transaction.vaultSegments(
                of: account,
                after: marks,
                limit: limit,
                byteCountMax: byteCountMax
            )
            return (held, segments)
        }
    }

    /// Each segment is read in full to see whether a log has a gap.
    package func vaultCost(of account: Address) async throws -> Int {
        try store.read { 16 + 16 * (try $0.vaultSegmentCount(of: account)) }
    }

    package func vaultGaps(of account: Address) async throws -> [VaultLogMark]? {
        try store.read { try $0.vaultGaps(of: account) }
    }

    package func keep(_ segment: VaultSegment) async throws -> MailRefusal? {
        try await store.add { transaction in
            // A log is one of a device of the account: so an account has as many as devices.
            guard try transaction.deviceKey(segment.device, of: segment.account) != nil else {
                return .unknownDevice
            }
            guard segment.isSigned else { return .wrongSignature }
            // Its lease may have ended since the stream began.
            guard try transaction.keepsVault(of: segment.account) else { return .notKeptHere }
            guard try transaction.hasRoomForVault(of: segment.account) else {
                return .vaultOverQuota
            }
            return try transaction.keepVault(segment) == .overQuota ? .vaultOverQuota : nil
        }
    }

    /// Removes expired mail, and ended leases of guests with everything that was stored for them.
    ///
    /// A step that fails does not stop the others, so that a full store gets room again.
    ///
    /// - Throws: The first failure.
    func sweep(at now: Timestamp) async throws {
        var failure: (any Error)?
        func attempt(_ step: () async throws -> Void) async {
            do { try await step() } catch { failure = failure ?? error }
        }
        await attempt { while try await store.write({ try $0.sweepMail(at: now) }) > 0 {} }
        await attempt {
            for (account, peer) in try endedLeases(at: now) {
                await attempt { try await removeLease(of: account, at: peer, endedAt: now) }
            }
        }
        await attempt { while try await store.write({ try $0.sweepRevocations(at: now) }) > 0 {} }
        await attempt {
            while try await store.write({ try $0.sweepDeletedConversations(at: now) }) > 0 {}
        }
        if let failure { throw failure }
    }

    private func endedLeases(at now: Timestamp) throws -> [(account: Address, peer: PeerID)] {
        try store.read { transaction in
            var ended: [(Address, PeerID)] = []
            try transaction.scan(HomeLeases.self, .all()) { key, bytes in
                let isOver = HomeLease(bytes: bytes).map { $0.until <= now } ?? true
                if isOver, ended.count < transaction.limits.sweepEntriesMax {
                    ended.append((key.first, key.second))
                }
                return true
            }
            return ended
        }
    }

    private func removeLease(
        of account: Address,
        at peer: PeerID,
        endedAt now: Timestamp
    ) async throws {
        var isDone = false
        while !isDone {
            isDone = try await store.write { [localPeer] in
                try $0.removeLease(of: account, at: peer, home: localPeer, endedAt: now)
            }
        }
    }
}
