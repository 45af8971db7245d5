import Client
import Foundation
import Keys

/// An account in the store; everything is in the clear except the part that a password opens.
struct StoredAccount: Codable, Sendable {
    let name: String
    let createdAt: Date
    /// The keystore's JSON, as bytes.
    ///
    /// For an account that signs elsewhere it contains a key that only this node has, which seals
    /// the node's data for it.
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
    func shown(
        _ address: Address,
        isUnlocked: Bool,
        unattended: UnattendedMoves? = nil
    ) -> Account {
        Account(
            name: name,
            address: address.checksummed,
            createdAt: createdAt,
            isUnlocked: isUnlocked,
            signsElsewhere: signsElsewhere,
            unattended: unattended
        )
    }
}
