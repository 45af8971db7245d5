/// Writes the amounts of sentences in the units of their currencies.
package protocol AmountUnits: Sendable {
    /// Writes an amount with its unit, such as `0.5 ETH`.
    ///
    /// - Parameters:
    ///   - amount: Decimal digits, in the currency's smallest unit.
    ///   - currency: `native`, or the address of a token.
    ///   - chain: The id of the currency's chain.
    ///   - rounding: The direction in which digits that people do not read are rounded.
    /// - Returns: The number and the unit.
    func text(
        of amount: String,
        in currency: String,
        onChain chain: UInt64,
        _ rounding: AmountRounding
    ) -> String
}

/// The units that are known without asking a chain: those of native currencies.
///
/// Only a token's contract knows its decimals, so its amounts are in its smallest unit.
package struct PlainUnits: AmountUnits {
    package static let nativeDecimals = 18

    package init() {}

    package func text(
        of amount: String,
        in currency: String,
        onChain chain: UInt64,
        _ rounding: AmountRounding
    ) -> String {
        guard currency == "native" else { return "\(amount) units of token \(currency)" }
        let number = AmountText.rounded(amount, decimals: Self.nativeDecimals, rounding)
        return "\(number) \(Self.nativeName(ofChain: chain))"
    }

    /// Returns the name of a chain's native currency; ETH for chains not listed.
    ///
    /// Source: Docs/protocol.md, section 5.6.
    package static func nativeName(ofChain chain: UInt64) -> String {
        switch chain {
        case 56, 97: "BNB"
        case 100, 10_200: "xDAI"
        case 137, 80_002: "POL"
        case 1_001, 8_217: "KAIA"
        case 43_113, 43_114: "AVAX"
        default: "ETH"
        }
    }
}
