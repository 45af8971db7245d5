package import Keys
package import Texts

/// A currency's own description; a token's contract can claim anything.
package struct CurrencyDescription: Hashable, Sendable {
    package var name: String?
    package var symbol: String?
    package var decimals: UInt64?

    package init(name: String? = nil, symbol: String? = nil, decimals: UInt64? = nil) {
        (self.name, self.symbol, self.decimals) = (name, symbol, decimals)
    }
}

/// The currencies of a market on one chain, and how their amounts are written for people.
///
/// A token is shown by its address if its symbol could deceive: if the symbol is not short and
/// plain, or resembles that of another currency of the market or a unit of the native one. A token
/// with more decimals than ``CurrencyRules/decimalsMax``, or unknown decimals, is also shown by its
/// address, and its amounts are written in the smallest unit.
///
/// Source: Docs/operations.md, section 5.7.
package struct CurrencyRegistry: Hashable, Sendable {
    /// A currency with as much of its description as can be shown.
    package struct Entry: Hashable, Sendable {
        package let currency: Currency
        package let name: String?
        /// `nil` if the currency is called by its address.
        package let symbol: String?
        /// `nil` if amounts are written in the smallest unit.
        package let decimals: Int?
    }

    /// The native currency, then the tokens in the market's order.
    package let entries: [Entry]

    /// - Parameters:
    ///   - chain: The chain, whose number names the native currency if nothing else does.
    ///   - native: The description of the native currency; its decimals are always 18.
    ///   - tokens: The tokens with their own names, symbols and decimals.
    package init(
        chain: ChainID,
        native: CurrencyDescription? = nil,
        tokens: [(Address, CurrencyDescription)] = []
    ) {
        let stated = native?.symbol.flatMap { CurrencyRules.isSymbol($0) ? $0 : nil }
        let usual = PriceText.nativeName(of: chain)
        // Where everybody knows the name, a file cannot call it otherwise.
        let nativeSymbol = PriceText.hasKnownName(chain) ? usual : stated ?? usual
        var uses: [String: Int] = [CurrencyRules.look(of: nativeSymbol): 2]
        uses[CurrencyRules.look(of: usual)] = 2
        for (_, token) in tokens {
            if let symbol = token.symbol { uses[CurrencyRules.look(of: symbol), default: 0] += 1 }
        }
        let first = Entry(
            currency: .native,
            name: (stated == nativeSymbol ? CurrencyRules.name(native?.name) : nil) ?? nativeSymbol,
            symbol: nativeSymbol,
            decimals: CurrencyRules.nativeDecimals
        )
        entries =
            [first]
            + tokens.map { address, token in
                let decimals = CurrencyRules.decimals(token.decimals)
                let symbol = token.symbol.flatMap { symbol in
                    let isOnly = uses[CurrencyRules.look(of: symbol)] == 1
                    return isOnly && decimals != nil && CurrencyRules.isSymbol(symbol)
                        ? symbol : nil
                }
                return Entry(
                    currency: .token(address),
                    name: symbol == nil ? nil : CurrencyRules.name(token.name),
                    symbol: symbol,
                    decimals: decimals
                )
            }
    }

    package subscript(currency: Currency) -> Entry? { entries.first { $0.currency == currency } }

    package var native: Entry { entries[0] }

    /// Writes an amount with its currency, such as `0.5 ETH`, `12.5 TST`, `12.5 of token 0x…` or
    /// `125 units of token 0x…`.
    package func text(
        _ amount: Amount,
        in currency: Currency,
        _ rounding: AmountRounding = .whole
    ) -> String {
        let entry = self[currency]
        let number = AmountText.rounded(amount.decimal, decimals: entry?.decimals ?? 0, rounding)
        if let symbol = entry?.symbol { return "\(number) \(symbol)" }
        let unit = entry?.decimals == nil ? "units of token" : "of token"
        return "\(number) \(unit) \(currency.address.checksummed)"
    }
}

extension CurrencyRegistry: AmountUnits {
    package func text(
        of amount: String,
        in currency: String,
        onChain chain: UInt64,
        _ rounding: AmountRounding
    ) -> String {
        let token = currency == "native" ? Address.zero : try? Address(text: currency)
        guard let amount = Amount(decimal: amount), let token else {
            return PlainUnits().text(of: amount, in: currency, onChain: chain, rounding)
        }
        return text(amount, in: Currency(address: token), rounding)
    }
}

/// The bounds on a currency's description.
package enum CurrencyRules {
    package static let nativeDecimals = 18
    /// Amounts with more decimals would be zeros to every reader.
    package static let decimalsMax: UInt64 = 36
    package static let symbolBytesMax = 11
    package static let nameBytesMax = 64

    /// Words that a command reads as a unit or as an amount.
    private static let reserved = Set(["wei", "gwei", "max", "native", "units", "of"].map(look))

    /// Returns whether a text can be a currency's symbol: 1 to 11 letters and digits of ASCII, and
    /// `.`, `-`, `_`, `+` or `$`, with a letter among them.
    package static func isSymbol(_ text: String) -> Bool {
        let marks: Set<UInt8> = Set(".-_+$".utf8)
        func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
        return (1...symbolBytesMax).contains(text.utf8.count)
            && text.utf8.contains(where: isLetter)
            && text.utf8.allSatisfy {
                isLetter($0) || (0x30...0x39).contains($0) || marks.contains($0)
            }
            && !reserved.contains(look(of: text)) && !text.lowercased().hasPrefix("0x")
    }

    /// Returns a symbol's look to a hasty reader: `ETH.`, `Eth` and `E-TH` are one, and so are
    /// `DAI`, `DA1` and `DAl`.
    static func look(of symbol: String) -> String {
        let alike: [Character: Character] = ["0": "o", "1": "l", "i": "l", "5": "s"]
        return String(symbol.lowercased().filter { !".-_+$".contains($0) }.map { alike[$0] ?? $0 })
    }

    /// Returns a name that fits on a line, or `nil` if there is none.
    static func name(_ text: String?) -> String? {
        guard let text, (1...nameBytesMax).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: UntrustedText.isUnsafe)
        else { return nil }
        return text
    }

    static func decimals(_ number: UInt64?) -> Int? {
        number.flatMap { $0 <= decimalsMax ? Int($0) : nil }
    }
}
