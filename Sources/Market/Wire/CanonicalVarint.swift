/// Protobuf varints in as few bytes as the number needs.
///
/// Source: Docs/protocol.md, section 4.1; protobuf.dev, "Encoding".
package enum CanonicalVarint {
    /// Reads the number at `offset`, before `end`, and moves `offset` behind it.
    package static func read(
        _ bytes: ArraySlice<UInt8>,
        at offset: inout Int,
        end: Int
    ) throws(FramingFault) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < end {
            let byte = bytes[offset]
            offset += 1
            guard shift < 63 || byte <= 1 else { throw .varintNotShortest }
            value |= UInt64(byte & 0x7F) << shift
            guard byte & 0x80 != 0 else {
                guard byte != 0 || shift == 0 else { throw .varintNotShortest }
                return value
            }
            shift += 7
        }
        throw .truncated
    }

    package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
