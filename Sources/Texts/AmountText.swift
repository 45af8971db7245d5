/// How an amount loses the digits that people do not read.
package enum AmountRounding: Sendable {
    /// The last digit half up, for an amount that nobody decides by.
    case nearest
    /// Up, for an amount that a person pays or risks, or a minimum to pay.
    case up
    /// Down, for an amount that a person gets or has.
    case down
    /// With all digits.
    case whole
}

/// Amounts in a smallest unit, written as decimal fractions.
package enum AmountText {
    /// The digits that people read, from the first that is not 0; a whole part may have more.
    private static let digitsMax = 7

    /// Writes an amount with all its digits, without trailing zeros.
    ///
    /// It is for what a person can type again, or compares with another wallet.
    ///
    /// - Parameters:
    ///   - amount: Decimal digits, in units of 10⁻ᵈ.
    ///   - decimals: The d.
    /// - Returns: As in `0.000000000000000001`.
    package static func exact(_ amount: String, decimals: Int) -> String {
        guard decimals > 0 else { return amount }
        // By bytes: by characters, this was a quarter of the work on the listings of a page.
        let zero = UInt8(ascii: "0")
        let padding = max(0, decimals + 1 - amount.utf8.count)
        let digits = [UInt8](repeating: zero, count: padding) + amount.utf8
        let point = digits.count - decimals
        let whole = String(decoding: digits[..<point], as: UTF8.self)
        guard let last = digits[point...].lastIndex(where: { $0 != zero }) else { return whole }
        return whole + "." + String(decoding: digits[point...last], as: UTF8.self)
    }

    /// Writes an amount as people read it: the whole part entire, and of the fraction at most
    /// what makes seven digits.
    ///
    /// - Parameters:
    ///   - amount: Decimal digits, in units of 10⁻ᵈ.
    ///   - decimals: The d.
    ///   - rounding: The direction in which the other digits are rounded.
    /// - Returns: As in `0.5`; as in `≈ 0.1234568` if digits were dropped.
    package static func rounded(
        _ amount: String,
        decimals: Int,
        _ rounding: AmountRounding = .nearest
    ) -> String {
        if case .whole = rounding { return exact(amount, decimals: decimals) }
        let digits = amount.drop { $0 == "0" }
        let count = min(decimals, max(0, digits.count - digitsMax))
        let dropped = digits.suffix(count)
        guard let first = dropped.first, dropped.contains(where: { $0 != "0" }) else {
            return exact(amount, decimals: decimals)
        }
        var kept = String(digits.dropLast(count))
        let isUp = rounding == .up || rounding == .nearest && first >= "5"
        if isUp {
            let nines = kept.reversed().prefix { $0 == "9" }.count
            let rest = kept.dropLast(nines)
            let next = (rest.last?.wholeNumberValue ?? 0) + 1
            kept = "\(rest.dropLast())\(next)" + String(repeating: "0", count: nines)
        }
        return "≈ " + exact(kept, decimals: decimals - count)
    }
}
