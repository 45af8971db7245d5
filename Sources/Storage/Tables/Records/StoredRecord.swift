package import Keys
package import Market

/// Which of the two lanes a record is kept in.
///
/// Source: Docs/protocol.md, section 4.5.
package enum RecordLane: UInt8, TableKey, CaseIterable {
    /// The chain shows that it cost something: kept for its kind's lifetime.
    case anchored = 1
    /// Kept for some days within a budget of bytes, shared by origin.
    case open = 2
}

/// A record as the node stores it: its bytes as received, and its index keys.
package struct StoredRecord: Equatable, Sendable {
    package let version: RecordVersion
    package let lane: RecordLane
    /// The index that it is filed under besides its author: a review's listing or sale.
    package let subject: Bytes32?
    /// When this node first saw it, by this node's clock.
    package let firstSeen: Timestamp
    /// The sort key of lists: the anchoring block's time, else `firstSeen`.
    package let orderTime: Timestamp
    /// When it is forgotten.
    package let expiresAt: Timestamp
    /// The bytes as received, which are forwarded.
    package let bytes: [UInt8]
}

extension StoredRecord {
    /// Its weight in the anchored lane.
    var weight: Int {
        // Bytes that a stricter rule no longer accepts as a record still count.
        let unstamped = (try? UnverifiedRecord(bytes))?.unstampedByteCount
        return Self.weight(unstampedByteCount: unstamped ?? bytes.count)
    }

    /// The size of a record in the anchored lane: its bytes without the stamp, which another copy
    /// may lack, and its entries in the indexes, which is most of what a short one takes.
    ///
    /// Source: Docs/protocol.md, section 4.8.
    static func weight(unstampedByteCount: Int) -> Int { unstampedByteCount + 512 }
}

extension StoredRecord: KeyedValue {
    private static let fixedByteCount = 8 + 1 + 1 + 20 + 32 + 4 * 8 + 32

    package var storedByteCount: Int { Self.fixedByteCount + bytes.count }

    package func write(to writer: inout ByteWriter) {
        writer.write(Self.mark(of: version.id), version.key.kind, lane, version.key.author)
        writer.write(version.key.slot, version.createdAt, firstSeen, orderTime, expiresAt)
        writer.write(subject ?? .zero, bytes)
    }

    /// Reads the value under `id`, unless it is another record.
    init(_ id: RecordID, from reader: inout ByteReader) throws(FormError) {
        guard try reader.read() == Self.mark(of: id) else { throw FormError() }
        let kind: RecordKind = try reader.read()
        lane = try reader.read()
        let (author, slot): (Address, Bytes32) = try (reader.read(), reader.read())
        version = RecordVersion(
            key: RecordKey(author: author, kind: kind, slot: slot),
            createdAt: try reader.read(),
            id: id
        )
        (firstSeen, orderTime, expiresAt) = try (reader.read(), reader.read(), reader.read())
        let subject: Bytes32 = try reader.read()
        self.subject = subject == .zero ? nil : subject
        bytes = reader.readRest()
    }

    /// The part of its id that it begins with, so that it is not read under another's.
    private static func mark(of id: RecordID) -> UInt64 { id.digest.words.0 }
}
