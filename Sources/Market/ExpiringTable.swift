/// A bounded table whose entries end at a time.
///
/// Laws:
/// - An entry can be found until its expiry, but not afterwards.
/// - There are at most `entriesMax` entries. When one more would not fit, the entries that have
///   ended are removed, and if there are none, the one that ends first.
package struct ExpiringTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var entries: [Key: (value: Value, until: Timestamp)] = [:]
    private let entriesMax: Int

    package init(entriesMax: Int) {
        self.entriesMax = entriesMax
    }

    /// Returns the value of a key, or `nil` if there is none or it has ended.
    package func value(of key: Key, at now: Timestamp) -> Value? {
        guard let entry = entries[key], entry.until > now else { return nil }
        return entry.value
    }

    /// The number of entries, those that have ended included.
    package var count: Int { entries.count }

    /// Returns whether there is room for another entry without removing one that has not ended.
    package func hasRoom(at now: Timestamp) -> Bool {
        entries.count < entriesMax
            || entries.values.count { $0.until > now } < entriesMax
    }

    package mutating func put(_ value: Value, for key: Key, until: Timestamp, at now: Timestamp) {
        if entries[key] == nil, entries.count >= entriesMax {
            entries = entries.filter { $0.value.until > now }
            if entries.count >= entriesMax,
                let first = entries.min(by: { $0.value.until < $1.value.until })
            {
                entries[first.key] = nil
            }
        }
        entries[key] = (value, until)
    }

    package mutating func remove(_ key: Key) { entries[key] = nil }

    package mutating func removeAll(where isRemoved: (Key) -> Bool) {
        entries = entries.filter { !isRemoved($0.key) }
    }
}

extension ExpiringTable where Value == Void {
    package func contains(_ key: Key, at now: Timestamp) -> Bool { value(of: key, at: now) != nil }

    package mutating func insert(_ key: Key, until: Timestamp, at now: Timestamp) {
        put((), for: key, until: until, at: now)
    }
}
