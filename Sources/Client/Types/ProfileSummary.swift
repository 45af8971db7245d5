/// An account with the name and picture of its profile, as a row of a list shows it.
public struct ProfileSummary: Codable, Hashable, Sendable, DescribedType {
    /// Its address.
    public var account: String
    /// The name in its profile, which anybody can choose; `nil` without a profile.
    public var name: String?
    /// The picture in its profile.
    public var avatar: ListingMedia?

    package static let fields: [String: FieldFacts] = ["account": .address, "name": "Ana"]

    public init(account: String, name: String? = nil, avatar: ListingMedia? = nil) {
        (self.account, self.name, self.avatar) = (account, name, avatar)
    }
}
