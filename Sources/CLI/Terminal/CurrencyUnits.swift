import Client
import Setup
import Texts

/// The currencies of the node's markets, which a command uses to read and write amounts.
///
/// Each chain has its own: amounts are read and written inside ``on(_:_:)``.
struct CurrencyUnits: Sendable {
    /// The units of the node that the running command calls.
    @TaskLocal static var current = CurrencyUnits()

    /// The answer of a node without a market.
    private static let ether = CurrencyUnit(
        chain: 1,
        currency: "native",
        name: "Ether",
        symbol: "ETH",
        decimals: 18
    )

    private let units: [CurrencyUnit]
    /// The units of chains other than the amounts' own.
    private let others: [CurrencyUnit]
    /// Whether the node has reported its markets' currencies.
    let areKnown: Bool
    /// Whether amounts are written with all their digits.
    var areWhole = false

    init(_ units: [CurrencyUnit] = []) {
        self.init(units, others: [])
    }

    private init(_ units: [CurrencyUnit], others: [CurrencyUnit]) {
        areKnown = !units.isEmpty
        self.units = units.contains { $0.currency == "native" } ? units : [Self.ether] + units
        self.others = others
    }

    /// Asks a node; if it does not say, only the native currency has a unit.
    ///
    /// - Throws: ``ClientError/silent(_:)``, so that the command does not wait once more.
    static func of(_ node: StoaClient) async throws(ClientError) -> CurrencyUnits {
        do {
            return CurrencyUnits(try await node.currencies())
        } catch ClientError.silent(let node) {
            throw .silent(node)
        } catch {
            // The command's own call then reports the fault.
            return CurrencyUnits()
        }
    }

    /// Calls `body` with the currencies of one chain; with all if it is `nil` or unknown.
    static func on<Value>(_ chain: UInt64?, _ body: () throws -> Value) rethrows -> Value {
        let known = current
        let own = known.units.filter { $0.chain == chain }
        guard let chain, !own.isEmpty else { return try body() }
        let others = (known.units + known.others).filter { $0.chain != chain }
        var units = CurrencyUnits(own, others: others)
        units.areWhole = known.areWhole
        return try $current.withValue(units, operation: body)
    }

    /// The ids of the chains, in the node's order; none if the node does not say.
    var chains: [UInt64] {
        var found: [UInt64] = []
        for unit in areKnown ? units : [] where !found.contains(unit.chain) {
            found.append(unit.chain)
        }
        return found
    }

    /// Returns the chain whose currency is meant: the named one, else the only one with a currency
    /// of that name.
    ///
    /// - Parameters:
    ///   - named: The chain that the person has named.
    ///   - texts: Amounts such as `0.5 KAIA`, and names of currencies.
    /// - Returns: `nil` if the texts do not name one; the node then takes its only chain.
    func chain(_ named: UInt64?, in texts: String?...) -> UInt64? {
        if let named { return named }
        for text in texts.compactMap(\.self) {
            let words = text.split(separator: " ").flatMap { word in
                [String(word), String(word.drop { $0.isNumber || $0 == "." })]
            }
            let found = Set(
                units.filter { unit in
                    words.contains { $0.lowercased() == unit.symbol?.lowercased() }
                        || unit.currency != "native"
                            && words.contains { $0.lowercased() == unit.currency.lowercased() }
                }.map(\.chain)
            )
            if found.count == 1 { return found.first }
        }
        return nil
    }

    /// Refuses an amount whose currency names no chain, or another than that of a purchase, if the
    /// node follows several: `native` is a currency of each.
    ///
    /// - Parameters:
    ///   - chain: The chain of the purchase; `nil` for any.
    ///   - texts: The amount, and the name of its currency.
    /// - Throws: ``Failure``
    static func requireChain(_ chain: UInt64? = nil, in texts: String?...) throws {
        guard current.chains.count > 1 else { return }
        let named = texts.lazy.compactMap { current.chain(nil, in: $0) }.first
        guard named == nil || chain != nil && named != chain else { return }
        let amount = texts.compactMap(\.self).first ?? ""
        let place = chain.map { " The purchase is on chain \($0)." } ?? ""
        throw Failure(
            .usage,
            "The node follows several chains, and \(amount.quoted) names none or "
                + "another.\(place) With --yes, add a symbol that only a currency of that chain has. "
                + "Nothing was signed."
        )
    }

    /// Whether the node has chains other than the amounts' own.
    var hasOthers: Bool { !others.isEmpty }

    /// Returns the unit of a currency; an unknown token's amounts are in its smallest unit.
    subscript(currency: String) -> CurrencyUnit {
        units.first { $0.currency.lowercased() == currency.lowercased() }
            ?? CurrencyUnit(
                chain: units[0].chain,
                currency: currency,
                name: nil,
                symbol: nil,
                decimals: nil
            )
    }

    /// Returns whether a currency, by its address, is one of the market's.
    func has(_ currency: String) -> Bool {
        units.contains { $0.currency.lowercased() == currency.lowercased() }
    }

    /// Returns the currency that a person names: `native`, a symbol such as `TST`, or an address.
    ///
    /// Any other text is returned as it is, for the node to refuse.
    func currency(named text: String) -> String {
        unit(called: text)?.currency ?? text
    }

    /// Returns the currency with a symbol, in capital letters or not.
    func unit(called symbol: String) -> CurrencyUnit? {
        units.first { $0.symbol?.lowercased() == symbol.lowercased() }
    }

    /// Returns whether tokens of several chains share a symbol, so that it is ambiguous.
    func isShared(_ symbol: String) -> Bool {
        let named = units.filter {
            $0.symbol?.lowercased() == symbol.lowercased() && $0.currency != "native"
        }
        return Set(named.map(\.chain)).count > 1
    }

    /// Returns the currency of another chain with a symbol or address; `nil` if there is none.
    func elsewhere(called name: String) -> CurrencyUnit? {
        let lowered = name.lowercased()
        return others.first {
            $0.symbol?.lowercased() == lowered
                || $0.currency != "native" && $0.currency.lowercased() == lowered
        }
    }
}

extension CurrencyUnits: AmountUnits {
    /// Writes an amount of a sentence with all its digits, in the node's words.
    func text(
        of amount: String,
        in currency: String,
        onChain chain: UInt64,
        _ rounding: AmountRounding
    ) -> String {
        Self.$current.withValue(self) {
            Self.on(chain) {
                let text = MoneyText.exact(amount, currency)
                return Self.current[currency].symbol == nil
                    ? text.replacing("of 0x", with: "of token 0x") : text
            }
        }
    }
}
