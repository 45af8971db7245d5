/// Asks to send money of the account to another account.
public struct Transfer: Codable, Hashable, Sendable {
    /// The receiver: an address, or the name of an account that the caller knows.
    public var to: String
    /// In the currency's smallest unit; `max` sends all that the account has, less the fee.
    public var amount: String
    /// `native`, or the address of a token that the market takes.
    public var currency: String

    public init(to: String, amount: String, currency: String = "native") {
        (self.to, self.amount, self.currency) = (to, amount, currency)
    }
}
