/// A type that stands for one table of the store, an ordered map from keys to values.
///
/// Keys are ordered by their bytes. To add a table, declare a type and list it in `Schema`.
package protocol Table: SendableMetatype {
    associatedtype Key: TableKey
    associatedtype Value: TableValue
    /// The table's name in LMDB, which must never change after a release.
    static var name: String { get }
}

/// A key of a table.
///
/// Its encoding has at most 511 bytes, which must sort like the keys.
package protocol TableKey: Sendable {
    func write(to writer: inout ByteWriter)
    init(from reader: inout ByteReader) throws(FormError)
}

/// A value of a table.
package protocol TableValue: Sendable {
    /// The exact number of bytes that `write` appends; LMDB reserves the space before.
    var storedByteCount: Int { get }
    func write(to writer: inout ByteWriter)
    init(from reader: inout ByteReader) throws(FormError)
}

/// A key of two fields, ordered by the first field and then by the second.
package struct Pair<First: TableKey, Second: TableKey>: TableKey {
    package let first: First
    package let second: Second

    package init(_ first: First, _ second: Second) {
        (self.first, self.second) = (first, second)
    }

    package func write(to writer: inout ByteWriter) {
        first.write(to: &writer)
        second.write(to: &writer)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        first = try First(from: &reader)
        second = try Second(from: &reader)
    }
}

extension Pair: Equatable where First: Equatable, Second: Equatable {}
extension Pair: Hashable where First: Hashable, Second: Hashable {}

/// An empty value, for tables in which only the presence of a key matters.
package struct Nothing: TableValue, Equatable {
    package init() {}
    package var storedByteCount: Int { 0 }
    package func write(to writer: inout ByteWriter) {}
    package init(from reader: inout ByteReader) {}
}
