/// Unsigned integers in as few bytes as they need, low seven bits first.
///
/// At most nine bytes, and only the shortest form: a second encoding of a number would give one
/// message two hashes.
///
/// Source: multiformats/unsigned-varint.
package enum Varint {
    package static let byteCountMax = 9

    /// The result of reading the front of some bytes.
    package enum ReadResult: Equatable, Sendable {
        case number(UInt64, byteCount: Int)
        /// The bytes end within the number.
        case unfinished
        /// Too long, or not the shortest form.
        case malformed
    }

    package static func encode(_ number: UInt64) -> [UInt8] {
        var rest = number
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        return bytes
    }

    package static func encode(_ number: Int) -> [UInt8] {
        precondition(number >= 0, "a length is not negative: \(number)")
        return encode(UInt64(number))
    }

    /// Reads the number at the front of `bytes`.
    package static func read(_ bytes: ArraySlice<UInt8>) -> ReadResult {
        var number: UInt64 = 0
        var byteCount = 0
        for byte in bytes {
            number |= UInt64(byte & 0x7F) << UInt64(7 * byteCount)
            byteCount += 1
            if byte < 0x80 {
                let isShortest = byte != 0 || byteCount == 1
                return isShortest ? .number(number, byteCount: byteCount) : .malformed
            }
            if byteCount == byteCountMax { return .malformed }
        }
        return .unfinished
    }

    /// Removes the number at the front of `bytes`; `nil` if there is no complete one.
    package static func take(from bytes: inout ArraySlice<UInt8>) -> UInt64? {
        guard case .number(let number, let byteCount) = read(bytes) else { return nil }
        bytes = bytes.dropFirst(byteCount)
        return number
    }
}
