/// A currency of the market on one of the node's chains, and how its amounts are written for
/// people.
public struct CurrencyUnit: Codable, Hashable, Sendable, DescribedType {
    /// The id of its chain: the same name means other money on another one.
    public var chain: UInt64
    /// `native`, or the token contract's address.
    public var currency: String
    /// `nil` if the token's own name could deceive, or if it has none.
    public var name: String?
    /// Such as `ETH`; `nil` if the token is called by its address.
    public var symbol: String?
    /// The number of digits after the point: 18 for ether, whose smallest unit is 10⁻¹⁸.
    ///
    /// `nil` if amounts are written in the smallest unit.
    public var decimals: Int?

    package static let fields: [String: FieldFacts] = [
        "chain": .chain, "currency": .currency, "name": "Ether", "symbol": "ETH",
        "decimals": FieldFacts(18).numbers(0...36),
    ]

    public init(chain: UInt64, currency: String, name: String?, symbol: String?, decimals: Int?) {
        (self.chain, self.currency, self.name) = (chain, currency, name)
        (self.symbol, self.decimals) = (symbol, decimals)
    }
}
