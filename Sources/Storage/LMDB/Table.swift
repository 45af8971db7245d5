/// One ordered map of the store, as a type: which keys lead to which values.
///
/// Keys lie in the order of their bytes. To add a table, declare one and list it in a tree of `Schema`.
package protocol Table: SendableMetatype {
    associatedtype Key: TableKey
    associatedtype Value: TableValue
    /// Names it in messages, and its tree if that is its own; never changed once released.
    static var name: String { get }
}

/// What can lead to a value.
///
/// Its bytes must sort as the keys do; at most 510 of them.
package protocol TableKey: Sendable {
    func write(to writer: inout ByteWriter)
    init(from reader: inout ByteReader) throws(FormError)
}

/// What can be kept.
package protocol TableValue: Sendable {
    /// Exactly what `write` appends: LMDB reserves the place before.
    var storedByteCount: Int { get }
    func write(to writer: inout ByteWriter)
    init(from reader: inout ByteReader) throws(FormError)
}

/// Two fields of a key, the first deciding the order.
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

/// A value that says nothing: the key alone is the fact.
package struct Nothing: TableValue, Equatable {
    package init() {}
    package var storedByteCount: Int { 0 }
    package func write(to writer: inout ByteWriter) {}
    package init(from reader: inout ByteReader) {}
}
