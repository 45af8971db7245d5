/// What happened to the store, in order: numbers without gaps, from 1.
///
/// Written in the same transaction as the thing itself, so that a follower which keeps its
/// number beside what it derives never misses or repeats one. The last entry is never removed,
/// for it holds the count.
package enum Changes: Table {
    package typealias Key = UInt64
    package typealias Value = Change
    package static let name = "changes"
}

/// One thing that happened to the store.
package struct Change: TableValue, Equatable {
    /// What kind of thing the key names.
    package enum Subject: UInt8, Sendable, CaseIterable {
        case record = 1
        case sale = 2
        case mail = 3
        case message = 4
        case operation = 5
        case peer = 6
        case account = 7
        case chain = 8
    }

    /// What was done to it.
    package enum Action: UInt8, Sendable {
        case stored = 1
        case removed = 2
    }

    package let subject: Subject
    package let action: Action
    /// The thing's key in its table.
    package let key: [UInt8]

    package init(_ subject: Subject, _ action: Action, key: [UInt8]) {
        (self.subject, self.action, self.key) = (subject, action, key)
    }

    /// The key as its table has it; `nil` if the change is of another table.
    package func key<Key: TableKey>(as type: Key.Type) -> Key? { decoded(type, from: key) }

    package var storedByteCount: Int { 2 + key.count }

    package func write(to writer: inout ByteWriter) {
        writer.append(subject.rawValue)
        writer.append(action.rawValue)
        writer.append(key)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        guard let subject = try Subject(rawValue: reader.read()),
            let action = try Action(rawValue: reader.read())
        else { throw FormError() }
        self.init(subject, action, key: reader.readRest())
    }
}

/// A change with its number.
package struct NumberedChange: Equatable, Sendable {
    package let number: UInt64
    package let change: Change

    package init(number: UInt64, change: Change) {
        (self.number, self.change) = (number, change)
    }
}

/// Some changes in order, as a follower reads them.
package struct ChangePage: Equatable, Sendable {
    /// Contiguous; the first follows the number asked for, unless `isGap`.
    package let changes: [NumberedChange]
    /// The number of the last change there is.
    package let last: UInt64
    /// Whether changes after the number asked for are forgotten, or that number lies ahead of
    /// this store: what was derived must be derived anew.
    package let isGap: Bool
}

extension WriteTransaction {
    /// Adds a change to the feed, and forgets the oldest beyond the limit now and then.
    package mutating func note(_ change: Change, limits: StoreLimits = StoreLimits()) throws {
        let number = try lastChange() + 1
        try put(Changes.self, number, change)
        cachedLastChange = number
        if number.isMultiple(of: 1_024), number > limits.changesMax {
            let kept = number - limits.changesMax
            var old: [UInt64] = []
            try scanKeys(Changes.self, .all()) { key in
                if key <= kept { old.append(key) }
                return key < kept
            }
            for key in old { try remove(Changes.self, key) }
        }
    }

    /// The number of the last change, this transaction's own included; 0 where there is none.
    mutating func lastChange() throws -> UInt64 {
        if let cachedLastChange { return cachedLastChange }
        let number = try newestChange()
        cachedLastChange = number
        return number
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The number of the last change; 0 where there is none.
    package func newestChange() throws -> UInt64 {
        var number: UInt64 = 0
        try scanKeys(Changes.self, .all(.descending)) { key in
            number = key
            return false
        }
        return number
    }

    /// The changes behind `number`, at most `limit`.
    package func changes(after number: UInt64, limit: Int) throws -> ChangePage {
        let last = try newestChange()
        var changes: [NumberedChange] = []
        if limit > 0, number < last {
            try scan(Changes.self, .all().beyond(number)) { key, change in
                changes.append(NumberedChange(number: key, change: change))
                return changes.count < limit
            }
        }
        let isGap = number > last || changes.first.map { $0.number != number + 1 } ?? false
        return ChangePage(changes: changes, last: last, isGap: isGap)
    }
}
