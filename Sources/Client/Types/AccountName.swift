/// The name by which the caller knows an account.
public struct AccountName: Codable, Hashable, Sendable {
    /// Its address.
    public var account: String
    public var name: String
    /// Whether it is an account of the node; otherwise it is a contact that chose the name itself.
    public var isHere: Bool

    public init(account: String, name: String, isHere: Bool) {
        self.account = account
        self.name = name
        self.isHere = isHere
    }
}
