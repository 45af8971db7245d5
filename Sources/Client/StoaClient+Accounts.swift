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

    /// Removes an account from the node, with its key, its mail and all it keeps there.
    ///
    /// Its recovery phrase is the only way back. What it has published stays.
    ///
    /// - Parameters:
    ///   - account: Name or address.
    ///   - removal: Its password, and whether open sales and operations may be lost.
    /// - Throws: ``Problem`` with `account_busy`, `wrong_password` or `too_many_tries`.
    public func removeAccount(_ account: String, _ removal: AccountRemoval) async throws {
        try await post("accounts/\(try Call.part(account))/remove", removal)
    }

    /// What the caller knows accounts as: its own node's, and its contacts.
    public func names() async throws -> [AccountName] { try await get("names") }

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
