/// The name by which the caller knows an account.
public struct AccountName: Codable, Hashable, Sendable, DescribedType {
    /// Its address.
    public var account: String
    public var name: String
    /// Whether it is an account of the node; otherwise it is a contact.
    public var isHere: Bool
    /// Whether the caller has given it the name; otherwise the account has chosen it itself.
    public var isNamedByCaller: Bool?

    package static let fields: [String: FieldFacts] = [
        "account": .address, "name": "ana", "isHere": true,
    ]

    public init(account: String, name: String, isHere: Bool, isNamedByCaller: Bool? = nil) {
        self.account = account
        self.name = name
        self.isHere = isHere
        self.isNamedByCaller = isNamedByCaller
    }
}
