/// Reads protobuf in its canonical form, in place.
///
/// It is written by hand because it runs before every other check: in one pass, without building a
/// message, it refuses what decoding, re-encoding and comparing would refuse. A test compares it
/// with SwiftProtobuf.
///
/// Source: Docs/protocol.md, section 4.1; protobuf.dev, "Encoding".
struct EnvelopeReader {
    enum WireType: UInt64 {
        case varint = 0
        case bytes = 2
    }

    private let bytes: ArraySlice<UInt8>
    private var offset = 0
    private var lastNumber: UInt64 = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
    }

    /// Takes the next tag if it is field `number`; leaves the tag of a later field.
    mutating func takeTag(_ number: UInt64, _ type: WireType) throws(FramingFault) -> Bool {
        guard offset < bytes.count else { return false }
        let start = offset
        let tag = try varint()
        let found = tag >> 3
        guard found == number else {
            guard found > lastNumber else { throw .fieldOutOfOrder(found) }
            offset = start
            return false
        }
        guard tag & 7 == type.rawValue else { throw .fieldOutOfRange(number) }
        lastNumber = number
        return true
    }

    /// Reads a number that is not the default; 0 if the field is absent.
    mutating func number(_ field: UInt64) throws(FramingFault) -> UInt64 {
        guard try takeTag(field, .varint) else { return 0 }
        let value = try varint()
        guard value != 0 else { throw .fieldMissing(field) }
        return value
    }

    /// Returns the range of the field's bytes; empty if the field is absent.
    mutating func bytes(_ field: UInt64) throws(FramingFault) -> Range<Int> {
        guard try takeTag(field, .bytes) else { return offset..<offset }
        let count = try varint()
        guard count != 0 else { throw .fieldMissing(field) }
        guard count <= UInt64(bytes.count - offset) else { throw .truncated }
        let range = offset..<offset + Int(count)
        offset = range.upperBound
        return range
    }

    /// Reads text of at most `byteCountMax` bytes; empty if the field is absent.
    mutating func text(
        _ field: UInt64,
        byteCountMax: Int
    ) throws(FramingFault) -> String {
        let range = try bytes(field)
        guard range.count <= byteCountMax else { throw .fieldOutOfRange(field) }
        guard let text = String(utf8: bytes[range]) else { throw .notUTF8(field) }
        return text
    }

    /// Ends the reading; throws if an unknown field is left.
    mutating func end() throws(FramingFault) {
        guard offset < bytes.count else { return }
        throw .unknownField(try varint() >> 3)
    }

    private mutating func varint() throws(FramingFault) -> UInt64 {
        try CanonicalVarint.read(bytes, at: &offset, end: bytes.count)
    }
}
