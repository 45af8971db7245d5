import BigInt
import Keys

/// The 32 bytes of one word as four numbers, for quick range checks.
struct ABIWord {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Reads the word at `offset`, all of which must be within `bytes`.
    init(bytes: [UInt8], offset: Int) {
        func word(_ index: Int) -> UInt64 {
            var value: UInt64 = 0
            for byte in 0..<8 { value = value << 8 | UInt64(bytes[offset + index * 8 + byte]) }
            return value
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// The number, if it fits into 64 bits.
    var small: UInt64? { words.0 | words.1 | words.2 == 0 ? words.3 : nil }

    /// Decodes a value of an elementary type, or `nil` if the word is not one.
    func value(of type: ABIType) -> ABIValue? {
        switch type {
        case .uint(let bits): leadingZeroBitCount >= 256 - bits ? .uint(unsigned) : nil
        case .int(let bits): signBitCount > 256 - bits ? .int(signed) : nil
        case .address:
            leadingZeroBitCount >= 96 ? Address(bytes.suffix(20)).map { .address($0) } : nil
        case .bool: small.flatMap { $0 <= 1 ? .bool($0 == 1) : nil }
        case .fixedBytes(let count):
            trailingZeroBitCount >= 256 - count * 8
                ? .fixedBytes([UInt8](bytes.prefix(count))) : nil
        case .function: trailingZeroBitCount >= 64 ? .fixedBytes([UInt8](bytes.prefix(24))) : nil
        case .bytes, .string, .array, .fixedArray, .tuple: nil
        }
    }

    private var unsigned: BigUInt {
        if let small { return BigUInt(small) }
        return BigUInt(words: [UInt(words.3), UInt(words.2), UInt(words.1), UInt(words.0)])
    }

    private var signed: BigInt {
        if let small { return BigInt(small) }
        return BigInt(words: [UInt(words.3), UInt(words.2), UInt(words.1), UInt(words.0)])
    }

    private var bytes: [UInt8] {
        Bytes32(words: words.0, words.1, words.2, words.3).bytes
    }

    private var leadingZeroBitCount: Int {
        if words.0 != 0 { return words.0.leadingZeroBitCount }
        if words.1 != 0 { return 64 + words.1.leadingZeroBitCount }
        if words.2 != 0 { return 128 + words.2.leadingZeroBitCount }
        return 192 + words.3.leadingZeroBitCount
    }

    private var trailingZeroBitCount: Int {
        if words.3 != 0 { return words.3.trailingZeroBitCount }
        if words.2 != 0 { return 64 + words.2.trailingZeroBitCount }
        if words.1 != 0 { return 128 + words.1.trailingZeroBitCount }
        return 192 + words.0.trailingZeroBitCount
    }

    /// The number of equal bits from the top, including the sign.
    private var signBitCount: Int {
        guard words.0 >> 63 == 1 else { return leadingZeroBitCount }
        return ABIWord(words: (~words.0, ~words.1, ~words.2, ~words.3)).leadingZeroBitCount
    }

    private init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }
}

extension ABIWord {
    init(_ word: Bytes32) {
        self.init(bytes: word.bytes, offset: 0)
    }
}
