package import Market

extension WriteTransaction {
    /// Moves a record to the anchored lane, now that the chain shows that it cost something.
    ///
    /// - Parameters:
    ///   - id: The record's.
    ///   - blockTime: What lists sort it by.
    ///   - sales: In how many final sales its author acted.
    ///   - limits: The store's.
    /// - Returns: Whether the record is here, in the anchored lane.
    /// - Throws: ``StorageError``
    package mutating func anchor(
        _ id: RecordID,
        at blockTime: Timestamp,
        sales: Int = 1,
        limits: Limits = Limits()
    ) throws -> Bool {
        guard let open = try record(id) else { return false }
        if open.lane == .anchored { return true }
        var openBytes = -open.bytes.count
        let lifetime = open.version.key.kind.lifetime
        let record = StoredRecord(
            version: open.version,
            lane: .anchored,
            subject: open.subject,
            firstSeen: open.firstSeen,
            orderTime: blockTime,
            expiresAt: open.version.createdAt.advanced(by: lifetime),
            bytes: open.bytes
        )
        _ = try removeRecord(id, replacedBy: record)
        let hasRoom = try makeRoom(for: record, limits, openBytes: &openBytes)
        try add(openBytes, to: Counters.openLaneBytes)
        guard hasRoom else {
            try removeDeviceMail(of: record, replacedBy: nil)
            return false
        }
        try insertAnew(record, sales: sales)
        return try !evictAnchoredLane(limits).contains(id)
    }

    /// Removes a record that turned out to be wrong, and remembers its id until it expires.
    ///
    /// - Returns: Whether the record was here.
    package mutating func refuse(_ id: RecordID, limits: Limits = Limits()) throws -> Bool {
        guard let record = try removeRecord(id) else { return false }
        if record.lane == .open { try add(-record.bytes.count, to: Counters.openLaneBytes) }
        try forget(id, .refused, until: record.expiresAt, limits: limits)
        return true
    }

    /// Removes records, remembered ids and held records whose time is over, some at a time.
    ///
    /// - Returns: How many records and held records it removed; call again while not zero.
    package mutating func sweepRecords(
        at now: Timestamp,
        limits: Limits = Limits()
    ) throws -> Int {
        var due: [RecordExpiryKey] = []
        for lane in RecordLane.allCases {
            try scanKeys(RecordsByExpiry.self, .prefix(lane.rawValue)) { key in
                guard key.expiresAt <= now, due.count < limits.sweepEntriesMax else {
                    return false
                }
                due.append(key)
                return true
            }
        }
        try removeExpired(due, at: now, limits)
        try dropForgotten(before: now, max: limits.sweepEntriesMax)
        return try due.count + sweepHeldRecords(at: now, limits: limits)
    }

    /// Removes records, but for those that are kept for their account's sake.
    private mutating func removeExpired(
        _ keys: [RecordExpiryKey],
        at now: Timestamp,
        _ limits: Limits
    ) throws {
        var openBytes = 0
        for key in keys {
            if try isKept(key.id, limits), try prolong(key.id, at: now, limits: limits) { continue }
            guard let record = try removeRecord(key.id) else { continue }
            if record.lane == .open { openBytes -= record.bytes.count }
        }
        try add(openBytes, to: Counters.openLaneBytes)
    }
}
