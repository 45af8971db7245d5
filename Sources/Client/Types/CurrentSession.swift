public import Foundation

/// The session with which a call is made.
public struct CurrentSession: Codable, Hashable, Sendable, DescribedType {
    /// The signed-in account; `nil` for the operator's session on a page.
    public var account: Account?
    /// When it ends without use.
    public var idleUntil: Date
    /// When it ends in any case.
    public var expiresAt: Date
    /// Until when a page's session moves money without the password; `nil` if it needs the password
    /// now, and for a program's session, which never does.
    public var confirmedUntil: Date?

    package static let fields: [String: FieldFacts] = [
        "account": .about("The signed-in account; null for the operator's session on a page."),
        "idleUntil": .about("When the session ends if it is not used; this call is no use."),
        "expiresAt": .about("When the session ends in any case."),
        "confirmedUntil": .about(
            "Until when a page's session moves money without the password; null if it needs the "
                + "password now, and for a program's session, which never does."
        ),
    ]

    public init(
        account: Account?,
        idleUntil: Date,
        expiresAt: Date,
        confirmedUntil: Date? = nil
    ) {
        self.account = account
        self.idleUntil = idleUntil
        self.expiresAt = expiresAt
        self.confirmedUntil = confirmedUntil
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

/// A code that opens the operator's session on the page, once.
public struct PageCode: Codable, Hashable, Sendable, DescribedType {
    public var code: String
    /// When it is of no use any longer.
    public var expiresAt: Date

    package static let fields: [String: FieldFacts] = [
        "code": FieldFacts("0f…").about("Opens one session, with 'POST /v1/sessions/operator'."),
        "expiresAt": .about("When it is of no use any longer."),
    ]

    public init(code: String, expiresAt: Date) {
        (self.code, self.expiresAt) = (code, expiresAt)
    }
}

/// Asks for the operator's session on the page.
public struct PageCodeProof: Codable, Hashable, Sendable, DescribedType {
    public var code: String

    package static let fields: [String: FieldFacts] = ["code": "0f…"]

    public init(code: String) { self.code = code }
}

/// The operator's session on the page.
public struct OperatorSession: Codable, Hashable, Sendable, DescribedType {
    /// Sent as `Authorization: Bearer …`, with the cookie of the answer.
    public var token: String
    /// When it ends without use.
    public var idleUntil: Date
    /// When it ends in any case.
    public var expiresAt: Date

    package static let fields: [String: FieldFacts] = [
        "token": FieldFacts("0f…").about(
            "Sent as 'Authorization: Bearer …', with the cookie of the answer."
        ),
        "idleUntil": .about("When the session ends if it is not used."),
        "expiresAt": .about("When the session ends in any case."),
    ]

    public init(token: String, idleUntil: Date, expiresAt: Date) {
        (self.token, self.idleUntil, self.expiresAt) = (token, idleUntil, expiresAt)
    }
}
