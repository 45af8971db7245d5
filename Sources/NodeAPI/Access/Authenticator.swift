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

    /// - Parameters:
    ///   - accounts: They know the sessions.
    ///   - operatorTokenHash: The hash of the node's token, which its operator reads from the data
    ///     folder.
    ///   - host: The address that the API listens on.
    ///   - origins: Those of web pages elsewhere that may call, such as `https://shop.example`.
    ///   - opensAccounts: Whether others can create accounts without the operator's token.
    package init(
        accounts: Accounts,
        operatorTokenHash: Bytes32,
        host: String,
        origins: [String],
        opensAccounts: Bool
    ) {
        (self.accounts, self.operatorTokenHash) = (accounts, operatorTokenHash)
        self.origins = OriginPolicy(host: host, allowed: origins)
        self.opensAccounts = opensAccounts
    }

    /// Returns the context of a call with its caller, if the caller may make it.
    ///
    /// - Throws: ``Refusal``, or `HTTPError` if the API has no such call.
    func admitted(_ request: Request, _ context: APIContext) async throws -> APIContext {
        var context = context
        context.place = try place(of: request, context)
        context.caller = try await caller(authorization: request.headers[.authorization])
        if context.caller == .operator { try await context.trustConnection() }
        let call = API.find(request.method.rawValue, at: request.uri.path)
        guard let call else { throw HTTPError(.notFound) }
        try check(call.access, context.caller, context.place)
        return context
    }

    /// Checks a request outside of the API against an access.
    func check(_ access: Access, _ request: Request, _ context: APIContext) async throws {
        let caller = try await caller(authorization: request.headers[.authorization])
        if caller == .operator { try await context.trustConnection() }
        // A caller with the operator's token may use any host name.
        let place = caller == .operator ? .thisMachine : try place(of: request, context)
        try check(access, caller, place)
    }

    private func place(
        of request: Request,
        _ context: APIContext
    ) throws(Refusal) -> CallerOrigin {
        CallerOrigin(
            address: context.address,
            headers: request.headers,
            isOwn: try origins.check(
                host: request.head.authority,
                origin: request.headers[.origin],
                fetchSite: HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
            )
        )
    }

    /// Refuses a caller that may not make calls of a kind.
    ///
    /// - Throws: ``Refusal`` with `operator_needed` or `sign_in_needed`.
    func check(_ access: Access, _ caller: Caller, _ place: CallerOrigin) throws(Refusal) {
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
        case .reader:
            guard caller == .anonymous else { return }
            throw Refusal(.signInNeeded, Sentence("refusal.signInOrToken"))
        case .account:
            if case .account = caller { return }
            throw Refusal(.signInNeeded, Sentence("refusal.signInNeeded"))
        }
    }

    /// Returns the caller that these credentials belong to.
    ///
    /// - Throws: ``Refusal`` with `sign_in_needed` for a token that opens no session, or no longer.
    func caller(authorization: String?) async throws -> Caller {
        guard let authorization else { return .anonymous }
        guard let token = authorization.split(separator: " ").last.map(String.init),
            authorization.lowercased().hasPrefix("bearer ")
        else {
            throw Refusal(.signInNeeded, forPrograms: "Send 'Authorization: Bearer <token>'.")
        }
        // Hashes are compared, so that the time taken reveals nothing about the token.
        if Keccak256.hash(token.utf8) == operatorTokenHash { return .operator }
        guard let address = await accounts.address(forToken: token) else {
            throw Refusal(.signInNeeded, Sentence("refusal.sessionEnded"))
        }
        return .account(address, token: token)
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
