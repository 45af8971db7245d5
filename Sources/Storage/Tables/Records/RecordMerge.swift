import Keys
package import Market

extension WriteTransaction {
    /// Merges records into the store, in order, by the rules all nodes share.
    ///
    /// One record lives in a slot, the later one; of an author's slots of a kind the most recent
    /// stay. What is replaced or dropped is remembered until it would have expired anyway. So the
    /// store holds the same whatever the order in which records come.
    ///
    /// Source: Docs/protocol.md, section 4.4.
    ///
    /// - Returns: What became of each, in the same order.
    package mutating func put(
        _ entries: [RecordEntry],
        at now: Timestamp,
        limits: Limits = Limits()
    ) throws -> [RecordOutcome] {
        var openBytes = 0
        var outcomes: [RecordOutcome] = []
        outcomes.reserveCapacity(entries.count)
        for entry in entries {
            outcomes.append(try merge(entry, at: now, limits, openBytes: &openBytes))
        }
        try add(openBytes, to: Counters.openLaneBytes)
        if openBytes > 0 { try evictOpenLane(at: now, limits) }
        return outcomes
    }

    private mutating func merge(
        _ entry: RecordEntry,
        at now: Timestamp,
        _ limits: Limits,
        openBytes: inout Int
    ) throws -> RecordOutcome {
        if try contains(Records.self, entry.id) {
            return try renew(entry.id, at: now, limits: limits) ? .renewed : .duplicate
        }
        if let reason = try forgettingReason(of: entry.id) { return .forgotten(reason) }
        let record = entry.stored(at: now, limits: limits)
        guard record.expiresAt > now else { return .expired }

        var replaced: RecordID?
        if let current = try get(RecordSlots.self, SlotKey(entry.key)) {
            let version = RecordVersion(
                key: entry.key,
                createdAt: current.createdAt,
                id: current.id
            )
            guard entry.version.precedes(version) else {
                try forget(entry.id, .superseded, until: record.expiresAt, limits: limits)
                return .superseded
            }
            try drop(current.id, .superseded, limits, openBytes: &openBytes)
            replaced = current.id
        } else if let last = try lastPlace(for: entry) {
            guard entry.version.precedes(last) else {
                try forget(entry.id, .overLimit, until: record.expiresAt, limits: limits)
                return .overLimit
            }
            try drop(last.id, .overLimit, limits, openBytes: &openBytes)
        }
        try insertAnew(record)
        if record.lane == .open { openBytes += record.bytes.count }
        return .stored(replaced: replaced)
    }

    /// The version that has to go where the author has as many slots as allowed, else `nil`.
    private func lastPlace(for entry: RecordEntry) throws -> RecordVersion? {
        let shelf = Pair(entry.key.author, entry.key.kind.rawValue)
        let count = try get(RecordShelves.self, shelf) ?? 0
        if Int(count) < entry.key.kind.slotsMax { return nil }
        return try first(RecordsByAuthor.self, .prefix(shelf))?.key.version
    }

    mutating func insertAnew(_ record: StoredRecord) throws {
        let version = record.version
        let order = RecordOrderKey(
            kind: version.key.kind,
            time: record.orderTime,
            id: version.id
        )
        try put(Records.self, version.id, record)
        try put(
            RecordSlots.self,
            SlotKey(version.key),
            SlotEntry(id: version.id, createdAt: version.createdAt)
        )
        try put(RecordsByKind.self, order, Nothing())
        try put(RecordsByAuthor.self, RecordRankKey(version), Nothing())
        try addToShelf(of: version.key, 1)
        try put(RecordsByExpiry.self, record.expiryKey, UInt32(record.bytes.count))
        if let subject = record.subject {
            try put(RecordsBySubject.self, Pair(subject, order), Nothing())
        }
        try note(Change(.record, .stored, key: version.id.digest.bytes))
    }

    private mutating func addToShelf(of key: RecordKey, _ difference: Int) throws {
        let shelf = Pair(key.author, key.kind.rawValue)
        let count = Int(try get(RecordShelves.self, shelf) ?? 0) + difference
        if count > 0 {
            try put(RecordShelves.self, shelf, UInt32(count))
        } else {
            try remove(RecordShelves.self, shelf)
        }
    }

    /// Removes a record and remembers that it is not wanted again.
    private mutating func drop(
        _ id: RecordID,
        _ reason: ForgettingReason,
        _ limits: Limits,
        openBytes: inout Int
    ) throws {
        guard let record = try removeRecord(id) else { return }
        if record.lane == .open { openBytes -= record.bytes.count }
        try forget(id, reason, until: record.expiresAt, limits: limits)
    }

    /// Removes a record from its table and every index; the counter is the caller's.
    mutating func removeRecord(_ id: RecordID) throws -> StoredRecord? {
        guard let record = try record(id) else { return nil }
        let version = record.version
        let order = RecordOrderKey(
            kind: version.key.kind,
            time: record.orderTime,
            id: version.id
        )
        try remove(Records.self, id)
        try remove(RecordSlots.self, SlotKey(version.key))
        try remove(RecordsByKind.self, order)
        try remove(RecordsByAuthor.self, RecordRankKey(version))
        try addToShelf(of: version.key, -1)
        try remove(RecordsByExpiry.self, record.expiryKey)
        if let subject = record.subject {
            try remove(RecordsBySubject.self, Pair(subject, order))
        }
        try note(Change(.record, .removed, key: id.digest.bytes))
        return record
    }
}

extension StoredRecord {
    var expiryKey: RecordExpiryKey {
        RecordExpiryKey(lane: lane, expiresAt: expiresAt, id: version.id)
    }
}
