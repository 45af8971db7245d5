public import Texts

/// The results of a node's search for an account that was restored from its recovery phrase or key.
public struct RecoveryReport: Codable, Hashable, Sendable, DescribedType {
    /// Whether the account's profile is still looked for at other nodes; no new one is published
    /// until then.
    public var isLooking: Bool
    /// The name in the account's profile; `nil` if none is known.
    public var profile: String?
    /// The account's homes, with how far its vault was exchanged with each.
    public var homes: [RecoveredHome]
    /// How many listings of the account this node has.
    public var listings: Int
    /// How many reviews by the account this node has.
    public var reviews: Int
    /// How many sales of the account this node's chains show.
    public var sales: Int
    /// How many favourites, cart lines, settings, saved searches, drafts and so on its vault has.
    public var vaultEntries: Int
    /// How many digital works of the account have their keys here; those whose files have not
    /// arrived yet are among the gaps.
    public var works: Int
    /// The parts that were not found, or not yet, and why.
    public var gaps: [RecoveryGap]

    package static let fields: [String: FieldFacts] = ["profile": "Ana"]

    public init(
        isLooking: Bool,
        profile: String? = nil,
        homes: [RecoveredHome],
        listings: Int,
        reviews: Int,
        sales: Int,
        vaultEntries: Int,
        works: Int,
        gaps: [RecoveryGap]
    ) {
        self.isLooking = isLooking
        self.profile = profile
        self.homes = homes
        self.listings = listings
        self.reviews = reviews
        self.sales = sales
        self.vaultEntries = vaultEntries
        self.works = works
        self.gaps = gaps
    }
}

/// A home of an account, and how far the account's vault was exchanged with it.
public struct RecoveredHome: Codable, Hashable, Sendable, DescribedType {
    public var peer: String
    /// `own` for the node that answers, else `exchanged`, `waiting` or `failed`.
    public var vault: String

    package static let fields: [String: FieldFacts] = [
        "peer": "16Uiu2…",
        "vault": FieldFacts("exchanged").oneOf(["own", "exchanged", "waiting", "failed"]),
    ]

    public init(peer: String, vault: String) { (self.peer, self.vault) = (peer, vault) }
}

/// Something that was not found.
public struct RecoveryGap: Codable, Hashable, Sendable, DescribedType {
    /// `peers`, `profile`, `vault`, `sales` or `works`.
    public var what: String
    /// The reason, and the next step.
    public var reason: [Sentence]

    package static let fields: [String: FieldFacts] = [
        "what": FieldFacts("vault").oneOf(["peers", "profile", "vault", "sales", "works"])
    ]

    public init(what: String, reason: [Sentence]) { (self.what, self.reason) = (what, reason) }
}
