/// A range of keys to visit, and the direction.
package struct Scan<Key: TableKey>: Sendable {
    /// The direction of a scan.
    package enum Order: Sendable {
        case ascending, descending
    }

    enum Start: Sendable {
        /// The first key of the prefix, in the scan's direction.
        case edge
        /// This key, or if it is absent the next one in the scan's direction.
        case at([UInt8])
        /// The next key after this one, in the scan's direction.
        case beyond([UInt8])
    }

    let prefix: [UInt8]
    let start: Start
    let order: Order

    /// Returns a scan of the whole table.
    package static func all(_ order: Order = .ascending) -> Scan {
        Scan(prefix: [], start: .edge, order: order)
    }

    /// Returns a scan of all keys that begin with `prefix`, which is one or more of the first
    /// fields.
    package static func prefix(_ prefix: some TableKey, _ order: Order = .ascending) -> Scan {
        Scan(prefix: encoded(prefix), start: .edge, order: order)
    }

    /// Returns this scan from `key` on, including `key` itself.
    package func from(_ key: some TableKey) -> Scan {
        Scan(prefix: prefix, start: .at(encoded(key)), order: order)
    }

    /// Returns this scan from after `key` on, for the next page.
    package func beyond(_ key: some TableKey) -> Scan {
        Scan(prefix: prefix, start: .beyond(encoded(key)), order: order)
    }

    /// The same from the edge on for `nil`: the first page.
    package func beyond(_ key: (some TableKey)?) -> Scan { key.map { beyond($0) } ?? self }

    /// The same walk in a tree in which the table's keys begin with `first`.
    func behind(_ first: [UInt8]) -> Scan {
        if first.isEmpty { return self }
        func whole(_ key: [UInt8]) -> [UInt8] {
            Array((first + key).prefix(Environment.keyByteCountMax))
        }
        let start: Start =
            switch start {
            case .edge: .edge
            case .at(let key): .at(whole(key))
            case .beyond(let key): .beyond(whole(key))
            }
        return Scan(prefix: whole(prefix), start: start, order: order)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The keys that a scan visits, in its order: at most `limit`, and only up to the first that
    /// is not wanted.
    package func keys<T: Table>(
        _ table: T.Type,
        _ scan: Scan<T.Key>,
        limit: Int = .max,
        while isWanted: (T.Key) throws -> Bool = { _ in true }
    ) throws -> [T.Key] {
        var found: [T.Key] = []
        guard limit > 0 else { return [] }
        try scanKeys(table, scan) { key in
            guard try isWanted(key) else { return false }
            found.append(key)
            return found.count < limit
        }
        return found
    }

    /// The keys and values that a scan visits, as ``keys(_:_:limit:while:)`` answers the keys.
    package func entries<T: Table>(
        _ table: T.Type,
        _ scan: Scan<T.Key>,
        limit: Int = .max,
        while isWanted: (T.Key, T.Value) throws -> Bool = { _, _ in true }
    ) throws -> [(key: T.Key, value: T.Value)] {
        var found: [(T.Key, T.Value)] = []
        guard limit > 0 else { return [] }
        try self.scan(table, scan) { key, value in
            guard try isWanted(key, value) else { return false }
            found.append((key, value))
            return found.count < limit
        }
        return found
    }
}

/// Encodes a key, cut to the length that LMDB accepts.
func encoded(_ key: some TableKey) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Environment.keyByteCountMax) { buffer, count in
        var writer = unsafe ByteWriter(buffer: UnsafeMutableRawBufferPointer(buffer))
        key.write(to: &writer)
        count = writer.count
    }
}
