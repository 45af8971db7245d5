import Keys
package import Market

// A certificate can be shown until its kind's lifetime is over, long after the open lane has
// forgotten the withdrawal. Without this, the thief of a device could show it again. Withdrawals
// are free or cheap as well, so the memory is shared: each queue is guaranteed a third of it, and a
// full queue first forgets withdrawals of the largest origin.

/// Revoked devices whose withdrawal is no longer stored as a record.
enum RevokedDevices: Table {
    typealias Key = CompositeKey<Address, Bytes32>
    typealias Value = RevokedDevice
    static let name = "revoked-devices"
}

/// The same by when they were revoked, the earliest first to be of no use.
enum RevokedDevicesByTime: Table {
    typealias Key = CompositeKey<Timestamp, CompositeKey<Address, Bytes32>>
    typealias Value = EmptyValue
    static let name = "revoked-devices-by-time"
}

/// The same by the share that they count for, in order of arrival.
enum RevokedDevicesByShare: Table {
    typealias Key = CompositeKey<
        CompositeKey<RecordQueue, RecordOrigin>,
        CompositeKey<Timestamp, CompositeKey<Address, Bytes32>>
    >
    typealias Value = EmptyValue
    static let name = "revoked-devices-by-share"
}

/// When a device was revoked, and whose share of the memory it takes.
struct RevokedDevice: TableValue {
    let revokedAt: Timestamp
    let queue: RecordQueue
    let origin: RecordOrigin
    /// When the withdrawal arrived, by this node's clock.
    let seenAt: Timestamp

    var storedByteCount: Int { 33 }

    init(revokedAt: Timestamp, queue: RecordQueue, origin: RecordOrigin, seenAt: Timestamp) {
        (self.revokedAt, self.queue) = (revokedAt, queue)
        (self.origin, self.seenAt) = (origin, seenAt)
    }

    func write(to writer: inout ByteWriter) { writer.write(revokedAt, queue, origin, seenAt) }

    init(from reader: inout ByteReader) throws(FormError) {
        (revokedAt, queue, origin) = try (reader.read(), reader.read(), reader.read())
        seenAt = try reader.read()
    }
}

extension WriteTransaction {
    /// Remembers the revocation by a removed record; does nothing for other records.
    mutating func rememberRevocation(by record: StoredRecord) throws {
        guard record.version.key.kind == .device, record.isWithdrawal else { return }
        let author = record.version.key.author
        if try record.lane == .anchored || keepsMail(of: author) {
            try remember(record, .revokedOfKnown, of: .account(author))
        } else {
            let origin = try get(OpenLaneOrigins.self, record.version.id) ?? .unknown
            try remember(record, .revoked, of: origin)
        }
    }

    /// Remembers a withdrawal that the open lane has no room for, and removes the withdrawn record.
    mutating func revokeWithoutRoom(_ entry: RecordEntry, at now: Timestamp)
        throws
    {
        let record = entry.stored(at: now, limits: limits)
        guard record.version.key.kind == .device, record.isWithdrawal, record.expiresAt > now else {
            return
        }
        let current = try self.record(in: entry.key)
        guard let current, !current.isWithdrawal else {
            return try remember(record, .revoked, of: entry.origin)
        }
        guard record.version.precedes(current.version) else { return }
        var lanes = LaneBytes()
        _ = try removeRecord(current.version.id, &lanes)
        try add(lanes)
        try remember(record, .revokedOfHeld, of: entry.origin)
    }

    /// Remembers at once a withdrawal that replaces a certificate: strangers who attack the memory
    /// do not deliver certificates first.
    mutating func noteRevocation(
        of old: StoredRecord,
        by record: StoredRecord,
        from origin: RecordOrigin
    ) throws {
        guard record.version.key.kind == .device, record.isWithdrawal, !old.isWithdrawal else {
            return
        }
        try remember(record, .revokedOfHeld, of: origin)
    }

    private mutating func remember(
        _ record: StoredRecord,
        _ queue: RecordQueue,
        of origin: RecordOrigin
    ) throws {
        let key = CompositeKey(record.version.key.author, record.version.key.slot)
        let old = try get(RevokedDevices.self, key)
        let new = RevokedDevice(
            revokedAt: max(record.version.createdAt, old?.revokedAt ?? record.version.createdAt),
            queue: max(queue, old?.queue ?? queue),
            origin: origin,
            seenAt: record.firstSeen
        )
        if let old {
            if old.revokedAt == new.revokedAt, old.queue == new.queue { return }
            try forgetRevocation(of: key)
        }
        try put(RevokedDevices.self, key, new)
        try put(RevokedDevicesByTime.self, CompositeKey(new.revokedAt, key), EmptyValue())
        try put(RevokedDevicesByShare.self, new.place(of: key), EmptyValue())
        try changeShare(of: new.origin, in: new.queue, by: 1)
        try add(1, to: Counters.revokedDevices(in: new.queue))
        while try count(RevokedDevices.self) > limits.revokedDevicesMax {
            guard let last = try lastRevocation() else { return }
            try forgetRevocation(of: last)
        }
    }

    /// Forgets revocations of devices whose certificates have all expired.
    ///
    /// - Returns: How many it forgot; call again while not zero.
    package mutating func sweepRevocations(
        at now: Timestamp
    ) throws -> Int {
        let life = UInt64(RecordKind.device.lifetime / .milliseconds(1))
        guard now.milliseconds > life else { return 0 }
        let end = Timestamp(milliseconds: now.milliseconds - life)
        let due = try keys(RevokedDevicesByTime.self, .all(), limit: limits.sweepEntriesMax) {
            $0.first < end
        }
        for key in due { try forgetRevocation(of: key.second) }
        return due.count
    }

    private mutating func forgetRevocation(of key: CompositeKey<Address, Bytes32>) throws {
        guard let device = try get(RevokedDevices.self, key) else { return }
        try remove(RevokedDevices.self, key)
        try remove(RevokedDevicesByTime.self, CompositeKey(device.revokedAt, key))
        try remove(RevokedDevicesByShare.self, device.place(of: key))
        try changeShare(of: device.origin, in: device.queue, by: -1)
        try add(-1, to: Counters.revokedDevices(in: device.queue))
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Whether the record certifies a device that was revoked at the same time or later.
    func isRevoked(_ entry: RecordEntry) throws -> Bool {
        guard entry.key.kind == .device,
            let device = try get(
                RevokedDevices.self,
                CompositeKey(entry.key.author, entry.key.slot)
            ),
            device.revokedAt >= entry.version.createdAt
        else { return false }
        return try !SignedRecord(stored: entry.bytes).isWithdrawal
    }

    /// The next record to forget: the newest of the largest share among the least important records
    /// that exceed their queue's guarantee.
    fileprivate func lastRevocation() throws -> CompositeKey<Address, Bytes32>? {
        let sure = UInt64(limits.revokedDevicesMax / RecordQueue.revocations.count)
        for queue in RecordQueue.revocations {
            guard try counter(Counters.revokedDevices(in: queue)) > sure,
                let largest = try largestShare(in: queue)
            else { continue }
            let share = CompositeKey(queue, largest.origin)
            let last = try first(RevokedDevicesByShare.self, .prefix(share, .descending))
            return last?.key.second.second
        }
        return nil
    }
}

extension RevokedDevice {
    fileprivate func place(of key: CompositeKey<Address, Bytes32>) -> RevokedDevicesByShare.Key {
        CompositeKey(CompositeKey(queue, origin), CompositeKey(seenAt, key))
    }
}

extension StoredRecord {
    /// `false` for stored bytes that a stricter rule no longer accepts as a record.
    fileprivate var isWithdrawal: Bool { (try? SignedRecord(stored: bytes))?.isWithdrawal ?? false }
}
