public import Foundation

/// An Ethereum address with its keys, as a node keeps it.
public struct Account: Codable, Hashable, Sendable, DescribedType {
    public var name: String
    /// In EIP-55 form.
    public var address: String
    public var createdAt: Date
    /// Whether a session holds its key in memory now.
    public var isUnlocked: Bool
    /// Whether its key is in a wallet outside the node, which is asked for each signature; `nil`
    /// for no.
    public var signsElsewhere: Bool?
    /// The moves that the node makes for it while nobody is signed in; `nil` for none.
    public var unattended: UnattendedMoves?

    package static let fields: [String: FieldFacts] = [
        "name": "ana",
        "unattended": .about(
            "The moves that the node makes for it while nobody is signed in; null for none."
        ),
        "address": .address.about("In EIP-55 form."),
        "isUnlocked": FieldFacts(true).about("Whether a session holds its key in memory now."),
    ]

    public init(
        name: String,
        address: String,
        createdAt: Date,
        isUnlocked: Bool,
        signsElsewhere: Bool? = nil,
        unattended: UnattendedMoves? = nil
    ) {
        self.name = name
        self.address = address
        self.createdAt = createdAt
        self.isUnlocked = isUnlocked
        self.signsElsewhere = signsElsewhere
        self.unattended = unattended
    }
}

/// Asks for a new account, or for one that exists elsewhere.
public struct AccountCreation: Codable, Hashable, Sendable, DescribedType {
    public var name: String
    public var password: String
    /// The recovery phrase of an account to recover; `nil` creates a new one.
    public var phrase: String?

    package static let fields: [String: FieldFacts] = [
        "name": .accountName, "password": .newPassword, "phrase": .phrase.notInExample,
    ]

    public init(name: String, password: String, phrase: String? = nil) {
        self.name = name
        self.password = password
        self.phrase = phrase
    }
}

/// A new account, and the only time its recovery phrase is shown.
public struct CreatedAccount: Codable, Hashable, Sendable, DescribedType {
    public var account: Account
    /// `nil` if the caller supplied it.
    public var phrase: String?

    package static let fields: [String: FieldFacts] = ["phrase": .phrase]

    public init(account: Account, phrase: String? = nil) {
        self.account = account
        self.phrase = phrase
    }
}

/// Asks to remove an account from the node.
public struct AccountRemoval: Codable, Hashable, Sendable, DescribedType {
    public var password: String
    /// Whether to remove it although it has open sales or operations.
    public var acceptsLosses: Bool?
    /// Whether to withdraw its public profile; `nil` withdraws one that names no home but this
    /// node, so that an account that continues on another node keeps its own.
    public var withdrawsProfile: Bool?

    package static let fields: [String: FieldFacts] = [
        "password": "right horse",
        "acceptsLosses": FieldFacts(true).about(
            "Remove it although it has open sales or operations."
        ),
        "withdrawsProfile": FieldFacts(true).about(
            "Withdraw its public profile; without it, only one that names no other home."
        ),
    ]

    public init(password: String, acceptsLosses: Bool? = nil, withdrawsProfile: Bool? = nil) {
        self.password = password
        self.acceptsLosses = acceptsLosses
        self.withdrawsProfile = withdrawsProfile
    }
}

/// Asks to sign in.
public struct SignIn: Codable, Hashable, Sendable, DescribedType {
    /// The account's name or address.
    public var account: String
    public var password: String
    /// Whether a page of the node signs in: its session needs the cookie of the answer beside the
    /// token.
    public var isPage: Bool?

    package static let fields: [String: FieldFacts] = [
        "account": "ana", "password": "correct horse",
        "isPage": FieldFacts(true).notInExample.about(
            "A page of the node signs in: its session needs the cookie of the answer beside the "
                + "token. Only the node's own origin can do so."
        ),
    ]

    public init(account: String, password: String, isPage: Bool? = nil) {
        self.account = account
        self.password = password
        self.isPage = isPage
    }
}

/// The session of a signed-in caller.
public struct Session: Codable, Hashable, Sendable, DescribedType {
    /// Sent as `Authorization: Bearer …`.
    public var token: String
    public var account: Account
    /// When it ends without use.
    public var idleUntil: Date
    /// When it ends in any case.
    public var expiresAt: Date

    package static let fields: [String: FieldFacts] = [
        "token": FieldFacts("0f…").about("Sent as 'Authorization: Bearer …'."),
        "idleUntil": .about("When the session ends if it is not used."),
        "expiresAt": .about("When the session ends in any case."),
    ]

    public init(token: String, account: Account, idleUntil: Date, expiresAt: Date) {
        self.token = token
        self.account = account
        self.idleUntil = idleUntil
        self.expiresAt = expiresAt
    }
}
