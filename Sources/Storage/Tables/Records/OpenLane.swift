import Keys
import Market

/// Which origin an open record counts for.
enum OpenLaneOrigins: Table {
    typealias Key = RecordID
    typealias Value = RecordOrigin
    static let name = "open-lane-origins"
}

/// Open records by origin, the least worth keeping last: the longest, and of those the latest come.
enum OpenLaneByOrigin: Table {
    typealias Key = OpenLanePlace
    typealias Value = Nothing
    static let name = "open-lane-by-origin"
}

/// Where an open record is among those of its origin.
struct OpenLanePlace: TableKey, Equatable {
    let origin: RecordOrigin
    /// How often 2 KiB must be doubled to hold the record: 0 for a profile or device.
    let sizeClass: UInt8
    let firstSeen: Timestamp
    let id: RecordID

    init(_ record: StoredRecord, of origin: RecordOrigin) {
        self.origin = origin
        let doublings = (0...).first { record.bytes.count <= OpenLaneRules.byteCountMax << $0 }
        sizeClass = UInt8(clamping: doublings ?? 0)
        firstSeen = record.firstSeen
        id = record.version.id
    }

    func write(to writer: inout ByteWriter) {
        writer.append(origin.place)
        writer.append(origin.kind)
        writer.append(sizeClass)
        writer.append(firstSeen.milliseconds)
        writer.append(id)
    }

    init(from reader: inout ByteReader) throws(FormError) {
        origin = try RecordOrigin(from: &reader)
        sizeClass = try reader.read()
        firstSeen = Timestamp(milliseconds: try reader.read())
        id = try reader.readRecordID()
    }
}

extension RecordOrigin {
    /// What is kept for its account's sake, whoever brought it: no other record takes its place.
    static let kept = RecordOrigin(place: 0, kind: 3)
}

// The open lane is shared by origin. Whoever floods it takes the largest share, and it is from the
// largest share that room is made; there the long records go first, and of those the ones that came
// last, so that what has been here before a flood stays.

extension WriteTransaction {
    /// Files a record that was just put into the open lane.
    mutating func fileOpen(_ record: StoredRecord, of origin: RecordOrigin) throws {
        try put(OpenLaneOrigins.self, record.version.id, origin)
        try put(OpenLaneByOrigin.self, OpenLanePlace(record, of: origin), Nothing())
        try changeShare(of: origin, in: .open, by: record.bytes.count)
    }

    /// Takes a record that leaves the open lane out of its indexes.
    mutating func unfileOpen(_ record: StoredRecord) throws {
        guard let origin = try get(OpenLaneOrigins.self, record.version.id) else { return }
        try remove(OpenLaneOrigins.self, record.version.id)
        try remove(OpenLaneByOrigin.self, OpenLanePlace(record, of: origin))
        try changeShare(of: origin, in: .open, by: -record.bytes.count)
    }

    /// Makes room until the open lane keeps to its budget, each time at the cost of the origin
    /// that takes most.
    ///
    /// What is kept for its account's sake stays, and from then on counts for nobody; if there is
    /// nothing else left, the lane exceeds its budget by that.
    ///
    /// - Returns: The ids that had to go.
    mutating func evictOpenLane(at now: Timestamp, _ limits: Limits) throws -> Set<RecordID> {
        var evicted: Set<RecordID> = []
        let keptMax = UInt64(try bytesKeptMax(limits))
        while try counter(Counters.openLaneBytes) > UInt64(limits.openLaneBytesMax) + keptMax {
            guard let largest = try largestShare(in: .open, besides: .kept),
                let place = try first(
                    OpenLaneByOrigin.self,
                    .prefix(largest.origin, .descending)
                )?.key
            else { break }
            guard let record = try record(place.id) else {
                throw StorageError.corrupt(.value(table: OpenLaneByOrigin.name))
            }
            if try isKept(place.id, limits), try hasKeptRoom(for: record, keptMax),
                try prolong(place.id, at: now, limits: limits)
            {
                try unfileOpen(record)
                try fileOpen(record, of: .kept)
            } else {
                var lanes = LaneBytes()
                _ = try removeRecord(place.id, limits, &lanes)
                try add(lanes)
                evicted.insert(place.id)
            }
        }
        return evicted
    }
}

extension Reading where Self: ~Copyable {
    /// Whether a record of an account of others still fits into what all of them may keep.
    fileprivate func hasKeptRoom(for record: StoredRecord, _ bytesMax: UInt64) throws -> Bool {
        if try contains(AccountEntries.self, record.version.key.author) { return true }
        return try keptOpenBytes() + UInt64(record.bytes.count) <= bytesMax
    }

    /// Bytes of the open lane that no other record takes the place of.
    package func keptOpenBytes() throws -> UInt64 { try share(of: .kept, in: .open) }
}
