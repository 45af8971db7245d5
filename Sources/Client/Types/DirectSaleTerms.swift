/// The terms of a direct sale besides the price; a term that is left out takes the market's
/// default.
///
/// Source: Docs/contracts.md, section 11.
public struct DirectSaleTerms: Codable, Hashable, Sendable, DescribedType {
    /// When the offer ends, in seconds since 1970 on the chain's clock; at most 365 days ahead, by
    /// default 30 days.
    public var offerUntil: UInt64?
    /// The only account that can buy; `nil` means anyone.
    public var buyer: String?

    package static let fields: [String: FieldFacts] = [
        "offerUntil": .seconds.about(
            "When the offer ends, in seconds since 1970 on the chain's clock."
        ),
        "buyer": .address.about("The only account that can buy it."),
    ]

    public init(offerUntil: UInt64? = nil, buyer: String? = nil) {
        (self.offerUntil, self.buyer) = (offerUntil, buyer)
    }
}

extension DirectSaleTerms: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("buyer", buyer)
            json.field("offerUntil", offerUntil)
        }
    }
}
