package import Market

/// Records kept aside until the chain shows enough to judge them, such as reviews of a sale that
/// is not final here yet.
enum HeldRecords: Table {
    typealias Key = RecordID
    typealias Value = HeldRecord
    static let name = "held-records"
}

/// Where a held record is among the others: when it came, and its id.
package typealias HeldPlace = Pair<Timestamp, RecordID>

/// The same by when they came.
enum HeldByTime: Table {
    typealias Key = HeldPlace
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
    /// Held records, oldest first, behind a place that an earlier call answered.
    package func heldRecords(
        after place: HeldPlace? = nil,
        limit: Int
    ) throws -> [(place: HeldPlace, record: HeldRecord)] {
        var places: [HeldPlace] = []
        guard limit > 0 else { return [] }
        var scan = Scan<HeldPlace>.all()
        if let place { scan = scan.beyond(place) }
        try scanKeys(HeldByTime.self, scan) { key in
            places.append(key)
            return places.count < limit
        }
        return try places.compactMap { place in
            try get(HeldRecords.self, place.second).map { (place, $0) }
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
