public import Foundation

/// The session with which a call is made.
public struct CurrentSession: Codable, Hashable, Sendable, DescribedType {
    /// The signed-in account; `nil` for the operator's session on a page.
    public var account: Account?
    /// When it ends without use.
    public var idleUntil: Date
    /// When it ends in any case.
    public var expiresAt: Date

    package static let fields: [String: FieldFacts] = [
        "account": .about("The signed-in account; null for the operator's session on a page."),
        "idleUntil": .about("When the session ends if it is not used; this call is no use."),
        "expiresAt": .about("When the session ends in any case."),
    ]

    public init(account: Account?, idleUntil: Date, expiresAt: Date) {
        self.account = account
        self.idleUntil = idleUntil
        self.expiresAt = expiresAt
    }
}

/// One of an account's sessions on the node.
public struct OpenSession: Codable, Hashable, Sendable, DescribedType {
    public var openedAt: Date
    /// When it ends without use.
    public var idleUntil: Date
    /// When it ends in any case.
    public var expiresAt: Date
    /// Whether a page opened it, and not a program.
    public var isPage: Bool
    /// Whether the call is made with it.
    public var isCurrent: Bool

    package static let fields: [String: FieldFacts] = [
        "idleUntil": .about("When the session ends if it is not used."),
        "expiresAt": .about("When the session ends in any case."),
        "isPage": FieldFacts(true).about("Whether a page opened it, and not a program."),
        "isCurrent": FieldFacts(true).about("Whether the call is made with it."),
    ]

    public init(
        openedAt: Date,
        idleUntil: Date,
        expiresAt: Date,
        isPage: Bool,
        isCurrent: Bool
    ) {
        self.openedAt = openedAt
        self.idleUntil = idleUntil
        self.expiresAt = expiresAt
        self.isPage = isPage
        self.isCurrent = isCurrent
    }
}
