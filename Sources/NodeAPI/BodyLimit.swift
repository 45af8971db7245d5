import Answers
import Client
import Hummingbird
import Market
import MediaFiles
import Trade

/// Refuses a request whose header says that its body is too long, before any of the body is read.
///
/// Source: RFC 9110, section 15.5.14.
struct BodyLimit: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let call = API.find(request.method.rawValue, at: request.uri.path)
        let takesFile = call?.takesFile == true
        let bytesMax = takesFile ? Int(Media.byteCountMax) : context.maxUploadSize
        if let length = request.headers[.contentLength].flatMap({ UInt64($0) }),
            length > UInt64(bytesMax)
        {
            guard takesFile else { throw Refusal.bodyTooLarge }
            throw request.uri.path == "/v1/works" ? Refusal.workTooLarge : .fileTooLarge
        }
        return try await next(request, context)
    }
}

extension Refusal {
    /// The refusal of a body over the limit, after which the connection ends.
    static let bodyTooLarge = Refusal(
        .bodyTooLarge,
        Sentence("refusal.bodyTooLarge", ["most": "\(APIContext.bodyBytesMax)"])
    )
}
