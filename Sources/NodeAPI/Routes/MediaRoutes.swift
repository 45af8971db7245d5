import Answers
import Client
import HTTPTypes
import Hummingbird
import MediaFiles

/// Adds the handlers of pictures and documents.
func addMediaRoutes(to group: RouterGroup<APIContext>, media: MediaService) {
    group.on(API.media.add) { request in
        try await media.add(
            request.request.body,
            by: request.account,
            isElsewhere: !request.context.isLocal,
            whileConnected: { try await request.context.whileConnected($0) }
        )
    }
    group.on(API.media.list) { request in
        try await media.added(
            by: request.account,
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
    group.perform(API.media.remove) { try await media.remove($0.id, by: $0.account) }
    group.answer(API.media.content) { request in
        let (id, size) = (try request.id, try request[Query.size])
        let (side, waits) = (size?.rawValue, try request[Query.wait])
        let sent = try await request.context.whileConnected {
            let caller = request.context.mediaCaller
            return try await waits
                ? media.sent(id, side: side, to: caller)
                : media.sentIfHere(id, side: side, to: caller)
        }
        do {
            return try sent.response(to: request.request)
        } catch let range as UnsatisfiedRange {
            var response = try ProblemMiddleware.response(to: range.refusal)
            response.headers[.contentRange] = range.contentRange
            return response
        }
    }
}

extension APIContext {
    /// The side whose turn it is if a smaller version of a picture is to be made.
    fileprivate var mediaCaller: MediaCaller {
        switch (signedIn, place) {
        case (let account?, _): .account(account)
        case (nil, .elsewhere(let network)) where !isLocal: .network(network)
        case (nil, _): .thisMachine
        }
    }
}
