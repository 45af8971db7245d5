/// Checks that a payload is in canonical form, in place: all of it but that text is UTF-8.
///
/// It refuses what decoding, re-encoding and comparing would refuse, for half of their cost, and
/// limits what they would keep: unknown fields come back as they were, in any order and number, as
/// groups of any depth, and padded with long varints, so that a record could carry 64 KiB of unread
/// bytes. A test compares it with SwiftProtobuf.
///
/// Source: Docs/protocol.md, section 4.1; protobuf.dev, "Encoding".
package struct PayloadReader {
    /// The maximum bytes of unknown fields in one payload.
    ///
    /// It covers all messages of the payload, with tags and lengths.
    ///
    /// It can never change: a later version that needs more must use a new kind.
    package static let unknownByteCountMax = 1_024
    private static let fieldNumberMax: UInt64 = 536_870_911

    private let bytes: ArraySlice<UInt8>
    private var offset: Int
    private var unknownByteCount = 0

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    /// Checks a payload whose kind has the given form.
    ///
    /// - Throws: The first deviation from the form.
    package static func check(
        _ payload: ArraySlice<UInt8>,
        _ form: PayloadForm
    ) throws(FramingFault) {
        var reader = PayloadReader(payload)
        try reader.message(form, end: payload.endIndex)
    }

    /// The recursion ends with the form, a tree of at most five levels.
    private mutating func message(_ form: PayloadForm, end: Int) throws(FramingFault) {
        var lastNumber: UInt64 = 0
        var count = 0
        while offset < end {
            let start = offset
            let tag = try varint(end: end)
            let (number, type) = (tag >> 3, tag & 7)
            guard (1...Self.fieldNumberMax).contains(number) else { throw .unknownField(number) }
            let field = form.field(number)
            var isRepeated = false
            if case .repeated = field { isRepeated = true }
            guard number > lastNumber || (number == lastNumber && isRepeated) else {
                throw .fieldOutOfOrder(number)
            }
            lastNumber = number
            if let field {
                count += 1
                guard count == 1 || !form.isOneOf else { throw .fieldOutOfRange(number) }
                try known(field, number, type, end: end)
            } else {
                try unknown(number, type, end: end)
                unknownByteCount += offset - start
                guard unknownByteCount <= Self.unknownByteCountMax else {
                    throw .fieldOutOfRange(number)
                }
            }
        }
    }

    private mutating func known(
        _ field: PayloadForm.Field,
        _ number: UInt64,
        _ type: UInt64,
        end: Int
    ) throws(FramingFault) {
        switch field {
        case .uint64: try varint(number, type, end: end) { _ in true }
        case .uint32: try varint(number, type, end: end) { $0 <= UInt32.max }
        case .enumeration:
            try varint(number, type, end: end) { Int32(exactly: Int64(bitPattern: $0)) != nil }
        case .bytes:
            let start = offset
            try bytes(number, type, end: end)
            guard offset - start > 1 else { throw .fieldMissing(number) }
        case .message(let form):
            guard type == 2 else { throw .fieldOutOfRange(number) }
            let inner = try lengthEnd(end: end)
            try message(form, end: inner)
        case .repeated(.bytes): try bytes(number, type, end: end)
        case .repeated(let element): try known(element, number, type, end: end)
        }
    }

    /// Skips bytes or text.
    private mutating func bytes(
        _ number: UInt64,
        _ type: UInt64,
        end: Int
    ) throws(FramingFault) {
        guard type == 2 else { throw .fieldOutOfRange(number) }
        offset = try lengthEnd(end: end)
    }

    /// Skips a number that is in the range of its field and not its default.
    private mutating func varint(
        _ number: UInt64,
        _ type: UInt64,
        end: Int,
        isInRange: (UInt64) -> Bool
    ) throws(FramingFault) {
        guard type == 0 else { throw .fieldOutOfRange(number) }
        let value = try varint(end: end)
        guard value != 0 else { throw .fieldMissing(number) }
        guard isInRange(value) else { throw .fieldOutOfRange(number) }
    }

    /// Skips a field of a later version; groups, wire types 3 and 4, are invalid in every version.
    private mutating func unknown(
        _ number: UInt64,
        _ type: UInt64,
        end: Int
    ) throws(FramingFault) {
        switch type {
        case 0: _ = try varint(end: end)
        case 1: try skip(8, end: end)
        case 2: offset = try lengthEnd(end: end)
        case 5: try skip(4, end: end)
        default: throw .fieldOutOfRange(number)
        }
    }

    private mutating func skip(_ count: Int, end: Int) throws(FramingFault) {
        guard count <= end - offset else { throw .truncated }
        offset += count
    }

    /// Reads a length, and returns where its bytes end.
    private mutating func lengthEnd(end: Int) throws(FramingFault) -> Int {
        let count = try varint(end: end)
        guard count <= UInt64(end - offset) else { throw .truncated }
        return offset + Int(count)
    }

    private mutating func varint(end: Int) throws(FramingFault) -> UInt64 {
        try CanonicalVarint.read(bytes, at: &offset, end: end)
    }
}
