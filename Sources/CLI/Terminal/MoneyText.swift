import BigInt
import Client
import Setup
import Texts

/// Reads and formats amounts in the units of their currencies, such as `0.5 ETH` and `12.5 TST`.
enum MoneyText {
    /// Formats a price of gas, given in wei.
    static func gwei(_ wei: String) -> String {
        let digits = String(repeating: "0", count: max(0, 10 - wei.count)) + wei
        var rest = digits.suffix(9)
        while rest.last == "0" { rest.removeLast() }
        return "\(digits.dropLast(9))\(rest.isEmpty ? "" : ".")\(rest) gwei"
    }

    /// Adds amounts in smallest units; text that is not a number counts as 0.
    static func sum(_ amounts: [String]) -> String {
        String(amounts.compactMap { BigUInt($0) }.reduce(0, +))
    }

    /// Converts `0.5`, `0.5 ETH`, `100 gwei` or `20 wei` to wei; the space is optional.
    ///
    /// - Throws: ``Failure`` for anything else.
    static func wei(_ text: String) throws -> String {
        try units(text, of: "native")
    }

    /// Converts an amount to the smallest unit of its currency.
    ///
    /// It can be followed by the currency's symbol, or by `wei` or `gwei`. An amount of a token
    /// whose decimals are unknown is in its smallest unit already.
    ///
    /// - Throws: ``Failure`` for anything else, and for more digits after the point than the
    ///   currency has.
    static func units(_ text: String, of currency: String) throws -> String {
        let unit = CurrencyUnits.current[currency]
        guard CurrencyUnits.current.has(currency) else {
            guard CurrencyUnits.current.areKnown || !currency.lowercased().hasPrefix("0x") else {
                throw Failure(
                    .network,
                    "The node did not report the decimals of the token \(currency), so the amount "
                        + "\(text.quoted) cannot be read. Try again."
                )
            }
            let native = CurrencyUnits.current["native"].symbol ?? "ETH"
            if let other = CurrencyUnits.current.elsewhere(called: currency) {
                throw Failure(.usage, Self.words(currency, isOf: other, not: unit))
            }
            throw Failure(
                .usage,
                "\(currency.quoted) is not a currency of this market: write 'native', a symbol "
                    + "such as \(native), or a token's whole address."
            )
        }
        let words = text.split(separator: " ")
        let first = words.first ?? ""
        let number = words.count == 2 ? first : first.prefix { !$0.isLetter }
        let name = words.count == 2 ? words[1] : first.dropFirst(number.count)
        guard words.count <= 2 else { throw malformed(text, unit) }
        let digits = try decimals(of: String(name), unit, text)
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        guard let whole = parts.first, parts.count <= 2, !whole.isEmpty,
            parts.count == 1 || !fraction.isEmpty,
            (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) })
        else { throw malformed(text, unit) }
        guard fraction.count <= digits else {
            throw Failure(
                .usage,
                "\(text.quoted) has \(fraction.count) digits after the point, and "
                    + "\(unit.label) has at most \(digits)."
            )
        }
        guard whole.count <= 60 else {
            throw Failure(.usage, "'\(text.prefix(60))…' is more \(unit.label) than exists.")
        }
        let padding = String(repeating: "0", count: digits - fraction.count)
        let units = (whole + fraction + padding).drop { $0 == "0" }
        return units.isEmpty ? "0" : String(units)
    }

    /// Returns the number of decimals of an amount, which is followed by `name`.
    private static func decimals(
        of name: String,
        _ unit: CurrencyUnit,
        _ text: String
    ) throws -> Int {
        let lowered = name.lowercased()
        if lowered.isEmpty || lowered == unit.symbol?.lowercased() { return unit.decimals ?? 0 }
        if unit.currency == "native", let digits = ["gwei": 9, "wei": 0][lowered] { return digits }
        guard let other = CurrencyUnits.current.unit(called: name) else {
            if let other = CurrencyUnits.current.elsewhere(called: name) {
                throw Failure(.usage, words(text, isOf: other, not: unit))
            }
            throw malformed(text, unit)
        }
        throw Failure(
            .usage,
            "\(text.quoted) is an amount of \(other.label), but this is in \(unit.label)."
        )
    }

    private static func words(
        _ text: String,
        isOf other: CurrencyUnit,
        not unit: CurrencyUnit
    ) -> String {
        "\(text.quoted) is of \(other.label), a currency of chain \(other.chain), but this is on "
            + "chain \(unit.chain). Name the other chain with --chain \(other.chain), or write an "
            + "amount of this one's."
    }

    /// Converts an amount of a currency, or a share of `price` such as `50%`, which is rounded up.
    ///
    /// - Throws: ``Failure`` for anything else.
    static func units(_ text: String, of currency: String, price: String) throws -> String {
        guard text.hasSuffix("%"), let share = ShareText(argument: text),
            let whole = BigUInt(price)
        else { return try units(text, of: currency) }
        return "\((whole * BigUInt(share.basisPoints) + 9_999) / 10_000)"
    }

    /// Returns a third of a price, rounded up: the minimum deposit.
    static func third(of price: String) -> String? {
        BigUInt(price).map { "\(($0 + 2) / 3)" }
    }

    /// Returns the intended currency: the named one, else the price's own, such as `12.50 TST`,
    /// else `standard`.
    ///
    /// - Throws: ``Failure`` for a symbol that tokens of several chains have.
    static func currency(
        named name: String?,
        in prices: String?...,
        otherwise standard: String = "native"
    ) throws -> String {
        if let name { return try currency(called: name) ?? name }
        for price in prices.compactMap({ $0 }) {
            let words = price.split(separator: " ")
            let symbol =
                words.count == 2 ? String(words[1]) : String(price.drop { !$0.isLetter })
            if ["wei", "gwei"].contains(symbol.lowercased()) { return "native" }
            if let found = try currency(called: symbol) { return found }
        }
        return standard
    }

    private static func currency(called symbol: String) throws -> String? {
        guard !CurrencyUnits.current.isShared(symbol) else {
            throw Failure(
                .usage,
                "Tokens on several chains are called \(symbol.quoted). Name the chain with "
                    + "--chain, or the token by its address.",
                problem: ProblemCode.ambiguousChain.rawValue
            )
        }
        return CurrencyUnits.current.unit(called: symbol)?.currency
    }

    /// Formats an amount as people read it: `0.5 ETH`, `≈ 0.1234568 ETH`, or `20 of 0x…` for a
    /// token without a safe symbol.
    static func text(_ money: Money) -> String { text(money.amount, money.currency) }

    static func text(_ amount: String, _ currency: String) -> String {
        rounded(amount, currency, .nearest)
    }

    /// Formats an amount that a person pays or risks, or a minimum to pay: rounded up, so that it
    /// suffices.
    static func paid(_ money: Money) -> String { paid(money.amount, money.currency) }

    static func paid(_ amount: String, _ currency: String) -> String {
        rounded(amount, currency, .up)
    }

    /// Formats an amount that a person gets or has, rounded down.
    static func gained(_ money: Money) -> String { gained(money.amount, money.currency) }

    static func gained(_ amount: String, _ currency: String) -> String {
        rounded(amount, currency, .down)
    }

    /// Formats an amount with all its digits: one that a person can type again, or copies into
    /// another wallet.
    static func exact(_ money: Money) -> String { exact(money.amount, money.currency) }

    static func exact(_ amount: String, _ currency: String) -> String {
        rounded(amount, currency, .whole)
    }

    private static func rounded(
        _ amount: String,
        _ currency: String,
        _ rounding: AmountRounding
    ) -> String {
        let units = CurrencyUnits.current
        let unit = units[currency]
        let name = unit.symbol ?? (unit.decimals == nil ? "units of " : "of ") + unit.currency
        let rounding = units.areWhole ? .whole : rounding
        return "\(AmountText.rounded(amount, decimals: unit.decimals ?? 0, rounding)) \(name)"
    }

    private static func malformed(_ text: String, _ unit: CurrencyUnit) -> Failure {
        guard unit.currency == "native" else {
            let form =
                unit.decimals.map { $0 == 0 ? "digits only" : "as in 12.5" }
                ?? "in its smallest unit, digits only"
            return Failure(
                .usage,
                "\(text.quoted) is not an amount of \(unit.label). Write it \(form)."
            )
        }
        let name = unit.label
        let comma = text.contains(",") ? " Write a point, not a comma, before the fraction." : ""
        return Failure(
            .usage,
            "\(text.quoted) is not an amount.\(comma) Write it as 0.5, '0.5 \(name)', '100 gwei' or '20 wei'."
        )
    }
}

extension CurrencyUnit {
    /// The name of the currency in messages.
    fileprivate var label: String { symbol ?? "the token \(currency)" }
}
