/// A type that represents one table of the store, an ordered map from keys to values.
///
/// Keys are ordered by their bytes. To add a table, declare a type and list it in a tree of
/// `Schema`.
package protocol Table: SendableMetatype {
    associatedtype Key: TableKey
    associatedtype Value: KeyedValue
    /// The table's name in messages, and of its own tree if it has one. It must never change after
    /// a release.
    static var name: String { get }
    /// Reads the value of `key`.
    static func value(of key: Key, from reader: inout ByteReader) throws(FormError) -> Value
}

extension Table where Value: TableValue {
    package static func value(
        of key: Key,
        from reader: inout ByteReader
    ) throws(FormError) -> Value {
        try Value(from: &reader)
    }
}

/// A key or value, or a field of one, as bytes.
package protocol StoredForm: Sendable {
    func write(to writer: inout ByteWriter)
}

/// A key of a table, or a field of a key or value.
///
/// A key's encoding has at most 510 bytes, which must sort like the keys.
package protocol TableKey: StoredForm {
    init(from reader: inout ByteReader) throws(FormError)
}

/// A value of a table, which its table reads together with the key.
package protocol KeyedValue: StoredForm {
    /// The exact number of bytes that `write` appends; LMDB reserves the space before.
    var storedByteCount: Int { get }
}

/// A value that can be read without its key.
package protocol TableValue: KeyedValue {
    init(from reader: inout ByteReader) throws(FormError)
}

/// A key of two fields, ordered by the first field and then by the second.
package struct CompositeKey<First: TableKey, Second: TableKey>: TableKey {
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

extension CompositeKey: Equatable where First: Equatable, Second: Equatable {}
extension CompositeKey: Hashable where First: Hashable, Second: Hashable {}

/// An empty value, for tables in which only the presence of a key matters.
package struct EmptyValue: TableValue, Equatable {
    package init() {}
    package var storedByteCount: Int { 0 }
    package func write(to writer: inout ByteWriter) {}
    package init(from reader: inout ByteReader) {}
}
