public import Foundation

/// An account under the name that the signed-in account has given it.
public struct Contact: Codable, Hashable, Sendable, DescribedType {
    public var account: String
    /// The account's own name for it, which nobody else sees.
    public var name: String
    /// The name that it gives itself, if this node knows its profile.
    public var profileName: String?
    public var isBlocked: Bool
    /// When it got its name.
    public var since: Date

    package static let fields: [String: FieldFacts] = [
        "account": .address, "name": "Ana", "profileName": "ana",
    ]

    public init(
        account: String,
        name: String,
        profileName: String? = nil,
        isBlocked: Bool,
        since: Date
    ) {
        (self.account, self.name, self.profileName) = (account, name, profileName)
        (self.isBlocked, self.since) = (isBlocked, since)
    }
}

/// A name for an account.
public struct ContactName: Codable, Hashable, Sendable, DescribedType {
    public var name: String

    package static let fields: [String: FieldFacts] = ["name": "Ana"]

    public init(name: String) { self.name = name }
}
