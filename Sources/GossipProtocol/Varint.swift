import Market

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
        var bytes: [UInt8] = []
        CanonicalVarint.append(number, to: &bytes)
        return bytes
    }

    package static func encode(_ number: Int) -> [UInt8] {
        precondition(number >= 0, "a length is not negative: \(number)")
        return encode(UInt64(number))
    }

    /// Reads the number at the front of `bytes`.
    package static func read(_ bytes: ArraySlice<UInt8>) -> ReadResult {
        var offset = bytes.startIndex
        let end = offset + min(byteCountMax, bytes.count)
        do throws(FramingFault) {
            let number = try CanonicalVarint.read(bytes, at: &offset, end: end)
            return .number(number, byteCount: offset - bytes.startIndex)
        } catch {
            return error == .truncated && bytes.count < byteCountMax ? .unfinished : .malformed
        }
    }

    /// Removes the number at the front of `bytes`; `nil` if there is no complete one.
    package static func take(from bytes: inout ArraySlice<UInt8>) -> UInt64? {
        guard case .number(let number, let byteCount) = read(bytes) else { return nil }
        bytes = bytes.dropFirst(byteCount)
        return number
    }
}
