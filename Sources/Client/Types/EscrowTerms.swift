/// The terms of an escrow; a term that is left out takes the market's default.
///
/// Source: Docs/contracts.md, section 5.
public struct EscrowTerms: Codable, Hashable, Sendable {
    /// In the price's smallest unit.
    public var sellerDeposit: String?
    /// In the price's smallest unit.
    public var buyerDeposit: String?
    /// In the price's smallest unit.
    public var latePenalty: String?
    public var arbiter: String?
    /// In the price's smallest unit.
    public var arbiterFee: String?
    public var shipSeconds: UInt64?
    public var confirmSeconds: UInt64?
    public var rulingSeconds: UInt64?
    /// Seconds since 1970, on the chain's clock.
    public var offerUntil: UInt64?
    /// The only account that can buy; `nil` means anyone.
    public var buyer: String?

    public init() {}
}
