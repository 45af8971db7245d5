/// Prices in summaries, identical on every node, whatever it knows about a token.
///
/// The native currency has 18 decimals and a name from a fixed list. Only a token's contract knows
/// its decimals, so a token's price is written in its smallest units.
///
/// Source: Docs/protocol.md, section 5.6.
package enum PriceText {
    private static let decimals = 18
    /// 10¹⁸, which fits into one word.
    private static let unit: UInt64 = 1_000_000_000_000_000_000

    package static func text(_ amount: Amount, in currency: Currency, on chain: ChainID) -> String {
        switch currency {
        case .native: "\(wholeAndRest(of: amount)) \(nativeName(of: chain))"
        case .token(let address): "\(amount) units of token \(address)"
        }
    }

    /// Returns the name of the chain's native currency; ETH for chains not listed.
    package static func nativeName(of chain: ChainID) -> String {
        switch chain.number {
        case 56, 97: "BNB"
        case 100, 10_200: "xDAI"
        case 137, 80_002: "POL"
        case 1_001, 8_217: "KAIA"
        case 43_113, 43_114: "AVAX"
        default: "ETH"
        }
    }

    /// Whether a chain's native currency has a name that everybody knows.
    static func hasKnownName(_ chain: ChainID) -> Bool {
        nativeName(of: chain) != "ETH"
            || [1, 10, 8_453, 42_161, 59_144, 534_352, 11_155_111].contains(chain.number)
    }

    /// Returns a decimal number without trailing zeros.
    private static func wholeAndRest(of amount: Amount) -> String {
        var (whole, rest) = amount.quotientAndRemainder(dividingBy: unit)
        guard rest > 0 else { return "\(whole)" }
        var places = decimals
        while rest.isMultiple(of: 10) { (rest, places) = (rest / 10, places - 1) }
        let digits = String(rest)
        return "\(whole).\(String(repeating: "0", count: places - digits.utf8.count))\(digits)"
    }
}
