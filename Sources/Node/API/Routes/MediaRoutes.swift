import Answers
import Client
import HTTPTypes
import Hummingbird
import MediaFiles

/// Adds the routes of pictures and documents: `/v1/media`.
func addMediaRoutes(to group: RouterGroup<APIContext>, media: MediaService) {
    group.post("media") { request, context in
        let account = try context.account()
        let file = try await media.add(request.body, by: account)
        return try reply(.created, file, context)
    }
    group.get("media") { request, context in
        let page = try await media.added(
            by: try context.account(),
            after: request.uri.queryParameters.text("after"),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.delete("media/{id}") { _, context in
        let account = try context.account()
        try await media.remove(try context.id(), by: account)
        return Response(status: .noContent)
    }
    group.get("media/{id}") { request, context in
        let id = try context.id()
        let size = try request.thumbnailSize()
        let sent = try await context.whileConnected {
            try await media.sent(id, side: size?.rawValue)
        }
        do {
            return try sent.response(to: request)
        } catch let range as UnsatisfiedRange {
            var response = try ProblemMiddleware.response(to: range.refusal)
            response.headers[.contentRange] = range.contentRange
            return response
        }
    }
}

extension Request {
    /// Returns the query's `size`; `nil` for the whole picture.
    fileprivate func thumbnailSize() throws(Refusal) -> ThumbnailSize? {
        guard let text = uri.queryParameters["size"] else { return nil }
        guard let size = Int(text).flatMap(ThumbnailSize.init), "\(size.rawValue)" == text else {
            throw Refusal(.malformedValue, "'size' is 160 or 640.", field: "size")
        }
        return size
    }
}
