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
    package let profile = APICall<NoBody, AccountProfile>(.get, "profiles/{id}", .reader)
        .about("Get an account's public profile, by its address or name.")
        .failing([.badAddress])
    package let changeProfile = APICall<ProfileChange, AccountProfile>(.put, "profile")
        .about("Change the account's public profile; fields that are left out keep their values.")
        .failing(.locked, [.notAllowed, .clockWrong])
    package let recovery = APICall<NoBody, RecoveryReport>(.get, "recovery")
        .about("Get the parts of the account that this node has found or not found, and why.")
        .failing([.nodeLocked])
}

/// Sessions of accounts.
package struct SessionCalls: Sendable {
    package let open = APICall<SignIn, Session>(.post, "sessions", .anyone)
        .about("Sign in: unlocks the account and returns a session token.")
        .created
        .failing([.wrongPassword, .tooManyTries, .notFound])
    package let account = APICall<NoBody, Account>(.get, "sessions/current")
        .about("Get the signed-in account.")
        .failing([.notFound])
    package let close = APICall<NoBody, NoBody>(.delete, "sessions/current")
        .about("Sign out.")
        .taking(Query.everySession)
}
