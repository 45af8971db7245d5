package import Market

/// The share of each origin in the room for strangers' records, by queue.
enum RecordShares: Table {
    typealias Key = CompositeKey<RecordQueue, RecordOrigin>
    typealias Value = UInt64
    static let name = "record-shares"
}

/// The same by size, the largest last.
enum RecordSharesBySize: Table {
    typealias Key = CompositeKey<CompositeKey<RecordQueue, UInt64>, RecordOrigin>
    typealias Value = EmptyValue
    static let name = "record-shares-by-size"
}

/// The quotas that origins share.
enum RecordQueue: UInt8, TableKey, Comparable {
    /// Bytes of the open lane.
    case open = 1
    /// Places of the records that wait for the chain.
    case held = 2
    /// Devices remembered as revoked that nothing here had certified.
    case revoked = 3
    /// Those of parties to sales, and of accounts whose mail is kept here; shared by account.
    case revokedOfKnown = 4
    /// Those whose certificate was here before.
    case revokedOfHeld = 5

    /// Those of revoked devices, what matters least first.
    static let revocations: [RecordQueue] = [.revoked, .revokedOfKnown, .revokedOfHeld]

    static func < (left: RecordQueue, right: RecordQueue) -> Bool { left.rawValue < right.rawValue }
}

extension RecordOrigin: TableKey, TableValue {
    package var storedByteCount: Int { 16 }

    package func write(to writer: inout ByteWriter) { writer.write(place, kind) }

    package init(from reader: inout ByteReader) throws(FormError) {
        self.init(place: try reader.read(), kind: try reader.read())
    }
}

extension ReadableTransaction where Self: ~Copyable {
    func share(of origin: RecordOrigin, in queue: RecordQueue) throws -> UInt64 {
        try get(RecordShares.self, CompositeKey(queue, origin)) ?? 0
    }

    /// The origin with the largest share of a queue, other than `excluded`.
    func largestShare(
        in queue: RecordQueue,
        besides excluded: RecordOrigin? = nil
    ) throws -> (origin: RecordOrigin, size: UInt64)? {
        var found: (RecordOrigin, UInt64)?
        try scanKeys(RecordSharesBySize.self, .prefix(queue, .descending)) { key in
            if key.second == excluded { return true }
            found = (key.second, key.first.second)
            return false
        }
        return found
    }
}

extension WriteTransaction {
    mutating func changeShare(
        of origin: RecordOrigin,
        in queue: RecordQueue,
        by difference: Int
    ) throws {
        let old = try share(of: origin, in: queue)
        let new = UInt64(clamping: Int(clamping: old) + difference)
        if old == new { return }
        if old > 0 {
            try remove(RecordSharesBySize.self, CompositeKey(CompositeKey(queue, old), origin))
        }
        if new > 0 {
            try put(RecordShares.self, CompositeKey(queue, origin), new)
            try put(
                RecordSharesBySize.self,
                CompositeKey(CompositeKey(queue, new), origin),
                EmptyValue()
            )
        } else {
            try remove(RecordShares.self, CompositeKey(queue, origin))
        }
    }
}
