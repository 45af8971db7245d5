import SwiftProtobuf

/// A body of a kind that only a later version knows.
///
/// Source: Docs/protocol.md, section 10.15.
package struct UnknownMailBody: Hashable, Sendable {
    /// The numbers of later versions' bodies begin here; lower unknown ones are other additions.
    package static let fieldMin: UInt64 = 32
    /// The maximum bytes of a body's content, which can never change.
    package static let byteCountMax = 32_768
    /// The maximum bytes of the other additions, tags and lengths counted, which can never change.
    package static let additionsByteCountMax = 1_024
    /// The greatest number of this version's fields.
    private static let knownFieldMax: UInt64 = 12
    private static let fieldMax: UInt64 = 536_870_911

    /// The number of its field.
    package let field: UInt64
    package let content: [UInt8]

    package init(field: UInt64, content: [UInt8]) {
        (self.field, self.content) = (field, content)
    }

    /// Takes the body out of a statement's unknown fields, and checks their form; `nil` if they
    /// contain none.
    init?(in wire: WireMailStatement) throws(MailFault) {
        let found: UnknownMailBody?
        do {
            found = try Self.read([UInt8](wire.unknownFields.data))
        } catch {
            // The reason does not matter: every version refuses such bytes.
            throw .malformed
        }
        guard let found else { return nil }
        self = found
    }

    /// Adds the body to a statement that has none.
    func write(to wire: inout WireMailStatement) {
        let head = Self.varint(field << 3 | 2) + Self.varint(UInt64(content.count))
        do {
            try wire.merge(serializedBytes: head + content)
        } catch {
            preconditionFailure("a field of bytes always decodes: \(error)")
        }
    }

    private static func read(_ bytes: [UInt8]) throws(FramingFault) -> UnknownMailBody? {
        var found: UnknownMailBody?
        var (offset, last, additionsByteCount) = (0, knownFieldMax, 0)
        while offset < bytes.count {
            let start = offset
            let tag = try CanonicalVarint.read(bytes, at: &offset, end: bytes.count)
            let (number, type) = (tag >> 3, tag & 7)
            guard number > last, number <= fieldMax else { throw .fieldOutOfOrder(number) }
            last = number
            let content = try skip(type, of: number, in: bytes, at: &offset)
            if number < fieldMin {
                additionsByteCount += offset - start
                guard additionsByteCount <= additionsByteCountMax else {
                    throw .fieldOutOfRange(number)
                }
            } else {
                guard type == 2, found == nil, content.count <= byteCountMax else {
                    throw .fieldOutOfRange(number)
                }
                found = UnknownMailBody(field: number, content: Array(bytes[content]))
            }
        }
        return found
    }

    /// Skips a field's value, and returns the range of its content.
    private static func skip(
        _ type: UInt64,
        of number: UInt64,
        in bytes: [UInt8],
        at offset: inout Int
    ) throws(FramingFault) -> Range<Int> {
        let byteCount: UInt64
        switch type {
        case 0:
            let start = offset
            _ = try CanonicalVarint.read(bytes, at: &offset, end: bytes.count)
            return start..<offset
        case 1: byteCount = 8
        case 2: byteCount = try CanonicalVarint.read(bytes, at: &offset, end: bytes.count)
        case 5: byteCount = 4
        default: throw .fieldOutOfRange(number)
        }
        guard byteCount <= UInt64(bytes.count - offset) else { throw .truncated }
        let content = offset..<offset + Int(byteCount)
        offset = content.upperBound
        return content
    }

    private static func varint(_ number: UInt64) -> [UInt8] {
        var (bytes, rest) = ([] as [UInt8], number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
