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

    /// Takes exactly 32 bytes; `nil` for any other number.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let lent: Bytes32? = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe Bytes32(loading: UnsafeRawBufferPointer(buffer))
        }
        self = unsafe lent ?? [UInt8](bytes).withUnsafeBytes { unsafe Bytes32(loading: $0) }
    }

    /// Loads the first 32 bytes of memory that has at least as many.
    init(loading bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt64 {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            return UInt64(bigEndian: word)
        }
        (word0, word1, word2, word3) = (word(0), word(1), word(2), word(3))
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

    /// Takes four words, most significant first.
    package init(words word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
        (self.word0, self.word1, self.word2, self.word3) = (word0, word1, word2, word3)
    }

    /// The number as four words, most significant first, for codecs.
    package var words: (UInt64, UInt64, UInt64, UInt64) { (word0, word1, word2, word3) }

    /// Returns 32 bytes from the system's random source.
    package static func random() -> Bytes32 {
        var source = SystemRandomNumberGenerator()
        return random(using: &source)
    }

    package static func random(using source: inout some RandomNumberGenerator) -> Bytes32 {
        Bytes32(words: source.next(), source.next(), source.next(), source.next())
    }

    /// The bytes, most significant first.
    package var bytes: [UInt8] { unsafe withBytes { unsafe [UInt8]($0) } }

    /// Lends the bytes, most significant first, without a heap allocation.
    package func withBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        let words = (word0.bigEndian, word1.bigEndian, word2.bigEndian, word3.bigEndian)
        return try unsafe withUnsafeBytes(of: words) { try unsafe body($0) }
    }

    /// The digits in lower case, after `0x`.
    package var hex: String { "0x" + digits }

    /// The digits in lower case, without `0x`.
    package var digits: String { unsafe withBytes { unsafe Hex.encode($0) } }

    package static func < (left: Bytes32, right: Bytes32) -> Bool {
        (left.word0, left.word1, left.word2, left.word3)
            < (right.word0, right.word1, right.word2, right.word3)
    }
}

extension Bytes32: CustomStringConvertible {
    package var description: String { hex }
}
