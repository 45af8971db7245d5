package import Market

/// Which records were added or removed, in order: numbers without gaps, from 1.
///
/// Written in the same transaction as the thing itself, so that a follower that stores its number
/// beside its derived data never misses or repeats one. The last entry is never removed, because it
/// has the count.
package enum Changes: Table {
    package typealias Key = UInt64
    package typealias Value = RecordID
    package static let name = "changes"
}

/// A record that was added or removed, with the change's number.
package struct NumberedChange: Equatable, Sendable {
    package let number: UInt64
    package let record: RecordID

    package init(number: UInt64, record: RecordID) {
        (self.number, self.record) = (number, record)
    }
}

/// Some changes in order, as a follower reads them.
package struct ChangePage: Equatable, Sendable {
    /// Contiguous; the first follows the number asked for, unless `isGap`.
    package let changes: [NumberedChange]
    /// The number of the latest change.
    package let last: UInt64
    /// Whether changes after the given number are forgotten, or that number is ahead of this store:
    /// derived data must be built again.
    package let isGap: Bool
}

extension WriteTransaction {
    /// Records that a record was added or removed, and now and then forgets the oldest changes
    /// beyond the limit.
    package mutating func noteChange(
        of record: RecordID
    ) throws {
        let number = try lastChange() + 1
        try put(Changes.self, number, record)
        cachedLastChange = number
        if number.isMultiple(of: 1_024), number > limits.changesMax {
            let kept = number - limits.changesMax
            let old = try keys(Changes.self, .all()) { $0 <= kept }
            for key in old { try remove(Changes.self, key) }
        }
    }

    /// The number of the last change, including this transaction's own; 0 if there is none.
    mutating func lastChange() throws -> UInt64 {
        if let cachedLastChange { return cachedLastChange }
        let number = try newestChange()
        cachedLastChange = number
        return number
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The number of the last change; 0 if there is none.
    package func newestChange() throws -> UInt64 {
        try keys(Changes.self, .all(.descending), limit: 1).first ?? 0
    }

    /// The changes behind `number`, at most `limit`.
    package func changes(after number: UInt64, limit: Int) throws -> ChangePage {
        let last = try newestChange()
        let changes = try entries(Changes.self, .all().beyond(number), limit: limit)
            .map { NumberedChange(number: $0.key, record: $0.value) }
        let isGap = number > last || changes.first.map { $0.number != number + 1 } ?? false
        return ChangePage(changes: changes, last: last, isGap: isGap)
    }
}
