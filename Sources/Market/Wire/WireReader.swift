/// Reads a protobuf message in canonical form, in one pass.
///
/// It refuses what decoding, re-encoding and comparing would refuse, and limits the unknown fields
/// that they would keep: unknown fields come back unchanged, in any order and number, as groups of
/// any depth, and padded with long varints, so that a record could carry 64 KiB of unread bytes. A
/// test compares it with SwiftProtobuf.
///
/// Source: Docs/protocol.md, section 4.1; protobuf.dev, "Encoding".
package struct WireReader {
    /// The maximum bytes of unknown fields in one payload.
    ///
    /// It covers all messages of the payload, with tags and lengths.
    ///
    /// It can never change: a later version that needs more must use a new kind.
    package static let unknownByteCountMax = 1_024
    /// The maximum fields of a message, with those of its inner messages; each number of a packed
    /// field counts.
    ///
    /// An empty entry of a list takes two bytes to send and many times that to keep. The longest
    /// valid list has some 2,600 entries: the ids of a question of 90,000 bytes.
    package static let fieldCountMax = 8_192
    private static let fieldNumberMax: UInt64 = 536_870_911

    private let bytes: ArraySlice<UInt8>
    private let unknownByteCountMax: Int
    private var offset: Int
    private var unknownByteCount = 0
    private var fieldCount = 0
    /// The first text that is not UTF-8.
    private var notUTF8: UInt64?

    private init(_ bytes: ArraySlice<UInt8>, _ unknownByteCountMax: Int) {
        self.bytes = bytes
        self.unknownByteCountMax = unknownByteCountMax
        offset = bytes.startIndex
    }

    /// Reads a message of the given schema.
    ///
    /// - Parameters:
    ///   - bytes: All of the message.
    ///   - schema: Its fields.
    ///   - unknownByteCountMax: The maximum bytes of unknown fields in all of it.
    /// - Returns: Its fields, known and unknown.
    /// - Throws: The first deviation from it; ``FramingFault/notUTF8(_:)`` only if there is no
    ///   other.
    package static func read(
        _ bytes: ArraySlice<UInt8>,
        _ schema: WireSchema,
        unknownByteCountMax: Int = .max
    ) throws(FramingFault) -> WireFields {
        var reader = WireReader(bytes, unknownByteCountMax)
        let fields = try reader.message(schema, end: bytes.endIndex)
        if let field = reader.notUTF8 { throw .notUTF8(field) }
        return fields
    }

    /// The recursion ends with the schema, a tree of at most five levels.
    private mutating func message(
        _ schema: WireSchema,
        end: Int
    ) throws(FramingFault) -> WireFields {
        var fields = WireFields(capacity: schema.fields.count)
        var lastNumber: UInt64 = 0
        var hasMember = false
        while offset < end {
            let start = offset
            let tag = try varint(end: end)
            let (number, type) = (tag >> 3, tag & 7)
            guard (1...Self.fieldNumberMax).contains(number) else { throw .unknownField(number) }
            let field = schema.field(number)
            var isRepeated = false
            if case .repeated = field { isRepeated = true }
            guard number > lastNumber || (number == lastNumber && isRepeated) else {
                throw .fieldOutOfOrder(number)
            }
            lastNumber = number
            try count(number)
            guard let field else {
                fields.add(try unknown(number, type, from: start, end: end))
                continue
            }
            let isMember = schema.isMember(number)
            guard !isMember || !hasMember else { throw .fieldOutOfRange(number) }
            hasMember = hasMember || isMember
            fields.add(
                number,
                try known(field, number, type, mayBeDefault: isMember || isRepeated, end: end)
            )
        }
        return fields
    }

    /// Counts a field, or a number of a packed one.
    private mutating func count(_ number: UInt64) throws(FramingFault) {
        fieldCount += 1
        guard fieldCount <= Self.fieldCountMax else { throw .fieldOutOfRange(number) }
    }

    private mutating func known(
        _ field: WireSchema.Field,
        _ number: UInt64,
        _ type: UInt64,
        mayBeDefault: Bool,
        end: Int
    ) throws(FramingFault) -> WireFields.Value {
        func check(_ value: UInt64, isInRange: Bool) throws(FramingFault) -> WireFields.Value {
            guard value != 0 || mayBeDefault else { throw .fieldMissing(number) }
            guard isInRange else { throw .fieldOutOfRange(number) }
            return .number(value)
        }
        switch field {
        case .uint64:
            return try check(try varint(number, type, end: end), isInRange: true)
        case .uint32, .sint32:
            let value = try varint(number, type, end: end)
            return try check(value, isInRange: value <= UInt32.max)
        case .enumeration:
            let value = try varint(number, type, end: end)
            let isInRange = Int32(exactly: Int64(bitPattern: value)) != nil
            return try check(value, isInRange: isInRange)
        case .bool:
            let value = try varint(number, type, end: end)
            return try check(value, isInRange: value <= 1)
        case .bytes:
            return .bytes(try content(number, type, mayBeEmpty: mayBeDefault, end: end))
        case .text:
            let content = try content(number, type, mayBeEmpty: mayBeDefault, end: end)
            guard let text = String(utf8: content) else {
                notUTF8 = notUTF8 ?? number
                return .text("")
            }
            return .text(text)
        case .message(let schema):
            guard type == 2 else { throw .fieldOutOfRange(number) }
            let inner = try lengthEnd(end: end)
            return .message(try message(schema, end: inner))
        case .repeated(let element):
            return try known(element, number, type, mayBeDefault: true, end: end)
        case .packed:
            guard type == 2 else { throw .fieldOutOfRange(number) }
            let inner = try lengthEnd(end: end)
            guard offset < inner else { throw .fieldMissing(number) }
            var values: [UInt64] = []
            while offset < inner {
                try count(number)
                values.append(try varint(end: inner))
            }
            return .numbers(values)
        }
    }

    /// Reads bytes or text.
    private mutating func content(
        _ number: UInt64,
        _ type: UInt64,
        mayBeEmpty: Bool,
        end: Int
    ) throws(FramingFault) -> ArraySlice<UInt8> {
        guard type == 2 else { throw .fieldOutOfRange(number) }
        let inner = try lengthEnd(end: end)
        guard inner > offset || mayBeEmpty else { throw .fieldMissing(number) }
        defer { offset = inner }
        return bytes[offset..<inner]
    }

    private mutating func varint(
        _ number: UInt64,
        _ type: UInt64,
        end: Int
    ) throws(FramingFault) -> UInt64 {
        guard type == 0 else { throw .fieldOutOfRange(number) }
        return try varint(end: end)
    }

    /// Reads a field of a later version; groups, wire types 3 and 4, are invalid in every version.
    private mutating func unknown(
        _ number: UInt64,
        _ type: UInt64,
        from start: Int,
        end: Int
    ) throws(FramingFault) -> WireFields.Unknown {
        var content: ArraySlice<UInt8>?
        switch type {
        case 0: _ = try varint(end: end)
        case 1: try skip(8, end: end)
        case 2:
            let inner = try lengthEnd(end: end)
            content = bytes[offset..<inner]
            offset = inner
        case 5: try skip(4, end: end)
        default: throw .fieldOutOfRange(number)
        }
        unknownByteCount += offset - start
        guard unknownByteCount <= unknownByteCountMax else { throw .fieldOutOfRange(number) }
        return WireFields.Unknown(number: number, byteCount: offset - start, content: content)
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
