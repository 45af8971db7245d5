import BigInt
import Client

/// Reads and formats amounts: the native currency in ETH, tokens in their smallest unit.
enum MoneyText {
    private static let etherDigits = 18
    private static let unitDigits = ["eth": etherDigits, "gwei": 9, "wei": 0]

    /// Converts `0.5`, `0.5 ETH`, `100 gwei` or `20 wei` to wei; the space is optional.
    ///
    /// - Throws: ``Failure`` for anything else.
    static func wei(_ text: String) throws -> String {
        let words = text.split(separator: " ")
        let first = words.first ?? ""
        let number = words.count == 2 ? first : first.prefix { !$0.isLetter }
        let unit = words.count == 2 ? words[1] : first.dropFirst(number.count)
        guard words.count <= 2, let digits = unitDigits[unit.isEmpty ? "eth" : unit.lowercased()]
        else { throw malformed(text) }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        guard let whole = parts.first, parts.count <= 2, !whole.isEmpty,
            fraction.count <= digits, parts.count == 1 || !fraction.isEmpty,
            (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) })
        else { throw malformed(text) }
        guard whole.count <= 60 else {
            throw Failure(.usage, "'\(text.prefix(60))…' is more ETH than exists.")
        }
        let padding = String(repeating: "0", count: digits - fraction.count)
        let units = (whole + fraction + padding).drop { $0 == "0" }
        return units.isEmpty ? "0" : String(units)
    }

    /// Converts an amount to the smallest unit: from ETH for `native`; a token's is in it already.
    static func units(_ text: String, of currency: String) throws -> String {
        if currency == "native" { return try wei(text) }
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw Failure(
                .usage,
                "'\(text)' is not an amount of a token. Write it in its smallest unit, digits only."
            )
        }
        return try wei(text + " wei")
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

    /// Formats an amount: `0.5 ETH`, or `20 of 0x…` for a token.
    static func text(_ money: Money) -> String {
        text(money.amount, money.currency)
    }

    static func text(_ amount: String, _ currency: String) -> String {
        guard currency == "native" else { return "\(amount) of \(currency)" }
        let missing = max(0, etherDigits + 1 - amount.count)
        let digits = String(repeating: "0", count: missing) + amount
        let whole = digits.dropLast(etherDigits)
        let fraction = digits.suffix(etherDigits).reversed().drop { $0 == "0" }.reversed()
        return fraction.isEmpty ? "\(whole) ETH" : "\(whole).\(String(fraction)) ETH"
    }

    private static func malformed(_ text: String) -> Failure {
        Failure(
            .usage,
            "'\(text)' is not an amount. Write it as 0.5, '0.5 ETH', '100 gwei' or '20 wei'."
        )
    }
}
