package import Keys

/// The key under which one record is kept: a later record with the same key replaces it.
package struct RecordKey: Hashable, Sendable {
    package let author: Address
    package let kind: RecordKind
    package let slot: Bytes32

    package init(author: Address, kind: RecordKind, slot: Bytes32) {
        (self.author, self.kind, self.slot) = (author, kind, slot)
    }
}

/// The part of a record that decides which version is kept.
///
/// Source: Docs/protocol.md, section 4.4.
package struct RecordVersion: Hashable, Sendable {
    package let key: RecordKey
    package let createdAt: Timestamp
    package let id: RecordID

    package init(key: RecordKey, createdAt: Timestamp, id: RecordID) {
        (self.key, self.createdAt, self.id) = (key, createdAt, id)
    }

    /// Whether this version comes before `other`: the later one, or on a tie the one with the lower
    /// id.
    ///
    /// A total order over different ids, so every node keeps the same records whatever the order in
    /// which they arrived.
    package func precedes(_ other: RecordVersion) -> Bool {
        createdAt == other.createdAt ? id < other.id : createdAt > other.createdAt
    }

    /// Whether this version replaces `other` in their slot.
    ///
    /// Of reviews those with the lowest ids stay, whenever they were made: a later one does not
    /// replace an earlier one.
    ///
    /// Source: Docs/protocol.md, section 4.4.
    package func supersedes(_ other: RecordVersion) -> Bool {
        key.kind == .review ? id < other.id : precedes(other)
    }

    /// Returns the time with which an author's next version wins.
    package static func next(after last: Timestamp?, now: Timestamp) -> Timestamp {
        guard let last else { return now }
        return max(now, last.advanced(by: .milliseconds(1)))
    }
}
