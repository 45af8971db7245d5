import HTTPTypes
import Hummingbird

/// Answers requests for the page, and passes on all others.
///
/// The page needs no caller: it stands before the authenticator, and checks the host as that does.
struct PageMiddleware: RouterMiddleware {
    let files: PageFiles
    let origins: OriginPolicy

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard [.get, .head].contains(request.method),
            let file = files.file(at: request.uri.path)
        else { return try await next(request, context) }
        let head = RequestHead(request)
        if PageFiles.isRoute(request.uri.path), head.isNavigation {
            try origins.checkHost(head.host)
        } else {
            _ = try origins.check(head)
        }
        return try file.response(to: request)
    }
}
