package import Keys

/// A verified record, signed by its author and valid for its kind, which nodes store.
///
/// Created only by ``UnverifiedRecord/verified()``, by ``RecordDraft/signed(by:)`` and from the
/// node's own store.
package struct SignedRecord: Hashable, Sendable {
    /// The envelope and its signature.
    package let unverified: UnverifiedRecord
    package let content: RecordContent

    init(verified record: UnverifiedRecord, content: RecordContent) {
        unverified = record
        self.content = content
    }

    /// Reads a record that this node verified before storing it; does not check the signature, nor
    /// the `id` under which it was stored.
    package init(stored bytes: [UInt8], id: RecordID? = nil) throws(RecordFault) {
        self = try UnverifiedRecord(bytes, id: id).checked()
    }

    /// Returns the same record with this stamp.
    func stamped(_ stamp: UInt64) -> SignedRecord {
        SignedRecord(verified: unverified.stamped(stamp), content: content)
    }

    /// The bytes as received, which are stored and forwarded.
    package var bytes: [UInt8] { unverified.bytes }
    package var id: RecordID { unverified.id }
    package var network: String { unverified.draft.network }
    package var author: Address { unverified.draft.author }
    package var slot: Bytes32 { unverified.draft.slot }
    package var kind: RecordKind { content.kind }
    package var createdAt: Timestamp { unverified.draft.createdAt }
    package var summary: String { unverified.draft.summary }
    package var isWithdrawal: Bool {
        if case .withdrawal = content { true } else { false }
    }
    package var key: RecordKey { RecordKey(author: author, kind: kind, slot: slot) }
    /// Whether it has a stamp, sufficient or not.
    package var isStamped: Bool { unverified.stamp != nil }
    package var unstampedByteCount: Int { unverified.unstampedByteCount }
    package var version: RecordVersion {
        RecordVersion(key: key, createdAt: createdAt, id: id)
    }

    /// When the record expires, by its author's clock and its kind's lifetime.
    package var expiresAt: Timestamp { createdAt.advanced(by: kind.lifetime) }
}
