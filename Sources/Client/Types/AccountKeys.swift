/// Asks for an account whose key exists elsewhere, as a private key or in a keystore file.
///
/// Exactly one of ``privateKey`` and ``keystore`` is given.
public struct AccountImport: Codable, Hashable, Sendable, DescribedType {
    /// The account's name on this node.
    public var name: String
    /// The password that opens the account on this node from now on.
    public var password: String
    /// 64 hexadecimal digits, with or without `0x`.
    public var privateKey: String?
    /// The text of a keystore file, version 3.
    public var keystore: String?
    /// The password of the keystore file; `nil` if it is the same as ``password``.
    public var keystorePassword: String?

    package static let fields: [String: FieldFacts] = [
        "name": .accountName, "password": .newPassword, "privateKey": "0x…",
    ]

    public init(
        name: String,
        password: String,
        privateKey: String? = nil,
        keystore: String? = nil,
        keystorePassword: String? = nil
    ) {
        self.name = name
        self.password = password
        self.privateKey = privateKey
        self.keystore = keystore
        self.keystorePassword = keystorePassword
    }
}

/// Asks to replace an account's password.
///
/// Exactly one of ``password`` and ``phrase`` is given.
public struct PasswordChange: Codable, Hashable, Sendable, DescribedType {
    /// The current password.
    public var password: String?
    /// The account's recovery phrase, if the password is lost.
    public var phrase: String?
    /// The account's private key, if the password is lost and there is no phrase: 64 hexadecimal
    /// digits.
    public var privateKey: String?
    public var newPassword: String

    package static let fields: [String: FieldFacts] = [
        "password": "right horse", "phrase": .phrase, "newPassword": .newPassword,
    ]

    public init(
        password: String? = nil,
        phrase: String? = nil,
        privateKey: String? = nil,
        newPassword: String
    ) {
        self.password = password
        self.phrase = phrase
        self.privateKey = privateKey
        self.newPassword = newPassword
    }
}

/// The password of an account, for a call that returns its key.
public struct PasswordProof: Codable, Hashable, Sendable, DescribedType {
    public var password: String

    package static let fields: [String: FieldFacts] = ["password": "right horse"]

    public init(password: String) { self.password = password }
}

/// An account's key, encrypted with its password, as other wallets read it.
public struct ExportedKeystore: Codable, Hashable, Sendable, DescribedType {
    /// In EIP-55 form.
    public var address: String
    /// The name that such files usually have.
    public var fileName: String
    /// The file's text, version 3 ("Web3 Secret Storage Definition").
    public var keystore: String

    package static let fields: [String: FieldFacts] = ["address": .address, "fileName": "UTC--…"]

    public init(address: String, fileName: String, keystore: String) {
        self.address = address
        self.fileName = fileName
        self.keystore = keystore
    }
}

/// An account's private key in the clear.
public struct RevealedKey: Codable, Hashable, Sendable, DescribedType {
    /// In EIP-55 form.
    public var address: String
    /// `0x` and 64 hexadecimal digits.
    public var privateKey: String

    package static let fields: [String: FieldFacts] = ["address": .address, "privateKey": "0x…"]

    public init(address: String, privateKey: String) {
        self.address = address
        self.privateKey = privateKey
    }
}
