package import Market

extension WriteTransaction {
    /// Merges records into the store, in order, by the rules all nodes share.
    ///
    /// A slot has one record, the later one; for reviews two, those with the lowest ids. Among an
    /// author's slots of a kind and lane the most recent stay. A record that an anchored one
    /// replaces in its lane is remembered until it would have expired anyway. So the anchored lane
    /// has the same content whatever the order of arrival and whatever the open lane contains.
    ///
    /// Source: Docs/protocol.md, section 4.4.
    ///
    /// - Returns: The result for each, in the same order.
    package mutating func put(
        _ entries: [RecordEntry],
        at now: Timestamp
    ) throws -> [RecordOutcome] {
        var lanes = LaneBytes()
        var outcomes: [RecordOutcome] = []
        var evicted: Set<RecordID> = []
        outcomes.reserveCapacity(entries.count)
        for entry in entries {
            if try mayCrowd(entry, lanes) {
                outcomes.append(try crowdIn(entry, at: now, &lanes, &evicted))
            } else {
                outcomes.append(try merge(entry, at: now, &lanes))
            }
        }
        try add(lanes)
        if entries.contains(where: { $0.lane == .anchored }) {
            evicted.formUnion(try evictAnchoredLane())
        }
        guard !evicted.isEmpty else { return outcomes }
        for (index, entry) in entries.enumerated() where evicted.contains(entry.id) {
            outcomes[index] = .noRoom
        }
        return outcomes
    }

    /// Whether others may have to go for an open record.
    private func mayCrowd(
        _ entry: RecordEntry,
        _ lanes: LaneBytes
    ) throws -> Bool {
        guard entry.lane == .open else { return false }
        let bytes = Int(clamping: try openLaneBytes()) + lanes.open + entry.bytes.count
        return try bytes > limits.openLaneBytesMax + bytesKeptMax()
    }

    /// Merges an open record into a lane that is full.
    ///
    /// It may displace as many bytes as it has itself; any other excess is removed by the sweep. If
    /// it would be removed itself, nothing changes: the record that it would have replaced stays,
    /// unless it is withdrawn.
    private mutating func crowdIn(
        _ entry: RecordEntry,
        at now: Timestamp,
        _ lanes: inout LaneBytes,
        _ evicted: inout Set<RecordID>
    ) throws -> RecordOutcome {
        try add(lanes)
        lanes = LaneBytes()
        let budget = UInt64(limits.openLaneBytesMax + (try bytesKeptMax()))
        let bytesMax = max(try openLaneBytes(), budget)
        do {
            let (outcome, others) = try savepoint { transaction in
                var lanes = LaneBytes()
                let outcome = try transaction.merge(entry, at: now, &lanes)
                try transaction.add(lanes)
                let others = try transaction.evictOpenLane(to: bytesMax, for: entry.id, at: now)
                return (outcome, others)
            }
            evicted.formUnion(others)
            return outcome
        } catch is OpenLaneFull {
            try revokeWithoutRoom(entry, at: now)
            return .noRoom
        }
    }

    private mutating func merge(
        _ entry: RecordEntry,
        at now: Timestamp,
        _ lanes: inout LaneBytes
    ) throws -> RecordOutcome {
        if try hasRecord(entry.id) {
            return try renew(entry.id, at: now) ? .renewed : .duplicate
        }
        if let reason = try forgettingReason(of: entry.id) { return .forgotten(reason) }
        if try givenUpCount() > 0 {
            if try isGivenUp(entry.id) { return .noRoom }
            _ = try removeGivenUp(entry.id)
        }
        let record = entry.stored(at: now, limits: limits)
        guard record.expiresAt > now else { return .expired }
        if try isRevoked(entry) {
            try remember(record, .superseded, winner: record.lane)
            return .superseded
        }

        let current = try lastInSlot(entry.key)
        if let current {
            guard record.takesSlot(from: current) else {
                try remember(record, .superseded, winner: current.lane)
                return .superseded
            }
        }
        if current?.lane != record.lane {
            guard try makeRoom(for: record, &lanes) else { return .overLimit }
        }
        if let current {
            let old = try drop(
                current.id,
                .superseded,
                winner: record.lane,
                &lanes,
                replacedBy: record
            )
            if let old { try noteRevocation(of: old, by: record, from: entry.origin) }
        }
        try insertAnew(record, of: entry.origin, weight: entry.weight, media: entry.media, &lanes)
        return .stored(replaced: current?.id)
    }

    /// Removes the author's earliest record of the kind and lane if there are as many as allowed.
    ///
    /// - Returns: Whether the new record has a slot; if not, it is the earliest itself.
    mutating func makeRoom(
        for record: StoredRecord,
        _ lanes: inout LaneBytes
    ) throws -> Bool {
        let authorKind = RecordRankKey(record).prefix
        let count = try get(RecordCounts.self, authorKind) ?? 0
        if Int(count) < record.version.key.kind.slotsMax { return true }
        guard let last = try first(RecordsByAuthor.self, .prefix(authorKind))?.key.version else {
            return true
        }
        guard record.version.precedes(last) else {
            try remember(record, .overLimit, winner: record.lane)
            return false
        }
        _ = try drop(last.id, .overLimit, winner: record.lane, &lanes)
        return true
    }

    /// Remembers a record that lost its slot for good.
    ///
    /// One of the open lane is not remembered, as it may be anchored later; and a winner of the
    /// open lane, which is soon forgotten, keeps nothing out.
    private mutating func remember(
        _ loser: StoredRecord,
        _ reason: ForgettingReason,
        winner: RecordLane
    ) throws {
        guard loser.lane == .anchored, winner == .anchored else { return }
        try forget(loser.version.id, reason, until: loser.expiresAt)
    }

    /// Puts a record into its table, its lane and every index.
    mutating func insertAnew(
        _ record: StoredRecord,
        of origin: RecordOrigin,
        weight: Int,
        media: [Media],
        _ lanes: inout LaneBytes
    ) throws {
        let version = record.version
        try putContent(of: record)
        let slot = SlotEntry(record, weight: weight)
        try put(RecordSlots.self, try freePlace(in: version.key), slot)
        try put(RecordsByKind.self, record.orderKey, EmptyValue())
        try put(RecordsByAuthor.self, RecordRankKey(record), EmptyValue())
        try addToCount(RecordRankKey(record).prefix, 1)
        try put(RecordsByExpiry.self, record.expiryKey, EmptyValue())
        if let subject = record.subject {
            try put(RecordsBySubject.self, CompositeKey(subject, record.orderKey), EmptyValue())
        }
        switch record.lane {
        case .anchored:
            lanes.anchored += Int(slot.weight)
            try orderAnchored(version.id, weight: slot.weight)
        case .open:
            lanes.open += record.bytes.count
            try fileOpen(record, of: origin)
        }
        try nameMedia(media, by: version.id)
        try noteChange(of: version.id)
    }

    /// Puts a record into the table of its lane.
    mutating func putContent(of record: StoredRecord) throws(StorageError) {
        switch record.lane {
        case .anchored: try put(AnchoredRecords.self, record.version.id, record)
        case .open: try put(OpenRecords.self, record.version.id, record)
        }
    }

    private mutating func addToCount(_ authorKind: RecordRankKey.Prefix, _ difference: Int) throws {
        let count = Int(try get(RecordCounts.self, authorKind) ?? 0) + difference
        if count > 0 {
            try put(RecordCounts.self, authorKind, UInt32(count))
        } else {
            try remove(RecordCounts.self, authorKind)
        }
    }

    /// Removes a record, or its remains, that lost its slot to one of the lane `winner`.
    ///
    /// - Returns: The record, if it was here.
    private mutating func drop(
        _ id: RecordID,
        _ reason: ForgettingReason,
        winner: RecordLane,
        _ lanes: inout LaneBytes,
        replacedBy successor: StoredRecord? = nil
    ) throws -> StoredRecord? {
        if let record = try removeRecord(id, &lanes, replacedBy: successor) {
            try remember(record, reason, winner: winner)
            return record
        }
        if let givenUp = try removeGivenUp(id), winner == .anchored {
            try forget(id, reason, until: givenUp.expiresAt)
        }
        return nil
    }

    /// Removes a record from its table, its lane and every index.
    ///
    /// `successor` is what takes its slot at once, if anything does.
    mutating func removeRecord(
        _ id: RecordID,
        _ lanes: inout LaneBytes,
        replacedBy successor: StoredRecord? = nil
    ) throws -> StoredRecord? {
        guard let record = try record(id) else { return nil }
        try removeContent(of: record, &lanes, replacedBy: successor)
        try removePlace(RecordRankKey(record))
        return record
    }

    /// Removes all of a record but its slot and its position among its author's records.
    mutating func removeContent(
        of record: StoredRecord,
        _ lanes: inout LaneBytes,
        replacedBy successor: StoredRecord? = nil
    ) throws {
        let id = record.version.id
        try rememberRevocation(by: record)
        switch record.lane {
        case .anchored:
            let weight = try weight(inSlotOf: record)
            lanes.anchored -= Int(weight)
            try unorderAnchored(id, weight: weight)
            try remove(AnchoredRecords.self, id)
        case .open:
            lanes.open -= record.bytes.count
            try unfileOpen(record)
            try remove(OpenRecords.self, id)
        }
        try remove(RecordsByKind.self, record.orderKey)
        try remove(RecordsByExpiry.self, record.expiryKey)
        if let subject = record.subject {
            try remove(RecordsBySubject.self, CompositeKey(subject, record.orderKey))
        }
        try removeDeviceMail(of: record, replacedBy: successor)
        try unnameMedia(of: record)
        try noteChange(of: id)
    }

    /// The first free position of a slot; the caller has checked that there is one.
    private func freePlace(in key: RecordKey) throws(StorageError) -> SlotKey {
        let taken = try slotEntries(key).map(\.place.place)
        guard let free = (0..<UInt8(key.kind.keptPerSlot)).first(where: { !taken.contains($0) })
        else { throw StorageError.corrupt(.value(table: RecordSlots.name)) }
        return SlotKey(key, place: free)
    }

    /// Removes the record from its slot and from its author's index.
    mutating func removePlace(_ rank: RecordRankKey) throws {
        let id = rank.version.id
        for (place, entry) in try slotEntries(rank.version.key) where entry.id == id {
            try remove(RecordSlots.self, place)
        }
        try remove(RecordsByAuthor.self, rank)
        try addToCount(rank.prefix, -1)
    }
}

extension StoredRecord {
    /// Whether this record is in a slot that `other` occupies.
    ///
    /// A listing or review of the anchored lane wins over one of the open lane, whichever is later:
    /// otherwise nodes that never saw the open one would store something else. A profile or a
    /// device is anchored by its author, so all its versions are, and the later one wins: a revoked
    /// device stays revoked while the author's state on the chain is not known yet.
    func takesSlot(from other: SlotEntry) -> Bool {
        switch version.key.kind {
        case .listing, .review:
            if lane != other.lane { return lane == .anchored }
        case .profile, .device, .curation: break
        }
        return version.supersedes(
            RecordVersion(key: version.key, createdAt: other.createdAt, id: other.id)
        )
    }

    /// Its position in lists of its kind.
    var orderKey: RecordOrderKey {
        RecordOrderKey(kind: version.key.kind, time: orderTime, id: version.id)
    }

    var expiryKey: RecordExpiryKey {
        RecordExpiryKey(lane: lane, expiresAt: expiresAt, id: version.id)
    }
}
