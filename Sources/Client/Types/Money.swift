/// An amount of one currency on one chain.
public struct Money: Codable, Hashable, Sendable {
    /// Decimal digits, in the currency's smallest unit (wei for the chain's own).
    public var amount: String
    /// `native`, or the token contract's address.
    public var currency: String

    public init(amount: String, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}
