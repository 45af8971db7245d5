/// Asks to send money of the account to another account.
public struct Transfer: Codable, Hashable, Sendable, DescribedType {
    /// The receiver: an address, or the name of an account that the caller knows.
    public var to: String
    /// In the currency's smallest unit; `max` sends all that the account has, less the fee.
    public var amount: String
    /// `native`, or the address of a token that the market takes.
    public var currency: String
    /// The id of the chain on which to send it; `nil` is the node's only one.
    public var chain: UInt64?

    package static let fields: [String: FieldFacts] = [
        "to": .address.orName, "amount": .amount.pattern("^([0-9]{1,78}|max)$"),
        "currency": .currency, "chain": .chain,
    ]

    public init(
        to: String,
        amount: String,
        currency: String = "native",
        chain: UInt64? = nil
    ) {
        (self.to, self.amount, self.currency) = (to, amount, currency)
        self.chain = chain
    }
}

/// Asks to give a token of the account to another account, without money.
public struct Gift: Codable, Hashable, Sendable, DescribedType {
    /// The receiver: an address, or the name of an account that the caller knows.
    public var to: String
    /// The token's number, in decimal.
    public var token: String
    /// The id of its chain; `nil` is the node's only one.
    public var chain: UInt64?

    package static let fields: [String: FieldFacts] = [
        "to": .address.orName, "token": .token, "chain": .chain,
    ]

    public init(to: String, token: String, chain: UInt64? = nil) {
        (self.to, self.token, self.chain) = (to, token, chain)
    }
}
