import Market

/// Records that the anchored lane had no room for.
///
/// Such a record keeps its slot and its position among its author's records. So the lanes of all
/// nodes with the same budget converge, and no earlier record replaces it. The record's other data
/// is deleted. There is one for each slot at most, and slots are paid for on the chain.
///
/// Source: Docs/protocol.md, section 4.8.
enum GivenUpRecords: Table {
    typealias Key = RecordID
    typealias Value = GivenUpRecord
    static let name = "given-up-records"
}

/// The same by when they are forgotten.
enum GivenUpByExpiry: Table {
    typealias Key = CompositeKey<Timestamp, RecordID>
    typealias Value = EmptyValue
    static let name = "given-up-by-expiry"
}

/// The remains of a record that the anchored lane had no room for.
struct GivenUpRecord: TableValue {
    let key: RecordKey
    let createdAt: Timestamp
    let expiresAt: Timestamp
    /// Bytes that it would take.
    let weight: UInt32

    init(_ record: StoredRecord, weight: UInt32) {
        key = record.version.key
        createdAt = record.version.createdAt
        expiresAt = record.expiresAt
        self.weight = weight
    }

    var storedByteCount: Int { 73 }

    func write(to writer: inout ByteWriter) {
        writer.write(SlotKey(key), createdAt, expiresAt, weight)
    }

    init(from reader: inout ByteReader) throws(FormError) {
        key = try SlotKey(from: &reader).key
        (createdAt, expiresAt, weight) = try (reader.read(), reader.read(), reader.read())
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// How many records the anchored lane had no room for.
    package func givenUpCount() throws(StorageError) -> Int { try count(GivenUpRecords.self) }

    /// Whether a record was removed, and there still is no room for it.
    ///
    /// There is if it fits in by now, or if the lane has a heavier one.
    func isGivenUp(_ id: RecordID) throws -> Bool {
        guard let givenUp = try get(GivenUpRecords.self, id) else { return false }
        let bytes = try anchoredLaneBytes() + UInt64(givenUp.weight)
        if bytes <= UInt64(limits.anchoredLaneBytesMax) { return false }
        guard let heaviest = try heaviestAnchored() else { return true }
        return (heaviest.first, heaviest.second) < (givenUp.weight, id)
    }
}

extension WriteTransaction {
    /// Removes a record of the anchored lane for lack of room; its slot stays taken.
    mutating func giveUp(
        _ id: RecordID,
        _ lanes: inout LaneBytes
    ) throws {
        guard let record = try record(id) else {
            throw StorageError.corrupt(.value(table: AnchoredByWeight.name))
        }
        let givenUp = GivenUpRecord(record, weight: try weight(inSlotOf: record))
        try removeContent(of: record, &lanes)
        try put(GivenUpRecords.self, id, givenUp)
        try put(GivenUpByExpiry.self, CompositeKey(givenUp.expiresAt, id), EmptyValue())
    }

    /// Frees the slot of a dropped record.
    mutating func removeGivenUp(_ id: RecordID) throws -> GivenUpRecord? {
        guard let givenUp = try get(GivenUpRecords.self, id) else { return nil }
        let version = RecordVersion(key: givenUp.key, createdAt: givenUp.createdAt, id: id)
        try remove(GivenUpRecords.self, id)
        try remove(GivenUpByExpiry.self, CompositeKey(givenUp.expiresAt, id))
        try removePlace(RecordRankKey(version, in: .anchored))
        return givenUp
    }

    /// Forgets those whose kind's lifetime is over, at most `max`.
    ///
    /// - Returns: How many it forgot.
    mutating func sweepGivenUp(at now: Timestamp, max: Int) throws -> Int {
        let due = try keys(GivenUpByExpiry.self, .all(), limit: max) { $0.first <= now }
        for key in due { _ = try removeGivenUp(key.second) }
        return due.count
    }

    /// Over the limit, those are forgotten first that expire first.
    mutating func boundGivenUp() throws {
        while try givenUpCount() > limits.givenUpRecordsMax,
            let first = try first(GivenUpByExpiry.self, .all())
        {
            _ = try removeGivenUp(first.key.second)
        }
    }
}
