package import Keys

/// A verified record, signed by its author and valid for its kind, which nodes store.
///
/// Created only by ``UnverifiedRecord/verified()``, by ``RecordDraft/signed(by:)`` and from the
/// node's own store.
package struct SignedRecord: Hashable, Sendable {
    private let record: UnverifiedRecord
    package let content: RecordContent

    init(verified record: UnverifiedRecord, content: RecordContent) {
        self.record = record
        self.content = content
    }

    /// Reads a record that this node verified before storing it; does not check the signature.
    package init(stored bytes: [UInt8]) throws(RecordFault) {
        self = try UnverifiedRecord(bytes).checked()
    }

    /// Returns the same record with this stamp.
    func stamped(_ stamp: UInt64) -> SignedRecord {
        SignedRecord(verified: record.stamped(stamp), content: content)
    }

    /// The bytes as received, which are stored and forwarded.
    package var bytes: [UInt8] { record.bytes }
    package var id: RecordID { record.id }
    package var network: String { record.draft.network }
    package var author: Address { record.draft.author }
    package var slot: Bytes32 { record.draft.slot }
    package var kind: RecordKind { content.kind }
    package var createdAt: Timestamp { record.draft.createdAt }
    package var summary: String { record.draft.summary }
    package var isWithdrawal: Bool {
        if case .withdrawal = content { true } else { false }
    }
    package var key: RecordKey { RecordKey(author: author, kind: kind, slot: slot) }
    /// Whether it has a stamp, sufficient or not.
    package var isStamped: Bool { record.stamp != nil }
    package var unstampedByteCount: Int { record.unstampedByteCount }
    package var version: RecordVersion {
        RecordVersion(key: key, createdAt: createdAt, id: id)
    }

    /// When the record expires, by its author's clock and its kind's lifetime.
    package var expiresAt: Timestamp { createdAt.advanced(by: kind.lifetime) }
}
