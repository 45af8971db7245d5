package import AccountAccess
import Answers
import Client
import HTTPTypes
import Hummingbird
package import Keys

/// Finds the caller and its origin, and refuses what the call's ``Access`` does not allow.
///
/// No other code decides this. If the API does not have a path and method, the answer is 404,
/// whatever the router has.
package struct Authenticator: Sendable {
    let accounts: Accounts
    private let operatorTokenHash: Bytes32
    let origins: OriginPolicy
    private let opensAccounts: Bool
    /// The node's peer id, which names the cookie of its pages.
    private let peer: String

    /// - Parameters:
    ///   - accounts: They know the sessions.
    ///   - operatorTokenHash: The hash of the node's token, which its operator reads from the data
    ///     folder.
    ///   - host: The address that the API listens on.
    ///   - origins: Those of web pages elsewhere that may call, such as `https://shop.example`.
    ///   - opensAccounts: Whether others can create accounts without the operator's token.
    ///   - peer: The node's peer id.
    package init(
        accounts: Accounts,
        operatorTokenHash: Bytes32,
        host: String,
        origins: [String],
        opensAccounts: Bool,
        peer: String
    ) {
        (self.accounts, self.operatorTokenHash) = (accounts, operatorTokenHash)
        self.origins = OriginPolicy(host: host, allowed: origins)
        (self.opensAccounts, self.peer) = (opensAccounts, peer)
    }

    /// Returns the context of a call with its caller, if the caller may make it.
    ///
    /// - Throws: ``Refusal``, or `HTTPError` if the API has no such call.
    func admitted(_ request: Request, _ context: APIContext) async throws -> APIContext {
        var context = context
        let head = RequestHead(request)
        context.place = try place(of: head, request, context)
        let call = API.find(request.method.rawValue, at: request.uri.path)
        let caller = try await caller(head, for: call)
        (context.caller, context.session) = (caller.caller, caller.session)
        if origins.isOwnPage(head) { context.cookie = PageCookie(of: peer, in: head) }
        if context.holdsNodeToken { try await context.trustConnection() }
        guard let call else { throw HTTPError(.notFound) }
        try check(call.access, context.caller, context.place, context.session)
        if call.movesMoney, let session = context.session {
            try await accounts.requireConfirmation(of: session)
        }
        return context
    }

    /// Checks a request outside of the API against an access.
    func check(_ access: Access, _ request: Request, _ context: APIContext) async throws {
        let head = RequestHead(request)
        let (caller, session) = try await caller(head)
        if caller == .operator, session == nil { try await context.trustConnection() }
        // A caller with the operator's token may use any host name.
        let place = caller == .operator ? .thisMachine : try place(of: head, request, context)
        try check(access, caller, place, nil)
    }

    private func place(
        of head: RequestHead,
        _ request: Request,
        _ context: APIContext
    ) throws(Refusal) -> CallerOrigin {
        CallerOrigin(
            address: context.address,
            headers: request.headers,
            isOwn: try origins.check(head)
        )
    }

    /// Refuses a caller that may not make calls of a kind.
    ///
    /// - Throws: ``Refusal`` with `operator_needed` or `sign_in_needed`.
    private func check(
        _ access: Access,
        _ caller: Caller,
        _ place: CallerOrigin,
        _ session: SessionID?
    ) throws(Refusal) {
        switch access {
        case .anyone: return
        case .local where place == .thisMachine || caller == .operator: return
        case .newcomer where place == .thisMachine || caller == .operator || opensAccounts: return
        case .operator where caller == .operator: return
        case .local, .newcomer, .operator:
            throw Refusal(
                .operatorNeeded,
                access == .operator
                    ? Sentence("refusal.operatorToken") : Sentence("refusal.operatorTokenElsewhere")
            )
        case .localOrReader where place == .thisMachine: return
        case .reader, .localOrReader:
            guard caller == .anonymous else { return }
            throw Refusal(.signInNeeded, Sentence("refusal.signInOrToken"))
        case .account:
            if case .account = caller { return }
            throw Refusal(.signInNeeded, Sentence("refusal.signInNeeded"))
        case .session:
            guard session == nil else { return }
            throw Refusal(.signInNeeded, Sentence("refusal.signInNeeded"))
        }
    }

    /// Returns the caller to whom the credentials of a request belong, and the session shown.
    ///
    /// A session that a page opened needs its browser's cookie beside its token. The cookie alone
    /// opens what a browser cannot add a token to.
    ///
    /// - Parameters:
    ///   - head: The head of the request.
    ///   - call: The call; `nil` for a request outside of the API.
    /// - Returns: The caller; the session is `nil` for the operator's token and for nobody.
    /// - Throws: ``Refusal`` with `sign_in_needed` for a token that opens no session, or no longer.
    func caller(
        _ head: RequestHead,
        for call: CallFacts? = nil
    ) async throws -> (caller: Caller, session: SessionID?) {
        let cookie = PageCookie(of: peer, in: head).value
        guard let authorization = head.authorization else {
            guard let call, let cookie, mayUseCookieAlone(head, for: call),
                let session = await accounts.session(ofCookie: cookie, of: head.actsAs)
            else { return (.anonymous, nil) }
            return (session.caller, session.id)
        }
        guard let token = authorization.split(separator: " ").last.map(String.init),
            authorization.lowercased().hasPrefix("bearer ")
        else {
            throw Refusal(.signInNeeded, forPrograms: "Send 'Authorization: Bearer <token>'.")
        }
        // Hashes are compared, so that the time taken reveals nothing about the token.
        if Keccak256.hash(token.utf8) == operatorTokenHash { return (.operator, nil) }
        let found = await accounts.session(
            ofToken: token,
            cookie: cookie,
            isUse: call?.isUse ?? true,
            isReading: call.map { $0.method == .get } ?? true
        )
        guard let found else {
            throw Refusal(.signInNeeded, Sentence("refusal.sessionEnded"))
        }
        return (found.caller, found.id)
    }

    /// A page of another origin of this machine gets the same cookies; an image's request names no
    /// origin, and was checked for its site.
    private func mayUseCookieAlone(_ head: RequestHead, for call: CallFacts) -> Bool {
        if call.isSocket { return origins.isOwnPage(head) }
        return call.givesFile && (head.origin == nil || origins.isOwnPage(head))
    }
}

extension FoundSession {
    fileprivate var caller: Caller {
        switch owner {
        case .account(let address): .account(address)
        case .operator: .operator
        }
    }
}

/// Passes on only those callers that the authenticator admits.
struct CallerMiddleware: RouterMiddleware {
    let authenticator: Authenticator

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        try await next(request, try await authenticator.admitted(request, context))
    }
}
