import NIOHTTP1

/// Accounts under names of one's own, which are in the vault and so on all nodes of the account.
extension StoaClient {
    /// Returns the accounts that the signed-in account has named, by name.
    public func contacts() async throws -> [Contact] { try await get("contacts") }

    /// Names an account, or gives it another name.
    ///
    /// - Throws: ``Problem`` with `malformed_value`, `bad_address`, `not_allowed`, `needs_unlock`.
    public func name(_ account: String, _ name: String) async throws -> Contact {
        let path = "contacts/\(try Call.part(account))"
        return try await exchange.perform(try call(.PUT, path, ContactName(name: name), nil))
    }

    /// Removes the name of an account.
    public func removeContact(_ account: String) async throws {
        try await exchange.perform(
            try call(.DELETE, "contacts/\(try Call.part(account))", nil, nil)
        )
    }
}
