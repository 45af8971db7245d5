import Client
import HTTPTypes
import Hummingbird
import Keys

/// Finds out who asks and from where, and refuses what the call's ``Access`` does not allow.
///
/// The one place that decides it. A path and method that ``APIOperation/all`` does not name are
/// answered as not there, whatever the router has.
struct Authenticator: RouterMiddleware {
    let accounts: Accounts
    /// The hash of the node's own token, which its operator reads from the data folder.
    let operatorTokenHash: Bytes32
    let origins: OriginPolicy
    /// Whether others may make accounts without the operator's token.
    let opensAccounts: Bool

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.place = try place(of: request, context)
        context.caller = try await caller(authorization: request.headers[.authorization])
        let operation = APIOperation.find(request.method.rawValue, at: request.uri.path)
        guard let operation else { throw HTTPError(.notFound) }
        try check(operation.access, context.caller, context.place)
        return try await next(request, context)
    }

    /// As the other, of a request outside of the API.
    func check(_ access: Access, _ request: Request, _ context: APIContext) async throws {
        let caller = try await caller(authorization: request.headers[.authorization])
        // Whoever has the operator's token may ask by any name.
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

    /// Whether a caller may make calls of a kind.
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
                "This call needs the operator's token, from 'node.token' in the node's data folder"
                    + (access == .operator ? "." : ", except on the node's own machine.")
            )
        case .reader:
            guard caller == .anonymous else { return }
            throw Refusal(
                .signInNeeded,
                "Sign in, or send the node's own token from 'node.token' in its data folder."
            )
        case .account:
            if case .account = caller { return }
            throw Refusal(
                .signInNeeded,
                "Sign in first. Programs send a session's token as 'Authorization: Bearer <token>'."
            )
        }
    }

    /// Who sends these credentials.
    ///
    /// - Throws: ``Refusal`` with `sign_in_needed` for a token that opens nothing (any more).
    func caller(authorization: String?) async throws -> Caller {
        guard let authorization else { return .anonymous }
        guard let token = authorization.split(separator: " ").last.map(String.init),
            authorization.lowercased().hasPrefix("bearer ")
        else {
            throw Refusal(.signInNeeded, "Send 'Authorization: Bearer <token>'.")
        }
        // Hashes are compared, so the time taken tells nothing of the token.
        if Keccak256.hash(token.utf8) == operatorTokenHash { return .operator }
        guard let address = await accounts.address(forToken: token) else {
            throw Refusal(.signInNeeded, "This session has ended. Sign in again.")
        }
        return .account(address, token: token)
    }
}
