public import Foundation

/// An Ethereum address with its keys, as a node keeps it.
public struct Account: Codable, Hashable, Sendable {
    public var name: String
    /// In EIP-55 form.
    public var address: String
    public var createdAt: Date
    /// Whether a session holds its key in memory now.
    public var isUnlocked: Bool
    /// Whether its key is in a wallet outside the node, which is asked for each signature; `nil` for
    /// no.
    public var signsElsewhere: Bool?

    public init(
        name: String,
        address: String,
        createdAt: Date,
        isUnlocked: Bool,
        signsElsewhere: Bool? = nil
    ) {
        self.name = name
        self.address = address
        self.createdAt = createdAt
        self.isUnlocked = isUnlocked
        self.signsElsewhere = signsElsewhere
    }
}

/// Asks for a new account, or for one that exists elsewhere.
public struct AccountCreation: Codable, Hashable, Sendable {
    public var name: String
    public var password: String
    /// The recovery phrase of an account to recover; `nil` creates a new one.
    public var phrase: String?

    public init(name: String, password: String, phrase: String? = nil) {
        self.name = name
        self.password = password
        self.phrase = phrase
    }
}

/// A new account, and the only time its recovery phrase is shown.
public struct CreatedAccount: Codable, Hashable, Sendable {
    public var account: Account
    /// `nil` if the caller supplied it.
    public var phrase: String?

    public init(account: Account, phrase: String? = nil) {
        self.account = account
        self.phrase = phrase
    }
}

/// Asks to remove an account from the node.
public struct AccountRemoval: Codable, Hashable, Sendable {
    public var password: String
    /// Whether to remove it although it has open sales or operations.
    public var acceptsLosses: Bool?

    public init(password: String, acceptsLosses: Bool? = nil) {
        self.password = password
        self.acceptsLosses = acceptsLosses
    }
}

/// Asks to sign in.
public struct SignIn: Codable, Hashable, Sendable {
    /// The account's name or address.
    public var account: String
    public var password: String

    public init(account: String, password: String) {
        self.account = account
        self.password = password
    }
}

/// The session of a signed-in caller.
public struct Session: Codable, Hashable, Sendable {
    /// Sent as `Authorization: Bearer …`.
    public var token: String
    public var account: Account
    /// When it ends without use.
    public var idleUntil: Date
    /// When it ends in any case.
    public var expiresAt: Date

    public init(token: String, account: Account, idleUntil: Date, expiresAt: Date) {
        self.token = token
        self.account = account
        self.idleUntil = idleUntil
        self.expiresAt = expiresAt
    }
}
