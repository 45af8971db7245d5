/// The terms on which an account is an arbiter in one currency.
///
/// A seller can name only an account that has registered, for a fee that is not below the minimum
/// and an offer that does not last longer. Later changes do not affect sales that are listed.
///
/// Source: Docs/contracts.md, section 9.
public struct Arbitration: Codable, Hashable, Sendable, DescribedType {
    /// `native`, or the token's address.
    public var currency: String
    /// The lowest fee of a dispute, in the currency's smallest unit.
    public var feeMin: String
    /// Offers can name the account if they end by this time: seconds since 1970, on the chain's
    /// clock.
    ///
    /// 0 registers that it is an arbiter no longer.
    public var until: UInt64
    /// The id of the chain; `nil` in a request is the node's only one.
    public var chain: UInt64?

    package static let fields: [String: FieldFacts] = [
        "currency": .currency,
        "feeMin": .amount(as: "The lowest fee of a dispute.").example("10000000000000000"),
        "until": .seconds.about(
            "Until when offers that name the account can last, in seconds since 1970 on the "
                + "chain's clock; 0 ends the registration."
        ),
        "chain": .chain,
    ]

    public init(
        chain: UInt64? = nil,
        currency: String = "native",
        feeMin: String,
        until: UInt64
    ) {
        (self.currency, self.feeMin, self.until) = (currency, feeMin, until)
        self.chain = chain
    }
}
