public import Foundation

/// A list of listings and accounts that its author advises not to look at.
public struct Curation: Codable, Hashable, Sendable, DescribedType {
    /// Its author's address, a point, and 64 digits.
    public var id: String
    public var author: String
    public var name: String
    public var about: String
    public var entries: [CurationEntry]
    public var createdAt: Date
    /// Whether the signed-in account follows it.
    public var isFollowed: Bool

    package static let fields: [String: FieldFacts] = [
        "id": .listing, "author": .address, "name": "Copies", "about": "Of others' work.",
        "isFollowed": FieldFacts(true).about("Whether the signed-in account follows it."),
    ]

    public init(
        id: String,
        author: String,
        name: String,
        about: String,
        entries: [CurationEntry],
        createdAt: Date,
        isFollowed: Bool
    ) {
        self.id = id
        self.author = author
        self.name = name
        self.about = about
        self.entries = entries
        self.createdAt = createdAt
        self.isFollowed = isFollowed
    }
}

/// An entry of a list: whom or what it hides, and why.
public struct CurationEntry: Codable, Hashable, Sendable, DescribedType {
    /// The account whose listings are hidden; of a listing, its author if that is left out.
    public var account: String?
    /// The one listing that is hidden; all of the account's if this is left out.
    public var listing: String?
    public var reason: String

    package static let fields: [String: FieldFacts] = [
        "account": .address, "listing": .listing, "reason": FieldFacts("A copy.").lengths(1...160),
    ]

    public init(account: String? = nil, listing: String? = nil, reason: String) {
        (self.account, self.listing, self.reason) = (account, listing, reason)
    }
}

/// Asks to publish a list; it replaces the one of the same name.
public struct CurationDraft: Codable, Hashable, Sendable, DescribedType {
    public var name: String
    public var about: String?
    public var entries: [CurationEntry]

    package static let fields: [String: FieldFacts] = [
        "name": FieldFacts("Copies").lengths(1...64),
        "about": FieldFacts("Of others' work.").lengths(0...1_024),
        "entries": FieldFacts().counts(0...250),
    ]

    public init(name: String, about: String? = nil, entries: [CurationEntry]) {
        (self.name, self.about, self.entries) = (name, about, entries)
    }
}

/// Asks to follow a list.
public struct Subscription: Codable, Hashable, Sendable, DescribedType {
    /// The id of the list.
    public var list: String

    package static let fields: [String: FieldFacts] = ["list": .listing]

    public init(list: String) { self.list = list }
}

/// A listing or account hidden from the signed-in account, by whom, and why.
public struct HiddenEntry: Codable, Hashable, Sendable, DescribedType {
    /// The account whose listings are hidden, or that is the author of the hidden listing.
    public var account: String
    /// The one listing that is hidden; `nil` if all of the account's are.
    public var listing: String?
    /// The list that hides it; `nil` if the account itself has blocked the other.
    public var list: String?
    /// The author of that list, or the account itself.
    public var by: String
    /// Why, in the words of the list; `nil` if the account itself has blocked the other.
    public var reason: String?

    package static let fields: [String: FieldFacts] = [
        "account": .address, "listing": .listing, "list": .listing,
        "by": .address.about("The author of the list that hides it, or the account itself."),
        "reason": "A copy.",
    ]

    public init(
        account: String,
        listing: String? = nil,
        list: String? = nil,
        by: String,
        reason: String? = nil
    ) {
        self.account = account
        self.listing = listing
        self.list = list
        self.by = by
        self.reason = reason
    }
}
