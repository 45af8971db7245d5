package import Keys
package import Market

/// Records set aside until the chain shows enough to validate them, such as reviews of a sale that
/// is not final here yet.
enum HeldRecords: Table {
    typealias Key = RecordID
    typealias Value = HeldRecord
    static let name = "held-records"
}

/// The position of a held record among the others: its arrival, and its id.
package typealias HeldRecordKey = CompositeKey<Timestamp, RecordID>

/// The same by arrival.
enum HeldByTime: Table {
    typealias Key = HeldRecordKey
    typealias Value = EmptyValue
    static let name = "held-by-time"
}

/// Held records by origin, in order of arrival.
enum HeldByOrigin: Table {
    typealias Key = CompositeKey<RecordOrigin, HeldRecordKey>
    typealias Value = EmptyValue
    static let name = "held-by-origin"
}

/// The same by the sale that they wait for.
enum HeldBySubject: Table {
    typealias Key = CompositeKey<Bytes32, RecordID>
    typealias Value = EmptyValue
    static let name = "held-by-subject"
}

/// Places that an author's held records take.
enum HeldByAuthor: Table {
    typealias Key = Address
    typealias Value = UInt64
    static let name = "held-by-author"
}

/// A record that waits to be validated.
package struct HeldRecord: TableValue, Equatable {
    package let heldSince: Timestamp
    /// The origin that delivered it and is charged for it.
    package let origin: RecordOrigin
    package let author: Address
    /// The sale that it waits for.
    package let subject: Bytes32
    /// As received.
    package let bytes: [UInt8]

    package var storedByteCount: Int { 76 + bytes.count }

    package init(
        _ bytes: [UInt8],
        by author: Address,
        about subject: Bytes32,
        from origin: RecordOrigin,
        at now: Timestamp
    ) {
        heldSince = now
        self.origin = origin
        self.author = author
        self.subject = subject
        self.bytes = bytes
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(heldSince, origin, author, subject, bytes)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        (heldSince, origin, author) = try (reader.read(), reader.read(), reader.read())
        subject = try reader.read()
        bytes = reader.readRest()
    }

    func placeCount(_ limits: StoreLimits) -> UInt64 {
        UInt64((bytes.count + limits.heldPlaceBytes - 1) / limits.heldPlaceBytes)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Held records, oldest first, after a position that an earlier call returned.
    package func heldRecords(
        after place: HeldRecordKey? = nil,
        limit: Int
    ) throws -> [(place: HeldRecordKey, record: HeldRecord)] {
        try keys(HeldByTime.self, .all().beyond(place), limit: limit).compactMap { place in
            try get(HeldRecords.self, place.second).map { (place, $0) }
        }
    }

    /// Held records that wait for a sale.
    package func heldRecords(
        about subject: Bytes32,
        limit: Int
    ) throws -> [(id: RecordID, record: HeldRecord)] {
        try keys(HeldBySubject.self, .prefix(subject), limit: limit).compactMap { key in
            try get(HeldRecords.self, key.second).map { (key.second, $0) }
        }
    }

    package func isHeld(_ id: RecordID) throws(StorageError) -> Bool {
        try contains(HeldRecords.self, id)
    }

    package func heldRecordCount() throws(StorageError) -> Int { try count(HeldRecords.self) }
}

extension WriteTransaction {
    /// Keeps a record aside, if its author has not too many here and there is room.
    ///
    /// The largest origin has to make room by losing its newest records. If that is the record's
    /// own origin, the record is not stored; it may be offered again.
    ///
    /// - Returns: Whether it is held now.
    package mutating func hold(
        _ id: RecordID,
        _ record: HeldRecord
    ) throws -> Bool {
        if try contains(HeldRecords.self, id) { return true }
        _ = try sweepHeldRecords(at: record.heldSince)
        let added = record.placeCount(limits)
        let ofAuthor = try get(HeldByAuthor.self, record.author) ?? 0
        guard ofAuthor + added <= UInt64(limits.heldPlacesOfAuthorMax) else { return false }
        let ofOrigin = try share(of: record.origin, in: .held)
        var released: [(id: RecordID, record: HeldRecord)] = []
        while try counter(Counters.heldPlaces) + added > UInt64(limits.heldPlacesMax) {
            guard let largest = try largestShare(in: .held), largest.size > ofOrigin + added,
                let last = try first(
                    HeldByOrigin.self,
                    .prefix(largest.origin, .descending)
                )?.key.second.second,
                let held = try get(HeldRecords.self, last)
            else {
                // A record that is not stored in the end displaces none.
                for (id, record) in released { try file(id, record) }
                return false
            }
            try release(last)
            released.append((last, held))
        }
        try file(id, record)
        return true
    }

    private mutating func file(
        _ id: RecordID,
        _ record: HeldRecord
    ) throws {
        let added = record.placeCount(limits)
        let ofAuthor = try get(HeldByAuthor.self, record.author) ?? 0
        let place = CompositeKey(record.heldSince, id)
        try put(HeldRecords.self, id, record)
        try put(HeldByTime.self, place, EmptyValue())
        try put(HeldByOrigin.self, CompositeKey(record.origin, place), EmptyValue())
        try put(HeldBySubject.self, CompositeKey(record.subject, id), EmptyValue())
        try put(HeldByAuthor.self, record.author, ofAuthor + added)
        try changeShare(of: record.origin, in: .held, by: Int(added))
        try add(Int(added), to: Counters.heldPlaces)
    }

    /// Releases a held record, because it has been validated or there is no room for it.
    package mutating func release(_ id: RecordID) throws {
        guard let held = try get(HeldRecords.self, id) else { return }
        let placeCount = held.placeCount(limits)
        let place = CompositeKey(held.heldSince, id)
        try remove(HeldRecords.self, id)
        try remove(HeldByTime.self, place)
        try remove(HeldByOrigin.self, CompositeKey(held.origin, place))
        try remove(HeldBySubject.self, CompositeKey(held.subject, id))
        let ofAuthor = try get(HeldByAuthor.self, held.author) ?? 0
        if ofAuthor > placeCount {
            try put(HeldByAuthor.self, held.author, ofAuthor - placeCount)
        } else {
            try remove(HeldByAuthor.self, held.author)
        }
        try changeShare(of: held.origin, in: .held, by: -Int(placeCount))
        try add(-Int(placeCount), to: Counters.heldPlaces)
    }

    mutating func sweepHeldRecords(at now: Timestamp) throws -> Int {
        let lifetime = limits.heldRecordLifetime
        let due = try keys(HeldByTime.self, .all(), limit: limits.sweepEntriesMax) { key in
            key.first.advanced(by: lifetime) <= now
        }
        for key in due { try release(key.second) }
        return due.count
    }
}
