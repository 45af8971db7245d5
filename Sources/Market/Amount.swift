package import BigInt

/// An integer number of a currency's smallest units, such as wei, from 0 to 2²⁵⁶ − 1.
///
/// Never a floating-point number, and never out of range: arithmetic that would leave the range
/// returns `nil`, so that the caller must handle it.
package struct Amount: Hashable, Sendable {
    package static let zero = Amount(small: 0)
    package static let max = Amount(high: .max, low: .max)

    // Not a big integer, which would cost a reference, and often an allocation, for each amount.
    private let high: UInt128
    private let low: UInt128

    private init(high: UInt128 = 0, low: UInt128) {
        (self.high, self.low) = (high, low)
    }

    /// Takes any number in range; `nil` above 2²⁵⁶ − 1.
    package init?(_ units: BigUInt) {
        guard units.bitWidth <= 256 else { return nil }
        var (high, low): (UInt128, UInt128) = (0, 0)
        for word in units.words.reversed() {
            high = high << 64 | low >> 64
            low = low << 64 | UInt128(word)
        }
        self.init(high: high, low: low)
    }

    package init(small units: UInt64) {
        self.init(low: UInt128(units))
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
        self.init(high: high, low: low)
    }

    /// The number itself, for codecs.
    package var units: BigUInt {
        BigUInt(words: [low, low >> 64, high, high >> 64].map { UInt(truncatingIfNeeded: $0) })
    }

    package var decimal: String {
        if high == 0, let small = UInt64(exactly: low) { return String(small) }
        return String(units, radix: 10)
    }

    /// The shortest big-endian bytes; empty for zero.
    package var minimalBytes: [UInt8] {
        let part = high == 0 ? low : high
        let count = (high == 0 ? 16 : 32) - part.leadingZeroBitCount / 8
        return (0..<count).reversed().map { place in
            UInt8(truncatingIfNeeded: (place < 16 ? low : high) >> (place % 16 * 8))
        }
    }

    package var isZero: Bool { high == 0 && low == 0 }

    package func adding(_ other: Amount) -> Amount? {
        let (low, carry) = low.addingReportingOverflow(other.low)
        let (sum, isOver) = high.addingReportingOverflow(other.high)
        let (high, isOverByCarry) = sum.addingReportingOverflow(carry ? 1 : 0)
        return isOver || isOverByCarry ? nil : Amount(high: high, low: low)
    }

    /// Returns the difference; `nil` if `other` is greater.
    package func subtracting(_ other: Amount) -> Amount? {
        guard other <= self else { return nil }
        let (low, borrow) = low.subtractingReportingOverflow(other.low)
        return Amount(high: high - other.high - (borrow ? 1 : 0), low: low)
    }

    package func multiplied(by factor: UInt64) -> Amount? {
        let (over, product) = fullProduct(factor)
        return over == 0 ? product : nil
    }

    /// Returns the quotient, rounded down, and the remainder.
    package func quotientAndRemainder(dividingBy divisor: UInt64) -> (Amount, rest: UInt64) {
        quotientAndRemainder(dividingBy: divisor, over: 0)
    }

    /// Returns the quotient, rounded up, as the contracts compute the minimum value of a term.
    package func quotientRoundedUp(dividingBy divisor: UInt64) -> Amount {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest == 0 ? quotient : quotient.adding(Amount(small: 1)) ?? .max
    }

    /// Returns `⌊self × basisPoints ÷ 10,000⌋`, as the contracts compute fees; `nil` above 10,000.
    package func portion(basisPoints: UInt64) -> Amount? {
        guard basisPoints <= 10_000 else { return nil }
        let (over, product) = fullProduct(basisPoints)
        return product.quotientAndRemainder(dividingBy: 10_000, over: over).0
    }

    /// The product, and the part of it above 2²⁵⁶.
    private func fullProduct(_ factor: UInt64) -> (over: UInt64, Amount) {
        let (carry, low) = low.product(factor, adding: 0)
        let (over, high) = high.product(factor, adding: carry)
        return (over, Amount(high: high, low: low))
    }

    /// Divides a number of which `over`, less than `divisor`, is above 2²⁵⁶.
    private func quotientAndRemainder(
        dividingBy divisor: UInt64,
        over: UInt64
    ) -> (Amount, rest: UInt64) {
        let (high, middle) = high.quotient(divisor, over: over)
        let (low, rest) = low.quotient(divisor, over: middle)
        return (Amount(high: high, low: low), rest)
    }
}

/// Arithmetic by words of 64 bits.
extension UInt128 {
    private var lowerWord: UInt128 { self & UInt128(UInt64.max) }

    fileprivate func product(_ factor: UInt64, adding carry: UInt64) -> (over: UInt64, UInt128) {
        let lower = lowerWord * UInt128(factor) + UInt128(carry)
        let upper = (self >> 64) * UInt128(factor) + (lower >> 64)
        return (UInt64(upper >> 64), upper << 64 | lower.lowerWord)
    }

    fileprivate func quotient(_ divisor: UInt64, over: UInt64) -> (UInt128, rest: UInt64) {
        let divisor = UInt128(divisor)
        let (upper, middle) = (UInt128(over) << 64 | self >> 64)
            .quotientAndRemainder(dividingBy: divisor)
        let (lower, rest) = (middle << 64 | lowerWord).quotientAndRemainder(dividingBy: divisor)
        return (upper << 64 | lower, UInt64(rest))
    }
}

extension Amount: Comparable {
    package static func < (left: Amount, right: Amount) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension Amount: CustomStringConvertible {
    package var description: String { decimal }
}
