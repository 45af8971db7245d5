import Keys
package import Market

/// Devices whose withdrawal is not kept as a record any more, by when they were revoked.
///
/// A certificate can be shown until its kind's lifetime is over, long after the open lane has
/// forgotten the withdrawal. Without this, whoever stole a device could show it anew.
enum RevokedDevices: Table {
    typealias Key = Pair<Address, Bytes32>
    typealias Value = Timestamp
    static let name = "revoked-devices"
}

/// The same by time, the earliest first to be forgotten.
enum RevokedDevicesByTime: Table {
    typealias Key = Pair<Timestamp, Pair<Address, Bytes32>>
    typealias Value = Nothing
    static let name = "revoked-devices-by-time"
}

extension WriteTransaction {
    /// Remembers what a record that goes has revoked; for others does nothing.
    mutating func rememberRevocation(
        by record: StoredRecord,
        limits: Limits = Limits()
    ) throws {
        // Stored bytes that a stricter rule takes for no record any more revoke nothing.
        guard record.version.key.kind == .device,
            let signed = try? SignedRecord(stored: record.bytes), signed.isWithdrawal
        else { return }
        let key = Pair(record.version.key.author, record.version.key.slot)
        if let old = try get(RevokedDevices.self, key) {
            if old >= record.version.createdAt { return }
            try remove(RevokedDevicesByTime.self, Pair(old, key))
        }
        try put(RevokedDevices.self, key, record.version.createdAt)
        try put(RevokedDevicesByTime.self, Pair(record.version.createdAt, key), Nothing())
        let excess = try count(RevokedDevices.self) - limits.revokedDevicesMax
        if excess > 0 { try forgetRevocations(before: .init(milliseconds: .max), max: excess) }
    }

    /// Forgets revocations of devices none of whose certificates can be shown any more.
    ///
    /// - Returns: How many it forgot; call again while not zero.
    package mutating func sweepRevocations(
        at now: Timestamp,
        limits: Limits = Limits()
    ) throws -> Int {
        let life = UInt64(RecordKind.device.lifetime / .milliseconds(1))
        guard now.milliseconds > life else { return 0 }
        let end = Timestamp(milliseconds: now.milliseconds - life)
        return try forgetRevocations(before: end, max: limits.sweepEntriesMax)
    }

    @discardableResult
    private mutating func forgetRevocations(before end: Timestamp, max: Int) throws -> Int {
        var due: [RevokedDevicesByTime.Key] = []
        try scanKeys(RevokedDevicesByTime.self, .all()) { key in
            guard key.first < end, due.count < max else { return false }
            due.append(key)
            return true
        }
        for key in due {
            try remove(RevokedDevicesByTime.self, key)
            try remove(RevokedDevices.self, key.second)
        }
        return due.count
    }
}

extension Reading where Self: ~Copyable {
    /// Whether the record certifies a device that was revoked at the same time or later.
    func isRevoked(_ entry: RecordEntry) throws -> Bool {
        guard entry.key.kind == .device,
            let revokedAt = try get(RevokedDevices.self, Pair(entry.key.author, entry.key.slot)),
            revokedAt >= entry.version.createdAt
        else { return false }
        return try !SignedRecord(stored: entry.bytes).isWithdrawal
    }
}
