import Keys
import Market

/// Which origin an open record counts for.
enum OpenLaneOrigins: Table {
    typealias Key = RecordID
    typealias Value = RecordOrigin
    static let name = "open-lane-origins"
}

/// Open records by origin, the least worth keeping last: the longest, and among those the latest.
enum OpenLaneByOrigin: Table {
    typealias Key = OpenLaneKey
    typealias Value = EmptyValue
    static let name = "open-lane-by-origin"
}

/// Where an open record is among those of its origin.
struct OpenLaneKey: TableKey, Equatable {
    let origin: RecordOrigin
    /// How often 2 KiB must be doubled to fit the record: 0 for a profile or device.
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
        writer.write(origin.place, origin.kind, sizeClass, firstSeen, id)
    }

    init(from reader: inout ByteReader) throws(FormError) {
        (origin, sizeClass, firstSeen) = try (reader.read(), reader.read(), reader.read())
        id = try reader.read()
    }
}

extension RecordOrigin {
    /// The origin of records that are kept for their accounts: no other record replaces them.
    static let kept = RecordOrigin(place: 0, kind: 3)
}

// The open lane is shared by origin. An origin that floods it has the largest share, and room is
// made at the cost of the largest share: the longest records are removed first, and among those the
// newest, so that records from before a flood stay.

extension WriteTransaction {
    /// Files a record that was just put into the open lane.
    mutating func fileOpen(_ record: StoredRecord, of origin: RecordOrigin) throws {
        try put(OpenLaneOrigins.self, record.version.id, origin)
        try put(OpenLaneByOrigin.self, OpenLaneKey(record, of: origin), EmptyValue())
        try changeShare(of: origin, in: .open, by: record.bytes.count)
    }

    /// Removes a record that leaves the open lane from its indexes.
    mutating func unfileOpen(_ record: StoredRecord) throws {
        guard let origin = try get(OpenLaneOrigins.self, record.version.id) else { return }
        try remove(OpenLaneOrigins.self, record.version.id)
        try remove(OpenLaneByOrigin.self, OpenLaneKey(record, of: origin))
        try changeShare(of: origin, in: .open, by: -record.bytes.count)
    }

    /// Makes room for a record: evicts others until the open lane has at most `bytesMax` bytes,
    /// each time from the origin with the largest share.
    ///
    /// - Returns: The ids of the evicted records.
    /// - Throws: ``OpenLaneFull`` if it is the record itself that has to go.
    mutating func evictOpenLane(
        to bytesMax: UInt64,
        for id: RecordID,
        at now: Timestamp
    ) throws -> Set<RecordID> {
        var evicted: Set<RecordID> = []
        for _ in 0..<Self.evictionsMax {
            guard try openLaneBytes() > bytesMax, let place = try nextToEvict() else {
                return evicted
            }
            guard try place.id != id || isKept(id) else { throw OpenLaneFull() }
            if try evict(place, at: now) { evicted.insert(place.id) }
        }
        throw OpenLaneFull()
    }

    /// Brings the open lane nearer to its budget, if that was lowered or leases have ended.
    ///
    /// - Returns: The number of records removed or filed again; call again until it is zero.
    mutating func trimOpenLane(at now: Timestamp) throws -> Int {
        let bytesMax = UInt64(limits.openLaneBytesMax + (try bytesKeptMax()))
        var steps = 0
        while steps < limits.sweepEntriesMax, try openLaneBytes() > bytesMax,
            let place = try nextToEvict()
        {
            _ = try evict(place, at: now)
            steps += 1
        }
        return steps
    }

    /// Removes a record; a record kept for its account's sake stays, and then counts for no origin.
    ///
    /// - Returns: Whether it is gone.
    private mutating func evict(
        _ place: OpenLaneKey,
        at now: Timestamp
    ) throws -> Bool {
        guard let record = try record(place.id) else {
            throw StorageError.corrupt(.value(table: OpenLaneByOrigin.name))
        }
        if try isKept(place.id), try prolong(place.id, at: now) {
            try refile(record, of: .kept)
            try releaseKept(of: record.version.key.author)
            return false
        }
        var lanes = LaneBytes()
        _ = try removeRecord(place.id, &lanes)
        try add(lanes)
        return true
    }

    /// Releases an account's records that need not be kept any longer, because the account has
    /// newer ones or its mail is no longer stored here.
    mutating func releaseKept(of account: Address) throws {
        for kind in [RecordKind.profile, .device] {
            for record in try records(of: kind, by: account, limit: kind.slotsMax) {
                let id = record.version.id
                guard try get(OpenLaneOrigins.self, id) == .kept, try !isKept(id) else {
                    continue
                }
                try refile(record, of: .unknown)
            }
        }
    }

    private mutating func refile(_ record: StoredRecord, of origin: RecordOrigin) throws {
        try unfileOpen(record)
        try fileOpen(record, of: origin)
    }

    private static var evictionsMax: Int { 256 }
}

/// The lane is full, and the record the first to go.
struct OpenLaneFull: Error {}

extension ReadableTransaction where Self: ~Copyable {
    /// The next record to evict: from the origin with the largest share, the longest record; of
    /// equal ones, the latest.
    fileprivate func nextToEvict() throws -> OpenLaneKey? {
        guard let largest = try largestShare(in: .open, besides: .kept) else { return nil }
        return try first(OpenLaneByOrigin.self, .prefix(largest.origin, .descending))?.key
    }

    /// Bytes of the open lane that are never evicted.
    package func keptOpenBytes() throws -> UInt64 { try share(of: .kept, in: .open) }
}
