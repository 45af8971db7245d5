package import Market

/// Why an id is remembered though its record is not kept.
package enum ForgettingReason: UInt8, TableKey, CaseIterable {
    /// A later record took its slot.
    case superseded = 1
    /// The author has more recent ones, up to the kind's limit.
    case overLimit = 2
    /// Its kind's rules, the chain or this node's policy refused it.
    case refused = 3
}

/// Ids that are not wanted again until they expire, so that they do not look like differences
/// between nodes and are not fetched once more.
enum ForgottenRecords: Table {
    typealias Key = RecordID
    typealias Value = ForgottenEntry
    static let name = "forgotten-records"
}

/// The same by when they may be dropped.
enum ForgottenByExpiry: Table {
    typealias Key = CompositeKey<Timestamp, RecordID>
    typealias Value = EmptyValue
    static let name = "forgotten-by-expiry"
}

/// The remains of a record that is not stored.
struct ForgottenEntry: TableValue {
    let reason: ForgettingReason
    let until: Timestamp

    init(reason: ForgettingReason, until: Timestamp) {
        (self.reason, self.until) = (reason, until)
    }

    var storedByteCount: Int { 9 }

    func write(to writer: inout ByteWriter) { writer.write(reason, until) }

    init(from reader: inout ByteReader) throws(FormError) {
        (reason, until) = try (reader.read(), reader.read())
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Why `id` is not wanted, or `nil` if nothing is remembered against it.
    package func forgettingReason(of id: RecordID) throws -> ForgettingReason? {
        try get(ForgottenRecords.self, id)?.reason
    }
}

extension WriteTransaction {
    /// Remembers that `id` is not wanted; over the limit those that expire first are dropped.
    package mutating func forget(
        _ id: RecordID,
        _ reason: ForgettingReason,
        until: Timestamp
    ) throws {
        if let old = try get(ForgottenRecords.self, id) {
            try remove(ForgottenByExpiry.self, CompositeKey(old.until, id))
        }
        try put(ForgottenRecords.self, id, ForgottenEntry(reason: reason, until: until))
        try put(ForgottenByExpiry.self, CompositeKey(until, id), EmptyValue())
        let excess = try count(ForgottenRecords.self) - limits.forgottenRecordsMax
        try drop(keys(ForgottenByExpiry.self, .all(), limit: excess))
    }

    /// Drops what need not be remembered any longer, at most `max` ids.
    mutating func dropForgotten(before now: Timestamp, max: Int) throws {
        try drop(keys(ForgottenByExpiry.self, .all(), limit: max) { $0.first <= now })
    }

    private mutating func drop(_ keys: [CompositeKey<Timestamp, RecordID>]) throws {
        for key in keys {
            try remove(ForgottenByExpiry.self, key)
            try remove(ForgottenRecords.self, key.second)
        }
    }
}
