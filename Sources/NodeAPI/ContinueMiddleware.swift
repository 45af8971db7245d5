import Hummingbird

/// Tells a client that withholds its body to send it, once the head has passed all checks.
///
/// A client whose request is refused before that need not send the body.
///
/// Source: RFC 9110, section 10.1.1.
struct ContinueMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await context.askForBody()
        }
        return try await next(request, context)
    }
}
