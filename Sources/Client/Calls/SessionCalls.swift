/// Sessions of accounts.
package struct SessionCalls: Sendable {
    package let open = APICall<SignIn, Session>(.post, "sessions", .anyone)
        .about("Sign in: unlocks the account and returns a session token.")
        .created
        .failing([.wrongPassword, .tooManyTries, .notFound])
    package let list = APICall<NoBody, [OpenSession]>(.get, "sessions")
        .about("List the account's sessions on this node, the newest first.")
    package let current = APICall<NoBody, CurrentSession>(.get, "sessions/current", .session)
        .about("Get the session: its account and its end. It does not keep it from going idle.")
        .lookingOnly
        .failing([.notFound])
    package let confirm = APICall<PasswordProof, CurrentSession>(
        .post,
        "sessions/current/confirmation"
    )
    .about("Give the password again, so that the page's session can move money for some minutes.")
    .failing([.wrongPassword, .tooManyTries])
    package let code = APICall<NoBody, PageCode>(.post, "sessions/codes", .operator)
        .about("Get a code that opens the operator's session on the page, once, within a minute.")
        .created
    package let openOperator = APICall<PageCodeProof, OperatorSession>(
        .post,
        "sessions/operator",
        .anyone
    )
    .about("Open the operator's session on the page with a code of 'sessions/codes'.")
    .created
    package let close = APICall<NoBody, NoBody>(.delete, "sessions/current", .session)
        .about("Sign out.")
        .taking(Query.everySession)
}

extension StoaClient {
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

    /// Returns the account's sessions on the node, the newest first.
    public func sessions() async throws -> [OpenSession] { try await call(API.sessions.list) }

    /// Returns the token's session, and does not keep it from going idle.
    public func currentSession() async throws -> CurrentSession {
        try await call(API.sessions.current)
    }

    /// Returns the account of the token's session.
    ///
    /// - Throws: ``Problem`` with `sign_in_needed` if the session has ended, or is of no account.
    public func currentAccount() async throws -> Account {
        let session = try await currentSession()
        guard let account = session.account else {
            throw ClientError.unexpected(node, status: 200, reason: "a session of no account")
        }
        return account
    }

    /// Returns a code that opens the operator's session on the page, once and within a minute.
    public func pageCode() async throws -> PageCode { try await call(API.sessions.code) }

    /// Ends the session; with `everySession`, all sessions of its account on the node.
    public func signOut(everySession: Bool = false) async throws {
        try await call(API.sessions.close, query: [Query.everySession(everySession)])
    }
}
