import Keys
package import Market

extension WriteTransaction {
    /// Merges records into the store, in order, by the rules all nodes share.
    ///
    /// One record lives in a slot, the later one; of an author's slots of a kind and lane the most
    /// recent stay. What an anchored record replaces in its lane is remembered until it would have
    /// expired anyway. So the anchored lane holds the same whatever the order in which records
    /// come, and whatever the open lane holds.
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
        let evictedOpen = openBytes > 0 ? try evictOpenLane(at: now, limits) : []
        let evicted = try evictAnchoredLane(limits)
        for (index, entry) in entries.enumerated() {
            if evictedOpen.contains(entry.id) { outcomes[index] = .noRoom }
            if evicted.contains(entry.id) { outcomes[index] = .forgotten(.overBudget) }
        }
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
        if try isRevoked(entry) {
            try remember(record, .superseded, winner: record.lane, limits)
            return .superseded
        }

        let current = try get(RecordSlots.self, SlotKey(entry.key))
        if let current {
            guard record.takesSlot(from: current) else {
                try remember(record, .superseded, winner: current.lane, limits)
                return .superseded
            }
        }
        if current?.lane != record.lane {
            guard try makeRoom(for: record, limits, openBytes: &openBytes) else {
                return .overLimit
            }
        }
        if let current {
            try drop(
                current.id,
                .superseded,
                winner: record.lane,
                limits,
                openBytes: &openBytes,
                replacedBy: record
            )
        }
        try insertAnew(record, sales: entry.sales)
        if record.lane == .open {
            openBytes += record.bytes.count
            try fileOpen(record, of: entry.origin)
        }
        return .stored(replaced: current?.id)
    }

    /// Lets the author's earliest record of the kind and lane go if there are as many as allowed.
    ///
    /// - Returns: Whether the new record has a place; if not, it is the earliest itself.
    mutating func makeRoom(
        for record: StoredRecord,
        _ limits: Limits,
        openBytes: inout Int
    ) throws -> Bool {
        let shelf = RecordRankKey(record).prefix
        let count = try get(RecordShelves.self, shelf) ?? 0
        if Int(count) < record.version.key.kind.slotsMax { return true }
        guard let last = try first(RecordsByAuthor.self, .prefix(shelf))?.key.version else {
            return true
        }
        guard record.version.precedes(last) else {
            try remember(record, .overLimit, winner: record.lane, limits)
            return false
        }
        try drop(last.id, .overLimit, winner: record.lane, limits, openBytes: &openBytes)
        return true
    }

    /// Remembers a record that lost its place for good.
    ///
    /// One of the open lane is not remembered, as it may be anchored later; nor does a winner of
    /// the open lane, which is soon forgotten, keep anything out.
    private mutating func remember(
        _ loser: StoredRecord,
        _ reason: ForgettingReason,
        winner: RecordLane,
        _ limits: Limits
    ) throws {
        guard loser.lane == .anchored, winner == .anchored else { return }
        try forget(loser.version.id, reason, until: loser.expiresAt, limits: limits)
    }

    mutating func insertAnew(_ record: StoredRecord, sales: Int = 1) throws {
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
            SlotEntry(record)
        )
        try put(RecordsByKind.self, order, Nothing())
        try put(RecordsByAuthor.self, RecordRankKey(record), Nothing())
        try addToShelf(of: record, 1)
        if record.lane == .anchored { try addAnchored(record, sales: sales) }
        try put(RecordsByExpiry.self, record.expiryKey, UInt32(record.bytes.count))
        if let subject = record.subject {
            try put(RecordsBySubject.self, Pair(subject, order), Nothing())
        }
        try note(Change(.record, .stored, key: version.id.digest.bytes))
    }

    private mutating func addToShelf(of record: StoredRecord, _ difference: Int) throws {
        let shelf = RecordRankKey(record).prefix
        let count = Int(try get(RecordShelves.self, shelf) ?? 0) + difference
        if count > 0 {
            try put(RecordShelves.self, shelf, UInt32(count))
        } else {
            try remove(RecordShelves.self, shelf)
        }
    }

    /// Removes a record that lost its place to one of the lane `winner`.
    private mutating func drop(
        _ id: RecordID,
        _ reason: ForgettingReason,
        winner: RecordLane,
        _ limits: Limits,
        openBytes: inout Int,
        replacedBy successor: StoredRecord? = nil
    ) throws {
        guard let record = try removeRecord(id, replacedBy: successor) else { return }
        if record.lane == .open { openBytes -= record.bytes.count }
        try remember(record, reason, winner: winner, limits)
    }

    /// Removes a record from its table and every index; the counter is the caller's.
    ///
    /// `successor` is what takes its slot at once, if anything does.
    mutating func removeRecord(
        _ id: RecordID,
        replacedBy successor: StoredRecord? = nil
    ) throws -> StoredRecord? {
        guard let record = try record(id) else { return nil }
        let version = record.version
        let order = RecordOrderKey(
            kind: version.key.kind,
            time: record.orderTime,
            id: version.id
        )
        if record.lane == .open { try unfileOpen(record) }
        try remove(Records.self, id)
        try remove(RecordSlots.self, SlotKey(version.key))
        try remove(RecordsByKind.self, order)
        try remove(RecordsByAuthor.self, RecordRankKey(record))
        try addToShelf(of: record, -1)
        if record.lane == .anchored { try removeAnchored(record) }
        try remove(RecordsByExpiry.self, record.expiryKey)
        if let subject = record.subject {
            try remove(RecordsBySubject.self, Pair(subject, order))
        }
        try rememberRevocation(by: record)
        try removeDeviceMail(of: record, replacedBy: successor)
        try note(Change(.record, .removed, key: id.digest.bytes))
        return record
    }
}

extension StoredRecord {
    /// Whether this record lives in a slot that `other` holds.
    ///
    /// A listing of the anchored lane wins over one of the open lane, whichever is later: only so
    /// do nodes that never saw the open one hold the same. What anchors a profile or a device is
    /// its author, hence all versions alike, and the later wins: a device that was revoked stays
    /// so while the chain's word on the author is on its way.
    func takesSlot(from other: SlotEntry) -> Bool {
        if version.key.kind == .listing, lane != other.lane { return lane == .anchored }
        return version.precedes(
            RecordVersion(key: version.key, createdAt: other.createdAt, id: other.id)
        )
    }

    var expiryKey: RecordExpiryKey {
        RecordExpiryKey(lane: lane, expiresAt: expiresAt, id: version.id)
    }
}
