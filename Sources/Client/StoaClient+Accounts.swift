extension StoaClient {
    /// Creates an account on the node, with a new key or from its recovery phrase.
    ///
    /// - Returns: The account; if its key is new, with the recovery phrase, which is shown only
    ///   this once.
    public func createAccount(_ creation: AccountCreation) async throws -> CreatedAccount {
        try await call(API.accounts.create, creation)
    }

    /// Returns the accounts that the node keeps.
    public func accounts() async throws -> [Account] { try await call(API.accounts.list) }

    /// Removes an account from the node, with its key, its mail and everything it keeps there.
    ///
    /// Only its recovery phrase restores it. Its published records stay.
    ///
    /// - Parameters:
    ///   - account: The account's name or address.
    ///   - removal: Its password, and whether open sales and operations may be lost.
    /// - Throws: ``Problem`` with `account_busy`, `wrong_password` or `too_many_tries`.
    public func removeAccount(_ account: String, _ removal: AccountRemoval) async throws {
        try await call(API.accounts.remove, at: account, removal)
    }

    /// Creates an account on the node with a key that exists elsewhere.
    ///
    /// - Throws: ``Problem`` with `bad_key`, `wrong_password` (of the keystore file), `name_taken`
    ///   or `weak_password`.
    public func importAccount(_ request: AccountImport) async throws -> Account {
        try await call(API.accounts.importKey, request)
    }

    /// Sets an account's password, and ends its sessions.
    ///
    /// - Parameters:
    ///   - account: The account's name or address.
    ///   - change: The old password or the recovery phrase, and the new password.
    /// - Throws: ``Problem`` with `wrong_password`, `bad_phrase`, `weak_password` or
    ///   `too_many_tries`.
    public func changePassword(of account: String, _ change: PasswordChange) async throws {
        try await call(API.accounts.changePassword, at: account, change)
    }

    /// Returns an account's keystore file, which its password opens in other wallets too.
    ///
    /// - Throws: ``Problem`` with `wrong_password` or `too_many_tries`.
    public func keystore(of account: String, password: String) async throws -> ExportedKeystore {
        try await call(API.accounts.keystore, at: account, PasswordProof(password: password))
    }

    /// Returns an account's private key; anybody who has it controls the account.
    ///
    /// - Throws: ``Problem`` with `wrong_password` or `too_many_tries`.
    public func privateKey(of account: String, password: String) async throws -> RevealedKey {
        try await call(API.accounts.key, at: account, PasswordProof(password: password))
    }

    /// Lets the node make moves for an account while nobody is signed in.
    ///
    /// The node keeps the account's key, sealed under its own key.
    ///
    /// - Parameters:
    ///   - account: The account's name or address.
    ///   - request: The moves, for how long, and the account's password.
    /// - Returns: The moves that are allowed now.
    /// - Throws: ``Problem`` with `wrong_password`, `too_many_tries` or `signs_elsewhere`.
    public func leaveAlone(
        _ account: String,
        _ request: UnattendedRequest
    ) async throws -> UnattendedMoves {
        try await call(API.accounts.leaveAlone, at: account, request)
    }

    /// Returns the moves that the node makes for an account while nobody is signed in.
    public func unattendedMoves(of account: String) async throws -> UnattendedMoves {
        try await call(API.accounts.unattended, at: account)
    }

    /// Ends the moves that the node makes for an account while nobody is signed in, and removes the
    /// sealed key.
    ///
    /// - Throws: ``Problem`` with `not_allowed` for another account than the caller's.
    public func endUnattended(_ account: String) async throws {
        try await call(API.accounts.endUnattended, at: account)
    }

    /// Returns the names by which the caller knows accounts: its own node's, and its contacts.
    public func names() async throws -> [AccountName] { try await call(API.accounts.names) }

    /// Opens a session; pass its token to ``with(token:)``.
    ///
    /// - Parameters:
    ///   - account: The account's name or address.
    ///   - password: The password of the account's keystore.
    /// - Returns: The session, which the node forgets when it restarts.
    /// - Throws: ``Problem`` with `wrong_password` or `too_many_tries`, ``ClientError``.
    public func signIn(account: String, password: String) async throws -> Session {
        try await call(API.sessions.open, SignIn(account: account, password: password))
    }

    /// Returns the account of the token's session.
    public func currentAccount() async throws -> Account {
        try await call(API.sessions.account)
    }

    /// Ends the session; with `everySession`, all sessions of its account on the node.
    public func signOut(everySession: Bool = false) async throws {
        try await call(API.sessions.close, query: [Query.everySession(everySession)])
    }

    /// Returns an account's own description of itself.
    ///
    /// - Parameter account: Its address, or a name that the caller knows.
    /// - Returns: Its profile, as far as it has reached the node.
    /// - Throws: ``Problem`` with `bad_address`, `ambiguous_id`, `not_found`.
    public func profile(of account: String) async throws -> AccountProfile {
        try await call(API.accounts.profile, at: account)
    }

    /// Publishes changes of the signed-in account's profile.
    public func changeProfile(_ change: ProfileChange) async throws -> AccountProfile {
        try await call(API.accounts.changeProfile, change)
    }
}
