import Keys
package import Market

/// Records of the anchored lane by id.
///
/// A table for each lane, as nodes compare the anchored ids page by page and would walk past every
/// open record in between. Read and written through the functions of `RecordsReading` and
/// `WriteTransaction`, which keep the indexes in step.
enum AnchoredRecords: Table {
    typealias Key = RecordID
    typealias Value = StoredRecord
    static let name = "anchored-records"

    static func value(
        of id: RecordID,
        from reader: inout ByteReader
    ) throws(FormError) -> StoredRecord {
        try StoredRecord(id, from: &reader)
    }
}

/// Records of the open lane by id.
enum OpenRecords: Table {
    typealias Key = RecordID
    typealias Value = StoredRecord
    static let name = "open-records"

    static func value(
        of id: RecordID,
        from reader: inout ByteReader
    ) throws(FormError) -> StoredRecord {
        try StoredRecord(id, from: &reader)
    }
}

/// The record that lives in a slot; of a review, two that contradict each other may.
enum RecordSlots: Table {
    typealias Key = SlotKey
    typealias Value = SlotEntry
    static let name = "record-slots"
}

/// Records of a kind, by the sort key of lists.
enum RecordsByKind: Table {
    typealias Key = RecordOrderKey
    typealias Value = EmptyValue
    static let name = "records-by-kind"
}

/// An author's records of a kind and lane, the least worth keeping first.
enum RecordsByAuthor: Table {
    typealias Key = RecordRankKey
    typealias Value = EmptyValue
    static let name = "records-by-author"
}

/// How many slots of a kind an author has taken in a lane.
enum RecordCounts: Table {
    typealias Key = RecordRankKey.Prefix
    typealias Value = UInt32
    static let name = "record-shelves"
}

/// Records that are filed under a subject, such as the reviews of a sale.
enum RecordsBySubject: Table {
    typealias Key = CompositeKey<Bytes32, RecordOrderKey>
    typealias Value = EmptyValue
    static let name = "records-by-subject"
}

/// Records of a lane by when they are forgotten.
enum RecordsByExpiry: Table {
    typealias Key = RecordExpiryKey
    typealias Value = EmptyValue
    static let name = "records-by-expiry"
}

/// Author, kind and slot, and the position in the slot: there are as many as the kind keeps records
/// in a slot.
struct SlotKey: TableKey {
    let key: RecordKey
    /// 0, or 1 for the second position.
    let place: UInt8

    /// With the kind's number if it is the second position.
    private static let secondFlag: UInt8 = 0x80

    func write(to writer: inout ByteWriter) {
        writer.write(key.author, key.kind.rawValue | (place == 0 ? 0 : Self.secondFlag))
        writer.write(key.slot)
    }

    init(_ key: RecordKey, place: UInt8 = 0) { (self.key, self.place) = (key, place) }

    init(from reader: inout ByteReader) throws(FormError) {
        let (author, number): (Address, UInt8) = try (reader.read(), reader.read())
        guard let kind = RecordKind(rawValue: number & ~Self.secondFlag) else { throw FormError() }
        place = number & Self.secondFlag == 0 ? 0 : 1
        key = RecordKey(author: author, kind: kind, slot: try reader.read())
    }
}

/// The version in a slot, its lane, and its actual or possible size there.
struct SlotEntry: TableValue {
    let id: RecordID
    let createdAt: Timestamp
    let lane: RecordLane
    let weight: UInt32

    init(_ record: StoredRecord, weight: Int) {
        (id, createdAt) = (record.version.id, record.version.createdAt)
        lane = record.lane
        self.weight = UInt32(clamping: weight)
    }

    var storedByteCount: Int { 45 }

    func write(to writer: inout ByteWriter) { writer.write(id, createdAt, lane, weight) }

    init(from reader: inout ByteReader) throws(FormError) {
        (id, createdAt, lane) = try (reader.read(), reader.read(), reader.read())
        weight = try reader.read()
    }
}

extension SlotEntry {
    /// The order in a slot that keeps two: anchored before open, then by id.
    func comesBefore(_ other: SlotEntry) -> Bool {
        lane == other.lane ? id < other.id : lane == .anchored
    }
}

/// A position in a list of records; pages continue after one.
package struct RecordOrderKey: TableKey, Hashable {
    package let kind: RecordKind
    package let time: Timestamp
    package let id: RecordID

    package init(kind: RecordKind, time: Timestamp, id: RecordID) {
        (self.kind, self.time, self.id) = (kind, time, id)
    }

    package func write(to writer: inout ByteWriter) { writer.write(kind, time, id) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (kind, time, id) = try (reader.read(), reader.read(), reader.read())
    }
}

extension RecordOrderKey: Comparable {
    /// The order of the tables, in which lists read backwards.
    package static func < (left: RecordOrderKey, right: RecordOrderKey) -> Bool {
        (left.kind.rawValue, left.time, left.id) < (right.kind.rawValue, right.time, right.id)
    }
}

/// Author, kind and lane, then the order of removal: the earliest made, on a tie the greatest id.
struct RecordRankKey: TableKey {
    typealias Prefix = CompositeKey<CompositeKey<Address, UInt8>, UInt8>

    let version: RecordVersion
    let lane: RecordLane

    init(_ version: RecordVersion, in lane: RecordLane) {
        (self.version, self.lane) = (version, lane)
    }

    init(_ record: StoredRecord) { self.init(record.version, in: record.lane) }

    var prefix: Prefix { Self.prefix(version.key.author, version.key.kind, lane) }

    static func prefix(_ author: Address, _ kind: RecordKind, _ lane: RecordLane) -> Prefix {
        CompositeKey(CompositeKey(author, kind.rawValue), lane.rawValue)
    }

    func write(to writer: inout ByteWriter) {
        writer.write(version.key.author, version.key.kind, lane, version.createdAt)
        writer.write(Self.inverted(version.id.digest), version.key.slot)
    }

    init(from reader: inout ByteReader) throws(FormError) {
        let (author, kind): (Address, RecordKind) = try (reader.read(), reader.read())
        lane = try reader.read()
        let createdAt: Timestamp = try reader.read()
        let id = RecordID(Self.inverted(try reader.read()))
        let key = RecordKey(author: author, kind: kind, slot: try reader.read())
        version = RecordVersion(key: key, createdAt: createdAt, id: id)
    }

    private static func inverted(_ bytes: Bytes32) -> Bytes32 {
        let (word0, word1, word2, word3) = bytes.words
        return Bytes32(words: ~word0, ~word1, ~word2, ~word3)
    }
}

/// Lane, then when a record of it is forgotten; walks of a lane continue behind one.
package struct RecordExpiryKey: TableKey, Equatable {
    let lane: RecordLane
    let expiresAt: Timestamp
    package let id: RecordID

    init(lane: RecordLane, expiresAt: Timestamp, id: RecordID) {
        (self.lane, self.expiresAt, self.id) = (lane, expiresAt, id)
    }

    package func write(to writer: inout ByteWriter) { writer.write(lane, expiresAt, id) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (lane, expiresAt, id) = try (reader.read(), reader.read(), reader.read())
    }
}
