import Client
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Trade

/// Adds the handlers of digital works.
func addWorkRoutes(to group: RouterGroup<APIContext>, digitalWorks: DigitalWorks) {
    group.on(API.media.works) { try await digitalWorks.works(of: $0.account) }
    group.on(API.media.addWork) { request in
        let name = try request[Query.name] ?? ""
        return try await digitalWorks.add(
            request.request.body,
            named: name,
            by: request.account,
            isElsewhere: !request.context.isLocal
        )
    }
    group.on(API.media.renameWork) { request in
        let (account, body) = (try request.account, try await request.body)
        return try await digitalWorks.rename(request.id, to: body.name, by: account)
    }
    group.perform(API.media.removeWork) { try await digitalWorks.remove($0.id, by: $0.account) }
}

/// Adds the handler of bought works.
func addBoughtWorkRoute(
    to group: RouterGroup<APIContext>,
    digitalWorks: DigitalWorks,
    ids: IDResolver
) {
    group.answer(API.sales.work) { request in
        let account = try request.account
        let id = try ids.sale(request.id, request.context)
        let bought = try await request.context.whileConnected {
            try await digitalWorks.bought(id, by: account)
        }
        let name =
            bought.name.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? "work"
        let headers: HTTPFields = [
            .contentType: "application/octet-stream", .cacheControl: "no-store",
            .contentDisposition: "attachment; filename*=UTF-8''\(name)",
            // Words of a title can mean another sale than the caller thinks.
            .contentLocation: "/v1/sales/\(id)/work",
            .contentSecurityPolicy: "default-src 'none'; sandbox; frame-ancestors 'none'",
            .crossOriginResourcePolicy: "same-origin",
        ]
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bought.bytes))
        )
    }
}
