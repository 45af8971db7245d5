/// Adds pieces to a listing, or withdraws free ones; one of the two is given.
public struct PieceChange: Codable, Hashable, Sendable, DescribedType {
    /// How many more to list, at the price and the terms of the present ones.
    public var add: Int?
    /// How many free ones to withdraw.
    public var withdraw: Int?

    package static let fields: [String: FieldFacts] = [
        "add": FieldFacts(2).numbers(1...19).about(
            "How many more pieces to list, at the present price and terms."
        ),
        "withdraw": FieldFacts(1).numbers(1...20).notInExample.about(
            "How many free pieces to withdraw, instead of adding any."
        ),
    ]

    public init(add: Int? = nil, withdraw: Int? = nil) {
        (self.add, self.withdraw) = (add, withdraw)
    }
}
