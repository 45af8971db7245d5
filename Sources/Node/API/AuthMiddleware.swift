import Client
import HTTPTypes
import Hummingbird
import Keys

/// Finds out who asks, by the token the request carries.
struct AuthMiddleware: RouterMiddleware {
    let gate: APIGate

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.caller = try await gate.caller(authorization: request.headers[.authorization])
        return try await next(request, context)
    }
}

/// Knows the tokens that open the API.
struct APIGate: Sendable {
    let accounts: Accounts
    /// The hash of the node's own token, which its operator reads from the data folder.
    let operatorTokenHash: Bytes32

    /// - Throws: ``Refusal`` with `sign_in_needed` for a token that opens nothing (any more).
    func caller(authorization: String?) async throws -> Caller {
        guard let authorization else { return .stranger }
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
