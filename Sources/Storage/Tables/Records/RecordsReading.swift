package import Keys
package import Market

extension Reading where Self: ~Copyable {
    /// The record of that id.
    package func record(_ id: RecordID) throws(StorageError) -> StoredRecord? {
        try withStored(Records.self, id) { (reader) throws(FormError) in
            try StoredRecord(from: &reader, id: id)
        }
    }

    /// Tells whether the record is here, without reading it.
    package func hasRecord(_ id: RecordID) throws(StorageError) -> Bool {
        try contains(Records.self, id)
    }

    /// Tells whether the id needs no fetching: the record is here, or not wanted.
    package func isSettled(_ id: RecordID, limits: Limits = Limits()) throws -> Bool {
        if try contains(Records.self, id) { return true }
        return try contains(ForgottenRecords.self, id) || isGivenUp(id, limits)
    }

    /// Whether the record would take the place of an earlier one in the anchored lane: that of its
    /// slot, or the earliest of its author's if there are as many as allowed.
    package func replacesAnchored(_ version: RecordVersion) throws -> Bool {
        if let entry = try get(RecordSlots.self, SlotKey(version.key)) {
            let current = RecordVersion(key: version.key, createdAt: entry.createdAt, id: entry.id)
            return version.precedes(current)
        }
        let shelf = RecordRankKey(version, in: .anchored).prefix
        return Int(try get(RecordShelves.self, shelf) ?? 0) >= version.key.kind.slotsMax
    }

    /// The record that lives in a slot.
    package func record(in key: RecordKey) throws(StorageError) -> StoredRecord? {
        guard let entry = try get(RecordSlots.self, SlotKey(key)) else { return nil }
        return try record(entry.id)
    }

    /// Records of a kind, newest first where not said otherwise.
    package func records(
        of kind: RecordKind,
        beyond place: RecordOrderKey? = nil,
        _ order: Scan<RecordOrderKey>.Order = .descending,
        limit: Int
    ) throws -> [StoredRecord] {
        var scan = Scan<RecordOrderKey>.prefix(kind.rawValue, order)
        if let place { scan = scan.beyond(place) }
        var ids: [RecordID] = []
        if limit > 0 {
            try scanKeys(RecordsByKind.self, scan) { key in
                ids.append(key.id)
                return ids.count < limit
            }
        }
        return try ids.compactMap { try record($0) }
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
            let shelf = RecordRankKey.prefix(author, kind, lane)
            try scanKeys(RecordsByAuthor.self, .prefix(shelf, .descending)) { key in
                // What the lane had no room for has its place still.
                guard try contains(Records.self, key.version.id) else { return true }
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
        var ids: [RecordID] = []
        if limit > 0 {
            let scan = Scan<Pair<Bytes32, RecordOrderKey>>.prefix(
                Pair(subject, kind.rawValue),
                .descending
            )
            try scanKeys(RecordsBySubject.self, scan) { key in
                ids.append(key.second.id)
                return ids.count < limit
            }
        }
        return try ids.compactMap { try record($0) }
    }

    /// Records of a lane in the order in which they are forgotten, behind a place that an earlier
    /// call answered.
    package func recordPlaces(
        in lane: RecordLane,
        after place: RecordExpiryKey? = nil,
        limit: Int
    ) throws -> [RecordExpiryKey] {
        var scan = Scan<RecordExpiryKey>.prefix(lane.rawValue)
        if let place { scan = scan.beyond(place) }
        var places: [RecordExpiryKey] = []
        guard limit > 0 else { return [] }
        try scanKeys(RecordsByExpiry.self, scan) { place in
            places.append(place)
            return places.count < limit
        }
        return places
    }

    /// Records in the order of their ids, behind `id`.
    package func records(after id: RecordID?, limit: Int) throws -> [StoredRecord] {
        var ids: [RecordID] = []
        guard limit > 0 else { return [] }
        var scan = Scan<RecordID>.all()
        if let id { scan = scan.beyond(id) }
        try scanKeys(Records.self, scan) { id in
            ids.append(id)
            return ids.count < limit
        }
        return try ids.compactMap { try record($0) }
    }

    /// How many records are kept.
    package func recordCount() throws(StorageError) -> Int { try count(Records.self) }

    /// Bytes of the open lane, the records' own alone.
    package func openLaneBytes() throws(StorageError) -> UInt64 {
        try counter(Counters.openLaneBytes)
    }
}
