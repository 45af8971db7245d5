package import Keys
package import Market

extension ReadableTransaction where Self: ~Copyable {
    /// The record of that id.
    ///
    /// - Throws: ``StorageError``, such as ``StorageError/corrupt(_:)`` if another record is there.
    package func record(_ id: RecordID) throws(StorageError) -> StoredRecord? {
        if let record = try get(AnchoredRecords.self, id) { return record }
        return try get(OpenRecords.self, id)
    }

    /// Returns whether the record is here, without reading it.
    package func hasRecord(_ id: RecordID) throws(StorageError) -> Bool {
        if try contains(AnchoredRecords.self, id) { return true }
        return try contains(OpenRecords.self, id)
    }

    /// Returns whether the id needs no fetching: the record is here, or not wanted.
    package func isSettled(_ id: RecordID) throws -> Bool {
        if try hasRecord(id) { return true }
        return try contains(ForgottenRecords.self, id) || isGivenUp(id)
    }

    /// Whether the record would replace an earlier one in the anchored lane: that of its slot, or
    /// the earliest of its author's if there are as many as allowed.
    package func replacesAnchored(_ version: RecordVersion) throws -> Bool {
        if let entry = try lastInSlot(version.key) {
            let current = RecordVersion(key: version.key, createdAt: entry.createdAt, id: entry.id)
            return version.supersedes(current)
        }
        let authorKind = RecordRankKey(version, in: .anchored).prefix
        guard Int(try get(RecordCounts.self, authorKind) ?? 0) >= version.key.kind.slotsMax,
            let last = try first(RecordsByAuthor.self, .prefix(authorKind))?.key.version
        else { return false }
        return version.precedes(last)
    }

    /// The weight of a stored record.
    func weight(inSlotOf record: StoredRecord) throws(StorageError) -> UInt32 {
        let id = record.version.id
        guard let slot = try slotEntries(record.version.key).first(where: { $0.entry.id == id })
        else { throw StorageError.corrupt(.value(table: RecordSlots.name)) }
        return slot.entry.weight
    }

    /// The entries of a slot, with their keys.
    func slotEntries(
        _ key: RecordKey
    ) throws(StorageError) -> [(place: SlotKey, entry: SlotEntry)] {
        var entries: [(place: SlotKey, entry: SlotEntry)] = []
        for number in 0..<UInt8(key.kind.keptPerSlot) {
            let place = SlotKey(key, place: number)
            if let entry = try get(RecordSlots.self, place) { entries.append((place, entry)) }
        }
        return entries
    }

    /// The entry that a new record of the slot must supersede; `nil` if the slot has room.
    func lastInSlot(_ key: RecordKey) throws(StorageError) -> SlotEntry? {
        let entries = try slotEntries(key)
        guard entries.count == key.kind.keptPerSlot else { return nil }
        return entries.map(\.entry).max { $0.comesBefore($1) }
    }

    /// The record in a slot; of two, the one with the lower id.
    package func record(in key: RecordKey) throws(StorageError) -> StoredRecord? {
        try records(in: key).first
    }

    /// The records that live in a slot, the first by the slot's order first.
    package func records(in key: RecordKey) throws(StorageError) -> [StoredRecord] {
        var records: [StoredRecord] = []
        for (_, entry) in try slotEntries(key).sorted(by: { $0.entry.comesBefore($1.entry) }) {
            if let record = try record(entry.id) { records.append(record) }
        }
        return records
    }

    /// Records of a kind, newest first where not said otherwise.
    package func records(
        of kind: RecordKind,
        beyond place: RecordOrderKey? = nil,
        _ order: Scan<RecordOrderKey>.Order = .descending,
        limit: Int
    ) throws -> [StoredRecord] {
        let scan = Scan<RecordOrderKey>.prefix(kind.rawValue, order).beyond(place)
        return try keys(RecordsByKind.self, scan, limit: limit).compactMap { try record($0.id) }
    }

    /// An author's records of a kind, the latest made first.
    package func records(
        of kind: RecordKind,
        by author: Address,
        limit: Int
    ) throws -> [StoredRecord] {
        var versions: [RecordVersion] = []
        guard limit > 0 else { return [] }
        for lane in RecordLane.allCases {
            var rest = limit
            let authorKind = RecordRankKey.prefix(author, kind, lane)
            try scanKeys(RecordsByAuthor.self, .prefix(authorKind, .descending)) { key in
                // A record without room in the lane still has its slot.
                guard try hasRecord(key.version.id) else { return true }
                versions.append(key.version)
                rest -= 1
                return rest > 0
            }
        }
        return try versions.sorted { $0.precedes($1) }.prefix(limit).compactMap {
            try record($0.id)
        }
    }

    /// Records filed under a subject, newest first: the reviews of a sale.
    package func records(
        of kind: RecordKind,
        about subject: Bytes32,
        limit: Int
    ) throws -> [StoredRecord] {
        try recordPlaces(of: kind, about: subject, limit: limit).compactMap { try record($0.id) }
    }

    /// Keys of records filed under a subject, such as the reviews of a sale, newest first, after a
    /// key that an earlier call returned.
    package func recordPlaces(
        of kind: RecordKind,
        about subject: Bytes32,
        beyond place: RecordOrderKey? = nil,
        limit: Int
    ) throws -> [RecordOrderKey] {
        let scan = Scan<RecordsBySubject.Key>
            .prefix(CompositeKey(subject, kind.rawValue), .descending)
            .beyond(place.map { CompositeKey(subject, $0) })
        return try keys(RecordsBySubject.self, scan, limit: limit).map(\.second)
    }

    /// Keys of a lane's records in order of expiry, after a key that an earlier call returned.
    package func recordPlaces(
        in lane: RecordLane,
        after place: RecordExpiryKey? = nil,
        limit: Int
    ) throws -> [RecordExpiryKey] {
        let scan = Scan<RecordExpiryKey>.prefix(lane.rawValue).beyond(place)
        return try keys(RecordsByExpiry.self, scan, limit: limit)
    }

    /// Records of both lanes in order of id, after `id`.
    package func records(after id: RecordID?, limit: Int) throws -> [StoredRecord] {
        let ids = try RecordLane.allCases.flatMap { lane in
            try recordIDs(in: lane, after: id, limit: limit)
        }
        return try ids.sorted().prefix(limit).compactMap { try record($0) }
    }

    /// Ids of a lane in their own order, behind `id`: of the anchored lane, what nodes compare.
    package func recordIDs(
        in lane: RecordLane,
        after id: RecordID?,
        limit: Int
    ) throws -> [RecordID] {
        let scan = Scan<RecordID>.all().beyond(id)
        return switch lane {
        case .anchored: try keys(AnchoredRecords.self, scan, limit: limit)
        case .open: try keys(OpenRecords.self, scan, limit: limit)
        }
    }

    /// How many records are kept.
    package func recordCount() throws(StorageError) -> Int {
        try recordCount(in: .anchored) + recordCount(in: .open)
    }

    /// How many records are kept in a lane; costs nothing.
    package func recordCount(in lane: RecordLane) throws(StorageError) -> Int {
        switch lane {
        case .anchored: try count(AnchoredRecords.self)
        case .open: try count(OpenRecords.self)
        }
    }

    /// Bytes of the open lane, the records' own alone.
    package func openLaneBytes() throws(StorageError) -> UInt64 {
        try counter(Counters.openLaneBytes)
    }
}
