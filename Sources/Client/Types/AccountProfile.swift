public import Foundation

/// An account's public description of itself.
public struct AccountProfile: Codable, Hashable, Sendable, DescribedType {
    public var account: String
    public var name: String
    /// Empty if it says nothing, as is `region`.
    public var about: String
    /// A picture.
    public var avatar: ListingMedia?
    /// Where it is, in its own words; its delivery address is never published.
    public var region: String
    public var publishedAt: Date

    package static let fields: [String: FieldFacts] = [
        "account": .address, "name": "Ana", "region": "Bavaria",
    ]

    public init(
        account: String,
        name: String,
        about: String,
        avatar: ListingMedia?,
        region: String,
        publishedAt: Date
    ) {
        (self.account, self.name, self.about) = (account, name, about)
        (self.avatar, self.region, self.publishedAt) = (avatar, region, publishedAt)
    }
}

/// Changes to one's own profile: `nil` keeps a value, and an empty text removes it.
public struct ProfileChange: Codable, Hashable, Sendable, DescribedType {
    public var name: String?
    public var about: String?
    /// The id of a picture that was added to the node.
    public var avatar: String?
    public var region: String?

    package static let fields: [String: FieldFacts] = [
        "name": "Ana", "avatar": .hash.pattern("^(0x[0-9a-f]{64})?$"), "region": "Bavaria",
    ]

    public init(
        name: String? = nil,
        about: String? = nil,
        avatar: String? = nil,
        region: String? = nil
    ) {
        (self.name, self.about, self.avatar, self.region) = (name, about, avatar, region)
    }
}
