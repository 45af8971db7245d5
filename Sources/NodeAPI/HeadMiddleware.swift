import Hummingbird

/// Answers `HEAD` like `GET` without the body, refusals included.
///
/// Source: RFC 9110, section 9.3.2.
struct HeadMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        return request.method == .head ? response.createHeadResponse() : response
    }
}
