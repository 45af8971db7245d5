package import Keys
package import Market

extension WriteTransaction {
    /// Moves a record to the anchored lane, now that the chain shows that it cost something.
    ///
    /// - Parameters:
    ///   - id: The record's.
    ///   - blockTime: The sort key of lists.
    ///   - subject: The subject that it is filed under, if the version that stored it did not know
    ///     that.
    /// - Returns: Whether the record is here, in the anchored lane.
    /// - Throws: ``StorageError``
    package mutating func anchor(
        _ id: RecordID,
        at blockTime: Timestamp,
        about subject: Bytes32? = nil
    ) throws -> Bool {
        var lanes = LaneBytes()
        guard let open = try record(id) else { return false }
        if open.lane == .anchored { return true }
        let lifetime = open.version.key.kind.lifetime
        let record = StoredRecord(
            version: open.version,
            lane: .anchored,
            subject: subject ?? open.subject,
            firstSeen: open.firstSeen,
            orderTime: blockTime,
            expiresAt: open.version.createdAt.advanced(by: lifetime),
            bytes: open.bytes
        )
        _ = try removeRecord(id, &lanes, replacedBy: record)
        let hasRoom = try makeRoom(for: record, &lanes)
        if hasRoom {
            try insertAnew(record, of: .own, weight: record.weight, media: record.media, &lanes)
        } else {
            try removeDeviceMail(of: record, replacedBy: nil)
        }
        try add(lanes)
        return try !evictAnchoredLane().contains(id) && hasRoom
    }

    /// Removes a record that turned out to be wrong, and remembers its id until it expires.
    ///
    /// - Returns: Whether the record was here.
    package mutating func refuse(_ id: RecordID) throws -> Bool {
        var lanes = LaneBytes()
        guard let record = try removeRecord(id, &lanes) else { return false }
        try add(lanes)
        try forget(id, .refused, until: record.expiresAt)
        return true
    }

    /// Removes expired records, remembered ids and held records, some at a time.
    ///
    /// - Returns: The number of records and held records removed or filed again; call again while
    ///   it is not zero.
    package mutating func sweepRecords(
        at now: Timestamp
    ) throws -> Int {
        var due: [RecordExpiryKey] = []
        for lane in RecordLane.allCases {
            let rest = limits.sweepEntriesMax - due.count
            due += try keys(RecordsByExpiry.self, .prefix(lane.rawValue), limit: rest) { key in
                key.expiresAt <= now
            }
        }
        try removeExpired(due, at: now)
        try dropForgotten(before: now, max: limits.sweepEntriesMax)
        let givenUp = try sweepGivenUp(at: now, max: limits.sweepEntriesMax)
        let trimmed = try trimOpenLane(at: now)
        return try due.count + givenUp + trimmed + sweepHeldRecords(at: now)
    }

    /// Removes records, but for those that are kept for their account's sake.
    private mutating func removeExpired(
        _ keys: [RecordExpiryKey],
        at now: Timestamp
    ) throws {
        var lanes = LaneBytes()
        for key in keys {
            if try isKept(key.id), try prolong(key.id, at: now) { continue }
            _ = try removeRecord(key.id, &lanes)
        }
        try add(lanes)
    }
}
