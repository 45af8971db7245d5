package import Market

extension WriteTransaction {
    /// Moves a record to the anchored lane, now that the chain shows that it cost something.
    ///
    /// - Returns: Whether the record is here.
    package mutating func anchor(_ id: RecordID, at blockTime: Timestamp) throws -> Bool {
        guard let record = try removeRecord(id) else { return false }
        if record.lane == .open { try add(-record.bytes.count, to: Counters.openLaneBytes) }
        let lifetime = record.version.key.kind.lifetime
        try insertAnew(
            StoredRecord(
                version: record.version,
                lane: .anchored,
                subject: record.subject,
                firstSeen: record.firstSeen,
                orderTime: blockTime,
                expiresAt: record.version.createdAt.advanced(by: lifetime),
                bytes: record.bytes
            )
        )
        return true
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

    /// Removes the oldest of the open lane until it keeps to its budget.
    ///
    /// What is kept for its account's sake goes to the end of the line instead; where there is
    /// nothing else left, the lane exceeds its budget by that.
    mutating func evictOpenLane(at now: Timestamp, _ limits: Limits) throws {
        let excess =
            Int(clamping: try counter(Counters.openLaneBytes)) - limits.openLaneBytesMax
        var freed = 0
        var place: RecordExpiryKey?
        while freed < excess {
            var rest = Scan<RecordExpiryKey>.prefix(RecordLane.open.rawValue)
            if let place { rest = rest.beyond(place) }
            var due: [RecordExpiryKey] = []
            var bytes = 0
            try scan(RecordsByExpiry.self, rest) { key, byteCount in
                due.append(key)
                bytes += Int(byteCount)
                return freed + bytes < excess && due.count < limits.sweepEntriesMax
            }
            guard let last = due.last else { return }
            place = last
            freed += try removeExpired(due, at: now, limits)
        }
    }

    /// Removes records, but for those that are kept for their account's sake.
    ///
    /// - Returns: Bytes that this freed in the open lane.
    @discardableResult
    private mutating func removeExpired(
        _ keys: [RecordExpiryKey],
        at now: Timestamp,
        _ limits: Limits
    ) throws -> Int {
        var openBytes = 0
        for key in keys {
            if try isKept(key.id, limits), try prolong(key.id, at: now, limits: limits) { continue }
            guard let record = try removeRecord(key.id) else { continue }
            if record.lane == .open { openBytes -= record.bytes.count }
        }
        try add(openBytes, to: Counters.openLaneBytes)
        return -openBytes
    }
}
