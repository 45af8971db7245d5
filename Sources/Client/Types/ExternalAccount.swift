/// Asks for the statement with which the owner of a key lets the node keep an account for it.
///
/// The key stays in a wallet outside the node.
public struct ExternalAccountRequest: Codable, Hashable, Sendable, DescribedType {
    /// The account's name on this node.
    public var name: String
    public var address: String

    package static let fields: [String: FieldFacts] = ["name": .accountName, "address": .address]

    public init(name: String, address: String) {
        (self.name, self.address) = (name, address)
    }
}

/// The statement to sign in the wallet.
public struct ExternalAccountStatement: Codable, Hashable, Sendable, DescribedType {
    /// The text.
    public var summary: String
    /// Typed data in the JSON of `eth_signTypedData_v4`.
    public var typedData: String
    /// When it ends, in seconds since 1970.
    public var validUntil: UInt64

    package static let fields: [String: FieldFacts] = ["typedData": "{…}", "validUntil": .seconds]

    public init(summary: String, typedData: String, validUntil: UInt64) {
        (self.summary, self.typedData) = (summary, typedData)
        self.validUntil = validUntil
    }
}

/// Adds an account whose key is in a wallet outside the node.
public struct ExternalAccountCreation: Codable, Hashable, Sendable, DescribedType {
    /// The account's name on this node, as in the statement.
    public var name: String
    public var address: String
    /// The password that opens the account on this node; it protects nothing but this node's data.
    public var password: String
    /// As in the statement.
    public var validUntil: UInt64
    /// The wallet's signature of the statement: `0x` and 130 hexadecimal digits.
    public var signature: String

    package static let fields: [String: FieldFacts] = [
        "name": .accountName, "address": .address, "password": .newPassword,
        "validUntil": .seconds, "signature": "0x…",
    ]

    public init(
        name: String,
        address: String,
        password: String,
        validUntil: UInt64,
        signature: String
    ) {
        (self.name, self.address, self.password) = (name, address, password)
        (self.validUntil, self.signature) = (validUntil, signature)
    }
}
