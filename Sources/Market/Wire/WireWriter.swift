/// Writes a protobuf message in canonical form: equal content has equal bytes.
///
/// The caller writes fields by rising numbers.
///
/// Source: Docs/protocol.md, section 4.1; protobuf.dev, "Encoding".
package struct WireWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Writes a number; omits the default.
    package mutating func write(_ field: UInt64, _ value: UInt64) {
        if value != 0 { member(field, value) }
    }

    /// Writes a number with the sign in its lowest bit, as `sint32`; omits the default.
    package mutating func write(_ field: UInt64, signed value: Int32) {
        write(field, UInt64(UInt32(bitPattern: value << 1 ^ value >> 31)))
    }

    /// Writes bytes; omits empty ones.
    package mutating func write(_ field: UInt64, _ value: some Collection<UInt8>) {
        if !value.isEmpty { member(field, value) }
    }

    /// Writes text; omits empty text.
    package mutating func write(_ field: UInt64, _ text: String) {
        write(field, text.utf8)
    }

    /// Writes a field for each element, also for an empty one.
    package mutating func write(_ field: UInt64, all values: [some Collection<UInt8>]) {
        for value in values { member(field, value) }
    }

    /// Writes all numbers in one field; omits it if there are none.
    package mutating func write(_ field: UInt64, packed numbers: [UInt64]) {
        var content = WireWriter()
        for number in numbers { content.varint(number) }
        write(field, content.bytes)
    }

    /// Writes a number that is a member of a `oneof`, also the default.
    package mutating func member(_ field: UInt64, _ value: UInt64) {
        varint(field << 3)
        varint(value)
    }

    /// Writes a message, or bytes that are a member of a `oneof`, also empty ones.
    package mutating func member(_ field: UInt64, _ value: some Collection<UInt8>) {
        begin(field, byteCount: value.count)
        bytes += value
    }

    /// Writes what precedes the bytes of a field that the caller adds.
    package mutating func begin(_ field: UInt64, byteCount: Int) {
        varint(field << 3 | 2)
        varint(UInt64(byteCount))
    }

    private mutating func varint(_ value: UInt64) { CanonicalVarint.append(value, to: &bytes) }
}
