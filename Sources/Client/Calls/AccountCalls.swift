/// Accounts of the node, with keys here or in wallets outside of it.
package struct AccountCalls: Sendable {
    package let create = APICall<AccountCreation, CreatedAccount>(.post, "accounts", .newcomer)
        .about(
            "Create an account, or recover one. The recovery phrase is shown only in this answer."
        )
        .created
        .failing([.badPhrase, .weakPassword, .nameTaken, .tooManyTries, .notAllowed])
    package let list = APICall<NoBody, [Account]>(.get, "accounts", .local)
        .about("List the node's accounts.")
    package let remove = APICall<AccountRemoval, NoBody>(.post, "accounts/{id}/remove", .anyone)
        .about("Remove an account from this node: its key, its mail and all its other data here.")
        .failing([.wrongPassword, .tooManyTries, .accountBusy])
    package let importKey = APICall<AccountImport, Account>(.post, "accounts/import", .local)
        .about("Create an account with a private key, or with the key of a keystore file.")
        .created
        .failing([
            .badKey, .wrongPassword, .weakPassword, .nameTaken, .tooManyTries, .notAllowed,
        ])
    package let changePassword = APICall<PasswordChange, NoBody>(
        .post,
        "accounts/{id}/password",
        .local
    )
    .about(
        "Set a new password, with the old one, the recovery phrase or the private key. Ends all "
            + "sessions of the account."
    )
    .failing(.proof, [.weakPassword, .badPhrase, .badKey])
    package let keystore = APICall<PasswordProof, ExportedKeystore>(
        .post,
        "accounts/{id}/keystore",
        .local
    )
    .about("Get the account's keystore file, which its password opens in other wallets too.")
    .failing(.proof)
    package let key = APICall<PasswordProof, RevealedKey>(.post, "accounts/{id}/key", .local)
        .about("Get the account's private key. Anybody who has it controls the account.")
        .failing(.proof)
    package let leaveAlone = APICall<UnattendedRequest, UnattendedMoves>(
        .put,
        "accounts/{id}/unattended",
        .local
    )
    .about(
        "Let the node make moves for the account while nobody is signed in. It keeps the key, sealed "
            + "under its own: whoever takes its disk can sign anything with it."
    )
    .failing(.proof)
    package let unattended = APICall<NoBody, UnattendedMoves>(
        .get,
        "accounts/{id}/unattended",
        .local
    )
    .about("Get the moves that the node makes for the account while nobody is signed in.")
    package let endUnattended = APICall<NoBody, NoBody>(
        .delete,
        "accounts/{id}/unattended",
        .reader
    )
    .about(
        "Make no more moves for the account while nobody is signed in, and remove the sealed key. An "
            + "account can do this for itself, the operator for all."
    )
    .failing([.notAllowed])
    package let statement = APICall<ExternalAccountRequest, ExternalAccountStatement>(
        .post,
        "external-accounts/statement",
        .local
    )
    .about(
        "Get the statement that the owner of a key signs, so that this node keeps an account for "
            + "it whose key stays in a wallet outside the node."
    )
    .failing([.badAddress])
    package let addExternal = APICall<ExternalAccountCreation, Account>(
        .post,
        "external-accounts",
        .local
    )
    .about("Add an account whose key is in a wallet outside the node, with its signed statement.")
    .created
    .failing([.badAddress, .badSignature, .weakPassword, .nameTaken, .tooManyTries, .notAllowed])
    package let names = APICall<NoBody, [AccountName]>(.get, "names", .reader)
        .about(
            "List the names of accounts that the caller can use: its contacts and, on the node's "
                + "own machine, this node's accounts."
        )
    package let profile = APICall<NoBody, AccountProfile>(.get, "profiles/{id}", .localOrReader)
        .about("Get an account's public profile, by its address or name.")
        .failing([.badAddress])
    package let changeProfile = APICall<ProfileChange, AccountProfile>(.put, "profile")
        .about("Change the account's public profile; fields that are left out keep their values.")
        .failing(.locked, [.notAllowed, .clockWrong])
    package let recovery = APICall<NoBody, RecoveryReport>(.get, "recovery")
        .about("Get the parts of the account that this node has found or not found, and why.")
        .failing([.nodeLocked])
}

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

    /// Returns the statement with which the owner of a key lets the node keep an account for it.
    ///
    /// - Throws: ``Problem`` with `bad_address`, `malformed_value`.
    public func statement(
        for request: ExternalAccountRequest
    ) async throws -> ExternalAccountStatement {
        try await call(API.accounts.statement, request)
    }

    /// Adds an account whose key is in a wallet outside the node.
    ///
    /// - Throws: ``Problem`` with `bad_signature`, `name_taken` or `weak_password`.
    public func addAccount(_ creation: ExternalAccountCreation) async throws -> Account {
        try await call(API.accounts.addExternal, creation)
    }

    /// Returns the names by which the caller knows accounts: its own node's, and its contacts.
    public func names() async throws -> [AccountName] { try await call(API.accounts.names) }

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

    /// Returns which parts of the account this node has found, which not, and why.
    public func recovery() async throws -> RecoveryReport {
        try await call(API.accounts.recovery)
    }
}
