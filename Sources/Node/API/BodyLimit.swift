import Client
import Hummingbird

/// Refuses a request whose header says that its body is too long, before any of the body is read.
///
/// Source: RFC 9110, section 15.5.14.
struct BodyLimit: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        if let length = request.headers[.contentLength].flatMap({ UInt64($0) }),
            length > UInt64(context.maxUploadSize)
        {
            throw Refusal.bodyTooLarge
        }
        return try await next(request, context)
    }
}

extension Refusal {
    /// The refusal of a body over the limit, after which the connection ends.
    static let bodyTooLarge = Refusal(
        .bodyTooLarge,
        "A body can have at most \(APIContext.bodyBytesMax) bytes."
    )
}
