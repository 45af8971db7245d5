package import Market

/// Records kept aside until the chain shows enough to judge them, such as reviews of a sale that
/// is not final here yet.
enum HeldRecords: Table {
    typealias Key = RecordID
    typealias Value = HeldRecord
    static let name = "held-records"
}

/// The same by when they came.
enum HeldByTime: Table {
    typealias Key = Pair<Timestamp, RecordID>
    typealias Value = Nothing
    static let name = "held-by-time"
}

/// A record that waits to be judged.
package struct HeldRecord: TableValue, Equatable {
    package let heldSince: Timestamp
    /// As received.
    package let bytes: [UInt8]

    package var storedByteCount: Int { 8 + bytes.count }

    init(heldSince: Timestamp, bytes: [UInt8]) {
        (self.heldSince, self.bytes) = (heldSince, bytes)
    }

    package func write(to writer: inout ByteWriter) {
        writer.append(heldSince.milliseconds)
        writer.append(bytes)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        heldSince = Timestamp(milliseconds: try reader.read())
        bytes = reader.readRest()
    }
}

extension Reading where Self: ~Copyable {
    /// Held records, oldest first.
    package func heldRecords(limit: Int) throws -> [(id: RecordID, record: HeldRecord)] {
        var ids: [RecordID] = []
        guard limit > 0 else { return [] }
        try scanKeys(HeldByTime.self, .all()) { key in
            ids.append(key.second)
            return ids.count < limit
        }
        return try ids.compactMap { id in
            try get(HeldRecords.self, id).map { (id, $0) }
        }
    }

    package func heldRecordCount() throws(StorageError) -> Int { try count(HeldRecords.self) }
}

extension WriteTransaction {
    /// Keeps a record aside; where there is no room it is not kept, for it may come again.
    ///
    /// - Returns: Whether it is held now.
    package mutating func hold(
        _ id: RecordID,
        bytes: [UInt8],
        at now: Timestamp,
        limits: Limits = Limits()
    ) throws -> Bool {
        if try contains(HeldRecords.self, id) { return true }
        _ = try sweepHeldRecords(at: now, limits: limits)
        guard try count(HeldRecords.self) < limits.heldRecordsMax else { return false }
        try put(HeldRecords.self, id, HeldRecord(heldSince: now, bytes: bytes))
        try put(HeldByTime.self, Pair(now, id), Nothing())
        return true
    }

    /// Lets a held record go: it has been judged.
    package mutating func release(_ id: RecordID) throws {
        guard let held = try get(HeldRecords.self, id) else { return }
        try remove(HeldRecords.self, id)
        try remove(HeldByTime.self, Pair(held.heldSince, id))
    }

    mutating func sweepHeldRecords(at now: Timestamp, limits: Limits) throws -> Int {
        var due: [RecordID] = []
        try scanKeys(HeldByTime.self, .all()) { key in
            let end = key.first.advanced(by: limits.heldRecordLifetime)
            guard end <= now, due.count < limits.sweepEntriesMax else { return false }
            due.append(key.second)
            return true
        }
        for id in due { try release(id) }
        return due.count
    }
}
