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

    /// What stays of `versions`: the winner of each key, and of each author's keys of a kind the
    /// most recent, up to the kind's limit.
    ///
    /// Commutative, associative and idempotent over unions of sets: a version that does not stay
    /// would not stay beside any others either.
    package static func merged(
        _ versions: some Sequence<RecordVersion>
    ) -> [RecordKey: RecordVersion] {
        var winners: [RecordKey: RecordVersion] = [:]
        for version in versions where winners[version.key].map(version.precedes) ?? true {
            winners[version.key] = version
        }
        let shelves = Dictionary(grouping: winners.values) { Shelf(of: $0.key) }
        for (shelf, versions) in shelves where versions.count > shelf.kind.slotsMax {
            let order = versions.sorted { $0.precedes($1) }
            for version in order.dropFirst(shelf.kind.slotsMax) {
                winners[version.key] = nil
            }
        }
        return winners
    }

    private struct Shelf: Hashable {
        let author: Address
        let kind: RecordKind

        init(of key: RecordKey) {
            (author, kind) = (key.author, key.kind)
        }
    }
}
