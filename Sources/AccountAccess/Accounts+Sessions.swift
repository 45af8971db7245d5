package import Answers
package import Client
import Concurrency
import Foundation
package import Keys

/// A session that a request has shown.
package struct FoundSession: Equatable, Sendable {
    package let id: SessionID
    package let owner: SessionOwner
}

/// The sessions, as requests show and end them.
extension Accounts {
    /// Opens a session of a page, which is worth nothing without the cookie.
    ///
    /// A browser has one cookie for all its sessions, and a new value at each sign-in: another
    /// program of the machine can know or set the former one. Its other sessions get the new value
    /// only when their tokens come with it, for the same reason.
    ///
    /// - Parameters:
    ///   - request: The account and its password.
    ///   - cookie: The value that the browser had, if any.
    ///   - caller: Whose wrong passwords count.
    /// - Returns: The session, and the browser's new cookie.
    /// - Throws: As ``signIn(_:by:)``.
    package func signIn(
        _ request: SignIn,
        onPageWith cookie: String?,
        by caller: CallerGroup
    ) async throws -> (session: Session, cookie: String) {
        let new = Bytes32.random().digits
        let hash = Keccak256.hash(new.utf8)
        let opened = try await open(request, cookie: hash, by: caller)
        if let cookie { sessions.announce(hash, after: Keccak256.hash(cookie.utf8)) }
        return (await shown(opened), new)
    }

    /// Returns the session of a token, and keeps it from going idle unless `isUse` is false.
    ///
    /// A page reads by itself as events come, with nobody before it: to read is no use of its
    /// session.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - cookie: The cookie beside it, if any.
    ///   - isUse: Whether the call keeps sessions from going idle.
    ///   - isReading: Whether the call changes nothing.
    /// - Returns: `nil` if it has ended, or is of a page and the cookie is not its browser's.
    package func session(
        ofToken token: String,
        cookie: String? = nil,
        isUse: Bool = true,
        isReading: Bool = false
    ) -> FoundSession? {
        let id = Keccak256.hash(token.utf8)
        let hash = cookie.map { Keccak256.hash($0.utf8) }
        guard let entry = sessions.find(id, withCookie: hash, at: clock.now) else { return nil }
        if isUse, !isReading || entry.cookie == nil { use(id) }
        return FoundSession(id: id, owner: entry.owner)
    }

    /// Returns the session of a browser's cookie; this does not keep it from going idle.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - account: The address or name of the account, if the browser has sessions of several;
    ///     without it, the newest is meant.
    /// - Returns: `nil` if there is none.
    package func session(ofCookie cookie: String, of account: String?) -> FoundSession? {
        let open = sessions.all(ofCookie: Keccak256.hash(cookie.utf8), at: clock.now)
        // An account that cannot be read has no session either.
        let wanted = account.map { try? store.account(named: $0)?.address }
        let found = open.first { session in
            guard let wanted else { return true }
            return wanted.map { session.entry.owner == .account($0) } ?? false
        }
        guard let found else { return nil }
        return FoundSession(id: found.id, owner: found.entry.owner)
    }

    /// Keeps a session from going idle.
    package func use(_ id: SessionID) { sessions.use(id, at: clock.now) }

    /// Returns whether a session has not ended; this does not keep it from going idle.
    package func isOpen(_ id: SessionID) -> Bool { sessions.find(id, at: clock.now) != nil }

    /// Returns whether a session still has a browser's cookie, or will have it.
    package func isNeeded(cookie: String) -> Bool {
        sessions.isNeeded(Keccak256.hash(cookie.utf8), at: clock.now)
    }

    /// Returns a session as the API shows it; this does not keep it from going idle.
    ///
    /// - Throws: ``Refusal`` with `sign_in_needed` if it has ended.
    package func currentSession(_ id: SessionID) async throws -> CurrentSession {
        guard let entry = sessions.find(id, at: clock.now) else {
            throw Refusal(.signInNeeded, Sentence("refusal.sessionEnded"))
        }
        var account: Account?
        if case .account(let address) = entry.owner { account = try await self.account(address) }
        return CurrentSession(
            account: account,
            idleUntil: entry.idleUntil,
            expiresAt: entry.expiresAt,
            confirmedUntil: entry.confirmedUntil.flatMap { $0 > clock.now ? $0 : nil }
        )
    }

    /// Lets a page's session move money for some minutes, after its account's password.
    ///
    /// - Throws: ``Refusal`` with `wrong_password`, `too_many_tries`.
    package func confirm(
        _ id: SessionID,
        of account: Address,
        _ proof: PasswordProof,
        by caller: CallerGroup
    ) async throws {
        _ = try await unlock(account.checksummed, Password(proof.password), by: caller)
        sessions.confirm(id, at: clock.now)
    }

    /// Checks that a session can move money now.
    ///
    /// - Throws: ``Refusal`` with `password_needed`.
    package func requireConfirmation(of id: SessionID) throws(Refusal) {
        guard !sessions.takeConfirmation(of: id, at: clock.now) else { return }
        throw Refusal(.passwordNeeded, Sentence("refusal.passwordNeeded"))
    }

    /// Returns a new code that opens the operator's session on the page.
    package func pageCode() -> PageCode {
        let code = Bytes32.random().digits
        return PageCode(code: code, expiresAt: sessions.add(code: code, at: clock.now))
    }

    /// Opens the operator's session on the page with a code, which is of no use afterwards.
    ///
    /// - Returns: The session, and the browser's new cookie.
    /// - Throws: ``Refusal`` with `sign_in_needed` for a code that was used, or is too old.
    package func openOperatorSession(
        _ proof: PageCodeProof,
        onPageWith cookie: String?
    ) throws(Refusal) -> (session: OperatorSession, cookie: String) {
        guard sessions.take(code: proof.code, at: clock.now) else {
            throw Refusal(.signInNeeded, Sentence("refusal.pageCode"), field: "code")
        }
        let (token, new) = (Bytes32.random().digits, Bytes32.random().digits)
        let hash = Keccak256.hash(new.utf8)
        let entry = sessions.open(token: token, for: .operator, cookie: hash, at: clock.now)
        if let cookie { sessions.announce(hash, after: Keccak256.hash(cookie.utf8)) }
        let session = OperatorSession(
            token: token,
            idleUntil: entry.idleUntil,
            expiresAt: entry.expiresAt
        )
        return (session, new)
    }

    /// Returns the sessions of an account, the newest first; `current` is the caller's.
    package func sessions(of account: Address, current: SessionID?) -> [OpenSession] {
        sessions.all(of: .account(account), at: clock.now).map { id, entry in
            OpenSession(
                openedAt: entry.openedAt,
                idleUntil: entry.idleUntil,
                expiresAt: entry.expiresAt,
                isPage: entry.cookie != nil,
                isCurrent: id == current
            )
        }
    }

    /// Ends a session, or with `everySession` all of its owner's; the end of an account's last
    /// session drops its key.
    package func signOut(_ id: SessionID, everySession: Bool = false) {
        guard let owner = sessions.find(id, at: clock.now)?.owner else { return }
        if everySession { sessions.closeAll(of: owner) } else { sessions.close(id) }
        if case .account(let address) = owner, !sessions.isSignedIn(address) {
            forgetKeys(of: address)
        }
        signalSessionEnds()
    }
}
