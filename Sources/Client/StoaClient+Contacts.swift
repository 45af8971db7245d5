/// Accounts under names of one's own, which are in the vault and so on all nodes of the account.
extension StoaClient {
    /// Returns the accounts that the signed-in account has named, by name.
    public func contacts() async throws -> [Contact] { try await call(API.saved.contacts) }

    /// Names an account, or gives it another name.
    ///
    /// - Throws: ``Problem`` with `malformed_value`, `bad_address`, `not_allowed`, `needs_unlock`.
    public func name(_ account: String, _ name: String) async throws -> Contact {
        try await call(API.saved.nameContact, at: account, ContactName(name: name))
    }

    /// Removes the name of an account.
    public func removeContact(_ account: String) async throws {
        try await call(API.saved.removeContact, at: account)
    }
}
