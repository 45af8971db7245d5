import Client
import Foundation
import Keys

/// An account in the store; everything is in the clear except what a password opens.
struct StoredAccount: Codable, Sendable {
    let name: String
    let createdAt: Date
    /// The keystore's JSON, as bytes.
    ///
    /// Of an account that signs elsewhere it holds a key of this node alone, which seals what the
    /// node keeps for it.
    let keystore: Data
    /// Whether it was made from another machine without the operator's token.
    let isOpen: Bool?
    /// Whether the account's key is in a wallet outside the node.
    let signsElsewhere: Bool?

    init(
        name: String,
        createdAt: Date,
        keystore: [UInt8],
        isOpen: Bool? = nil,
        signsElsewhere: Bool? = nil
    ) {
        (self.name, self.createdAt, self.keystore) = (name, createdAt, Data(keystore))
        (self.isOpen, self.signsElsewhere) = (isOpen, signsElsewhere)
    }

    init(stored bytes: [UInt8]) throws {
        self = try WireCoding.decoder().decode(StoredAccount.self, from: Data(bytes))
    }

    func bytes() throws -> [UInt8] { [UInt8](try WireCoding.encoder().encode(self)) }

    /// Returns the account in the API's form.
    func shown(_ address: Address, isUnlocked: Bool) -> Account {
        Account(
            name: name,
            address: address.checksummed,
            createdAt: createdAt,
            isUnlocked: isUnlocked,
            signsElsewhere: signsElsewhere
        )
    }
}
