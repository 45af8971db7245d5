package import Keys

/// Names what one record lives for: a later record of the same key takes its place.
package struct RecordKey: Hashable, Sendable {
    package let author: Address
    package let kind: RecordKind
    package let slot: Bytes32

    package init(author: Address, kind: RecordKind, slot: Bytes32) {
        (self.author, self.kind, self.slot) = (author, kind, slot)
    }
}

/// A record reduced to what decides whether it stays.
///
/// Source: Docs/protocol.md, section 4.4.
package struct RecordVersion: Hashable, Sendable {
    package let key: RecordKey
    package let createdAt: Timestamp
    package let id: RecordID

    package init(key: RecordKey, createdAt: Timestamp, id: RecordID) {
        (self.key, self.createdAt, self.id) = (key, createdAt, id)
    }

    /// Tells whether this one comes before `other`: the later does, on a tie the lower id.
    ///
    /// A total order over different ids, hence every node keeps the same records whatever the
    /// order in which they came.
    package func precedes(_ other: RecordVersion) -> Bool {
        createdAt == other.createdAt ? id < other.id : createdAt > other.createdAt
    }

    /// When an author may sign the next version so that it wins.
    package static func next(after last: Timestamp?, now: Timestamp) -> Timestamp {
        guard let last else { return now }
        return max(now, last.advanced(by: .milliseconds(1)))
    }
}
