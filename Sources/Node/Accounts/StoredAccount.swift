import Client
import Foundation
import Keys

/// An account as it lies in the store: everything but what a password opens is in the clear.
struct StoredAccount: Codable, Sendable {
    let name: String
    let createdAt: Date
    /// The keystore's JSON, as bytes.
    let keystore: Data
    /// Whether it was made from another machine without the operator's token.
    let isOpen: Bool?

    init(name: String, createdAt: Date, keystore: [UInt8], isOpen: Bool? = nil) {
        (self.name, self.createdAt, self.keystore) = (name, createdAt, Data(keystore))
        self.isOpen = isOpen
    }

    init(stored bytes: [UInt8]) throws {
        self = try WireCoding.decoder().decode(StoredAccount.self, from: Data(bytes))
    }

    func bytes() throws -> [UInt8] { [UInt8](try WireCoding.encoder().encode(self)) }

    /// As the API shows it.
    func shown(_ address: Address, isUnlocked: Bool) -> Account {
        Account(
            name: name,
            address: address.checksummed,
            createdAt: createdAt,
            isUnlocked: isUnlocked
        )
    }
}
