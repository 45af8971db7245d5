/// An amount of one currency on one chain.
public struct Money: Codable, Hashable, Sendable, DescribedType {
    /// Decimal digits, in the currency's smallest unit (wei for the chain's own).
    public var amount: String
    /// `native`, or the token contract's address.
    public var currency: String

    package static let fields: [String: FieldFacts] = [
        "amount": .amount.example("500000000000000000"), "currency": .currency,
    ]

    public init(amount: String, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}

extension Money: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("amount", amount)
            json.field("currency", currency)
        }
    }
}
