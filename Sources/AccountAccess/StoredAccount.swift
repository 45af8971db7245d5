import Answers
import Client
import Foundation
import Keys
import Storage

/// An account in the store; everything is in the clear except the part that a password opens.
struct StoredAccount: Hashable, Sendable {
    let name: String
    let createdAt: Date
    /// The keystore's JSON, as bytes.
    ///
    /// For an account that signs elsewhere it contains a key that only this node has, which seals
    /// the node's data for it.
    let keystore: [UInt8]
    /// Whether it was made from another machine without the operator's token.
    let isOpen: Bool
    /// Whether the account's key is in a wallet outside the node.
    let signsElsewhere: Bool

    init(
        name: String,
        createdAt: Date,
        keystore: [UInt8],
        isOpen: Bool = false,
        signsElsewhere: Bool = false
    ) {
        (self.name, self.createdAt, self.keystore) = (name, createdAt, keystore)
        (self.isOpen, self.signsElsewhere) = (isOpen, signsElsewhere)
    }

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
            signsElsewhere: signsElsewhere ? true : nil,
            unattended: unattended
        )
    }
}

extension StoredAccount {
    /// - Throws: ``Refusal`` with `signs_elsewhere` if the node does not have the account's key.
    func requireKeyHere() throws(Refusal) {
        guard signsElsewhere else { return }
        throw Refusal(.signsElsewhere, Sentence("refusal.signsElsewhere"))
    }
}

extension StoredAccount: StoredValue {
    func write(to writer: inout StoredWriter) {
        writer.write(name)
        writer.write(createdAt)
        writer.write(keystore)
        writer.write(isOpen)
        writer.write(signsElsewhere)
    }

    init(from reader: inout StoredReader) throws(StoredValueError) {
        self.init(
            name: try reader.text(),
            createdAt: try reader.date(),
            keystore: try reader.content(),
            isOpen: try reader.flag(),
            signsElsewhere: try reader.flag()
        )
    }
}

/// An account of this node with its address.
typealias AccountEntry = (address: Address, account: StoredAccount)

extension Store {
    /// Returns the accounts of this node.
    nonisolated func accounts() throws -> [AccountEntry] {
        try read { try $0.entries(AccountEntries.self, .all()) }
            .map { ($0.key, try StoredAccount(storedBytes: $0.value)) }
    }

    /// Finds an account by its name or address.
    nonisolated func account(named name: String) throws -> AccountEntry? {
        let wanted = name.lowercased()
        let entries = try accounts()
        return entries.first { $0.account.name == name }
            ?? entries.first {
                [$0.account.name.lowercased(), $0.address.checksummed.lowercased()]
                    .contains(wanted)
            }
    }
}
