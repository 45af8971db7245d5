/// Base58 text, which omits letters that look alike; Bitcoin and libp2p write multihashes in it.
///
/// Source: draft-msporny-base58-03.
package enum Base58 {
    private static let alphabet = [UInt8](
        "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8
    )

    /// Longer texts are refused, since the work grows with the square of the length.
    private static let textMax = 128

    package static func encode(_ bytes: [UInt8]) -> String {
        let zeros = bytes.prefix { $0 == 0 }.count
        var digits: [UInt8] = []
        for byte in bytes.dropFirst(zeros) {
            var carry = Int(byte)
            for index in digits.indices {
                carry += Int(digits[index]) << 8
                digits[index] = UInt8(carry % 58)
                carry /= 58
            }
            while carry > 0 {
                digits.append(UInt8(carry % 58))
                carry /= 58
            }
        }
        let text =
            Array(repeating: alphabet[0], count: zeros)
            + digits.reversed().map { alphabet[Int($0)] }
        return String(decoding: text, as: UTF8.self)
    }

    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count <= textMax else { return nil }
        let zeros = text.utf8.prefix { $0 == alphabet[0] }.count
        var bytes: [UInt8] = []
        for character in text.utf8.dropFirst(zeros) {
            guard var carry = alphabet.firstIndex(of: character) else { return nil }
            for index in bytes.indices {
                carry += Int(bytes[index]) * 58
                bytes[index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            while carry > 0 {
                bytes.append(UInt8(truncatingIfNeeded: carry))
                carry >>= 8
            }
        }
        return Array(repeating: 0, count: zeros) + bytes.reversed()
    }
}
