/// Thirty-two bytes: a hash, a slot, a sale id.
///
/// Ordered as a big-endian number, which is also the order of its bytes.
package struct Bytes32: Hashable, Comparable, Sendable {
    package static let zero = Bytes32(repeating: 0)
    package static let byteCount = 32

    private let word0: UInt64
    private let word1: UInt64
    private let word2: UInt64
    private let word3: UInt64

    /// Takes exactly 32 bytes; anything else is `nil`.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var rest = bytes.makeIterator()
        func word() -> UInt64 {
            var value: UInt64 = 0
            for _ in 0..<8 { value = value << 8 | UInt64(rest.next() ?? 0) }
            return value
        }
        (word0, word1, word2, word3) = (word(), word(), word(), word())
    }

    /// Reads 64 hexadecimal digits, with or without `0x`.
    package init?(hex: some StringProtocol) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes)
    }

    package init(repeating byte: UInt8) {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        (word0, word1, word2, word3) = (word, word, word, word)
    }

    /// Four words, the most significant first.
    package init(words word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
        (self.word0, self.word1, self.word2, self.word3) = (word0, word1, word2, word3)
    }

    /// Thirty-two bytes from the system's random source.
    package static func random() -> Bytes32 {
        var source = SystemRandomNumberGenerator()
        return random(using: &source)
    }

    package static func random(using source: inout some RandomNumberGenerator) -> Bytes32 {
        Bytes32(words: source.next(), source.next(), source.next(), source.next())
    }

    /// The bytes, the most significant first.
    package var bytes: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            var index = 0
            for word in [word0, word1, word2, word3] {
                for shift in stride(from: 56, through: 0, by: -8) {
                    unsafe buffer[index] = UInt8(truncatingIfNeeded: word >> UInt64(shift))
                    index += 1
                }
            }
            count = Self.byteCount
        }
    }

    /// The digits in lower case, behind `0x`.
    package var hex: String { "0x" + Hex.encode(bytes) }

    package static func < (left: Bytes32, right: Bytes32) -> Bool {
        (left.word0, left.word1, left.word2, left.word3)
            < (right.word0, right.word1, right.word2, right.word3)
    }
}

extension Bytes32: CustomStringConvertible {
    package var description: String { hex }
}
