/// The twenty-byte address of an Ethereum account or contract.
///
/// Source: Ethereum Yellow Paper, section 4.1; EIP-55 for the text form.
package struct Address: Hashable, Comparable, Sendable {
    /// The address for which nobody has the key; contracts use it for "none".
    package static let zero = Address(words: 0, 0, 0)
    package static let byteCount = 20

    private let word0: UInt64
    private let word1: UInt64
    private let word2: UInt32

    /// Takes twenty bytes as two long words and a short one, most significant first.
    package init(words word0: UInt64, _ word1: UInt64, _ word2: UInt32) {
        (self.word0, self.word1, self.word2) = (word0, word1, word2)
    }

    /// The bytes as two long words and a short one, most significant first, for codecs.
    package var words: (UInt64, UInt64, UInt32) { (word0, word1, word2) }

    /// Takes exactly 20 bytes; `nil` for any other number.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let lent: Address? = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe Address(loading: UnsafeRawBufferPointer(buffer))
        }
        self = unsafe lent ?? [UInt8](bytes).withUnsafeBytes { unsafe Address(loading: $0) }
    }

    /// Loads the first 20 bytes of memory that has at least as many.
    private init(loading bytes: UnsafeRawBufferPointer) {
        let word0 = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let word1 = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let word2 = unsafe bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
        self.init(
            words: UInt64(bigEndian: word0),
            UInt64(bigEndian: word1),
            UInt32(bigEndian: word2)
        )
    }

    /// Reads `0x` and 40 digits; if the letters' case is mixed, verifies the checksum (EIP-55).
    ///
    /// - Throws: ``AddressError`` with the rule that is broken.
    package init(text: some StringProtocol) throws(AddressError) {
        guard text.utf8.starts(with: "0x".utf8), let bytes = Hex.decode(text),
            let address = Address(bytes)
        else { throw .malformed }
        let digits = text.utf8.dropFirst(2)
        let isMixed =
            digits.contains { $0 >= UInt8(ascii: "a") }
            && digits.contains { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
        if isMixed, !address.checksummed.utf8.elementsEqual(text.utf8) { throw .checksum }
        self = address
    }

    package var bytes: [UInt8] { unsafe withBytes { unsafe [UInt8]($0) } }

    /// Lends the bytes, most significant first, without a heap allocation.
    private func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        let words = (word0.bigEndian, word1.bigEndian, word2.bigEndian)
        return unsafe withUnsafeBytes(of: words) { unsafe body($0) }
    }

    /// The address as a 256-bit number, the form used by contracts and typed data.
    package var word: Bytes32 {
        Bytes32(words: 0, word0 >> 32, word0 << 32 | word1 >> 32, word1 << 32 | UInt64(word2))
    }

    /// The text form whose letter case is a checksum.
    ///
    /// Source: EIP-55.
    package var checksummed: String {
        unsafe String(unsafeUninitializedCapacity: 2 + 2 * Self.byteCount) { text in
            unsafe (text[0], text[1]) = (UInt8(ascii: "0"), UInt8(ascii: "x"))
            let digits = unsafe UnsafeMutableBufferPointer(rebasing: text[2...])
            let count = unsafe withBytes { unsafe Hex.write($0, to: digits) }
            let hash = unsafe Keccak256.hash(UnsafeRawBufferPointer(digits).bytes).words
            for index in 0..<count where unsafe digits[index] >= UInt8(ascii: "a") {
                let word = index < 16 ? hash.0 : index < 32 ? hash.1 : hash.2
                let nibble = word >> (60 - index % 16 * 4) & 0x0F
                if nibble >= 8 { unsafe digits[index] -= UInt8(ascii: "a") - UInt8(ascii: "A") }
            }
            return 2 + count
        }
    }

    package static func < (left: Address, right: Address) -> Bool {
        (left.word0, left.word1, left.word2) < (right.word0, right.word1, right.word2)
    }
}

extension Address: CustomStringConvertible {
    package var description: String { checksummed }
}

/// Why a text is not an address.
package enum AddressError: Error, Equatable, Sendable {
    /// Not `0x` and 40 hexadecimal digits.
    case malformed
    /// The letters' case is mixed but does not match the checksum: a digit is probably mistyped.
    case checksum
}
