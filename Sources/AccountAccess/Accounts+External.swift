import Answers
import Client
package import Keys
import Storage

/// Accounts whose keys are in wallets outside the node.
extension Accounts {
    /// Stores an account that signs elsewhere; its owner has proved that the key is theirs.
    ///
    /// The password opens a key that only this node has, which seals the node's data for the
    /// account.
    ///
    /// - Throws: ``Refusal`` with `name_taken`, `weak_password`, `malformed_value`.
    func addExternal(
        _ address: Address,
        named name: String,
        password: String,
        by caller: CallerGroup
    ) async throws -> Account {
        try await add(
            .random(),
            named: name,
            password: password,
            by: caller,
            taking: nil,
            for: address
        )
    }

    /// Returns whether the account's key is in a wallet outside the node; no for an unknown
    /// account.
    package func signsElsewhere(_ address: Address) throws -> Bool {
        let stored = try store.read { try $0.get(AccountEntries.self, address) }
        return try stored.map { try StoredAccount(storedBytes: $0).signsElsewhere } ?? false
    }
}

extension StoredAccount {
    /// - Throws: ``Refusal`` with `signs_elsewhere` if the node does not have the account's key.
    func requireKeyHere() throws(Refusal) {
        guard signsElsewhere else { return }
        throw Refusal(.signsElsewhere, Sentence("refusal.signsElsewhere"))
    }
}
