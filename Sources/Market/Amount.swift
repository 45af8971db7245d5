package import BigInt

/// An integer number of a currency's smallest units, such as wei, from 0 to 2²⁵⁶ − 1.
///
/// Never a floating-point number, and never out of range: arithmetic that would leave the range
/// returns `nil`, so that the caller must handle it.
package struct Amount: Hashable, Comparable, Sendable {
    package static let zero = Amount(small: 0)
    package static let max = Amount(unchecked: BigUInt(1) << 256 - 1)

    /// The number itself, for codecs.
    package let units: BigUInt

    private init(unchecked units: BigUInt) {
        self.units = units
    }

    /// Takes any number in range; `nil` above 2²⁵⁶ − 1.
    package init?(_ units: BigUInt) {
        guard units.bitWidth <= 256 else { return nil }
        self.units = units
    }

    package init(small units: UInt64) {
        // The generic conversion costs as much as a hash.
        self.units = BigUInt(integerLiteral: units)
    }

    /// Reads decimal digits, the form of the API; `nil` for anything else.
    package init?(decimal text: String) {
        guard !text.isEmpty, text.utf8.count <= 78,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let units = BigUInt(text, radix: 10)
        else { return nil }
        self.init(units)
    }

    /// Reads at most 32 big-endian bytes; `nil` for more.
    package init?(bigEndian bytes: some Collection<UInt8>) {
        guard bytes.count <= 32 else { return nil }
        var (high, low): (UInt128, UInt128) = (0, 0)
        for byte in bytes {
            high = high << 8 | low >> 120
            low = low << 8 | UInt128(byte)
        }
        let words = [low, low >> 64, high, high >> 64]
        units = BigUInt(words: words.map { UInt(truncatingIfNeeded: $0) })
    }

    package var decimal: String { String(units, radix: 10) }

    /// The shortest big-endian bytes; empty for zero.
    package var minimalBytes: [UInt8] {
        var bytes: [UInt8] = []
        for word in units.words.reversed() {
            for shift in stride(from: UInt.bitWidth - 8, through: 0, by: -8) {
                let byte = UInt8(truncatingIfNeeded: word >> shift)
                if byte != 0 || !bytes.isEmpty { bytes.append(byte) }
            }
        }
        return bytes
    }

    package var isZero: Bool { units.isZero }

    package func adding(_ other: Amount) -> Amount? { Amount(units + other.units) }

    /// Returns the difference; `nil` if `other` is greater.
    package func subtracting(_ other: Amount) -> Amount? {
        units < other.units ? nil : Amount(unchecked: units - other.units)
    }

    package func multiplied(by factor: UInt64) -> Amount? {
        Amount(units.multiplied(byWord: UInt(factor)))
    }

    /// Returns `⌊self × basisPoints ÷ 10,000⌋`, as the contracts compute fees; `nil` above 10,000.
    package func portion(basisPoints: UInt64) -> Amount? {
        guard basisPoints <= 10_000 else { return nil }
        return Amount(unchecked: units.multiplied(byWord: UInt(basisPoints)) / 10_000)
    }

    package static func < (left: Amount, right: Amount) -> Bool { left.units < right.units }
}

extension Amount: CustomStringConvertible {
    package var description: String { decimal }
}
