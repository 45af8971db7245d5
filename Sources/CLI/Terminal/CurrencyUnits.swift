import Client

/// The currencies of the node's market, by which a command reads and writes amounts.
struct CurrencyUnits: Sendable {
    /// Those of the node that the running command calls.
    @TaskLocal static var current = CurrencyUnits()

    /// What a node without a market would say.
    private static let ether = CurrencyUnit(
        currency: "native",
        name: "Ether",
        symbol: "ETH",
        decimals: 18
    )

    private let units: [CurrencyUnit]
    /// Whether the node has said what its market's currencies are.
    let areKnown: Bool

    init(_ units: [CurrencyUnit] = []) {
        areKnown = !units.isEmpty
        self.units = units.contains { $0.currency == "native" } ? units : [Self.ether] + units
    }

    /// Asks a node; if it does not say, only the native currency has a unit.
    static func of(_ node: StoaClient) async -> CurrencyUnits {
        // The command's own call then says what is wrong.
        CurrencyUnits((try? await node.currencies()) ?? [])
    }

    /// Returns the unit of a currency; an unknown token's amounts are in its smallest unit.
    subscript(currency: String) -> CurrencyUnit {
        units.first { $0.currency.lowercased() == currency.lowercased() }
            ?? CurrencyUnit(currency: currency, name: nil, symbol: nil, decimals: nil)
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
}
