import NIOHTTP1

extension StoaClient {
    /// Makes an account on the node, new or from its recovery phrase.
    ///
    /// - Returns: The account, with a phrase that is shown this once where it is new.
    public func createAccount(_ creation: AccountCreation) async throws -> CreatedAccount {
        try await post("accounts", creation)
    }

    /// The accounts the node keeps.
    public func accounts() async throws -> [Account] { try await get("accounts") }

    /// Opens a session; its token goes into ``with(token:)``.
    ///
    /// - Parameters:
    ///   - account: Name or address.
    ///   - password: That of the account's keystore.
    /// - Returns: The session, which the node forgets when it restarts.
    /// - Throws: ``Problem`` with `wrong_password` or `too_many_tries`, ``ClientError``.
    public func signIn(account: String, password: String) async throws -> Session {
        try await post("sessions", SignIn(account: account, password: password))
    }

    /// Whose session the token belongs to.
    public func currentAccount() async throws -> Account { try await get("sessions/current") }

    /// Ends the session.
    public func signOut() async throws {
        try await exchange.perform(try call(.DELETE, "sessions/current", nil, nil))
    }
}
