import Texts

/// Prices in summaries, identical on every node, whatever it knows about a token.
///
/// The native currency has 18 decimals and a name from a fixed list. Only a token's contract knows
/// its decimals, so a token's price is written in its smallest units.
///
/// Source: Docs/protocol.md, section 5.6.
package enum PriceText {
    package static func text(_ amount: Amount, in currency: Currency, on chain: ChainID) -> String {
        PlainUnits().text(of: amount.decimal, in: currency.name, onChain: chain.number, .whole)
    }

    /// Returns the name of the chain's native currency; ETH for chains not listed.
    package static func nativeName(of chain: ChainID) -> String {
        PlainUnits.nativeName(ofChain: chain.number)
    }

    /// Whether a chain's native currency has a name that everybody knows.
    static func hasKnownName(_ chain: ChainID) -> Bool {
        nativeName(of: chain) != "ETH"
            || [1, 10, 8_453, 42_161, 59_144, 534_352, 11_155_111].contains(chain.number)
    }
}
