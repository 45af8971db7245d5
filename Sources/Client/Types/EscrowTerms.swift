/// The terms of an escrow; a term that is left out takes the market's default.
///
/// Source: Docs/contracts.md, section 5.
public struct EscrowTerms: Codable, Hashable, Sendable, DescribedType {
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

    package static let fields: [String: FieldFacts] = [
        "sellerDeposit": .amount.example("2"), "buyerDeposit": .amount,
        "latePenalty": .amount.example("0"), "arbiter": .address,
        "arbiterFee": .amount.example("0"),
        "shipSeconds": FieldFacts(259_200).about(
            "How long the seller has to hand over, in seconds."
        ),
        "confirmSeconds": FieldFacts(1_814_400).about(
            "How long the buyer has to confirm or dispute, in seconds."
        ),
        "rulingSeconds": FieldFacts(1_209_600).about(
            "How long a dispute can be settled or ruled, in seconds."
        ),
        "offerUntil": .seconds.about(
            "When the offer ends, in seconds since 1970 on the chain's clock."
        ),
        "buyer": .address.about("The only account that can buy it."),
    ]

    public init() {}
}

extension EscrowTerms: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("arbiter", arbiter)
            json.field("arbiterFee", arbiterFee)
            json.field("buyer", buyer)
            json.field("buyerDeposit", buyerDeposit)
            json.field("confirmSeconds", confirmSeconds)
            json.field("latePenalty", latePenalty)
            json.field("offerUntil", offerUntil)
            json.field("rulingSeconds", rulingSeconds)
            json.field("sellerDeposit", sellerDeposit)
            json.field("shipSeconds", shipSeconds)
        }
    }
}
