import Client
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Adds the routes of digital works: `/v1/works`.
func addWorkRoutes(to group: RouterGroup<APIContext>, digitalWorks: DigitalWorks) {
    group.get("works") { _, context in
        try reply(.ok, try await digitalWorks.works(of: try context.account()), context)
    }
    group.post("works") { request, context in
        let account = try context.account()
        let name = request.uri.queryParameters.text("name") ?? ""
        let work = try await digitalWorks.add(request.body, named: name, by: account)
        return try reply(.created, work, context)
    }
    group.put("works/{id}") { request, context in
        let account = try context.account()
        let body: WorkName = try await request.read(context)
        let work = try await digitalWorks.rename(try context.id(), to: body.name, by: account)
        return try reply(.ok, work, context)
    }
    group.delete("works/{id}") { _, context in
        let account = try context.account()
        try await digitalWorks.remove(try context.id(), by: account)
        return Response(status: .noContent)
    }
}

/// Adds the route of bought works: `/v1/sales/{id}/work`.
func addBoughtWorkRoute(
    to group: RouterGroup<APIContext>,
    digitalWorks: DigitalWorks,
    ids: IDResolver
) {
    group.get("sales/{id}/work") { _, context in
        let account = try context.account()
        let id = try ids.sale(try context.id(), context)
        let bought = try await context.whileConnected {
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
