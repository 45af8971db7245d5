import Answers
import Client
import Hummingbird
import Keys

/// Adds the routes of lists that hide, and of blocked accounts: `/v1/curations`,
/// `/v1/subscriptions`, `/v1/hidden`, `/v1/blocked`.
func addCurationRoutes(
    to group: RouterGroup<APIContext>,
    curations: Curations,
    ids: IDResolver
) {
    group.get("curations") { request, context in
        let query = request.uri.queryParameters
        var author: Address?
        if let text = query.text("author") {
            let found = try await ids.account(text, context, field: "author")
            author = try .entered(found, field: "author")
        }
        let page = try curations.page(
            by: author,
            for: context.signedIn,
            after: query.text("after"),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.get("curations/{id}") { _, context in
        try reply(.ok, try curations.list(try context.id(), for: context.signedIn), context)
    }
    group.post("curations/preview") { request, context in
        let account = try context.account()
        let draft: CurationDraft = try await request.read(context)
        return try await reply(try curations.preview(draft, by: account), context)
    }
    group.post("curations") { request, context in
        let account = try context.account()
        let draft: CurationDraft = try await request.read(context)
        return try reply(.created, try await curations.publish(draft, by: account), context)
    }
    group.delete("curations/{id}") { _, context in
        try await curations.withdraw(try context.id(), by: try context.account())
        return Response(status: .noContent)
    }
    group.get("subscriptions") { _, context in
        try reply(.ok, try curations.followed(by: try context.account()), context)
    }
    group.post("subscriptions") { request, context in
        let account = try context.account()
        let body: Subscription = try await request.read(context)
        let list = try await curations.follow(body.list, by: account)
        return try reply(.created, list, context)
    }
    group.delete("subscriptions/{id}") { _, context in
        try await curations.leave(try context.id(), by: try context.account())
        return Response(status: .noContent)
    }
    group.get("hidden") { _, context in
        try reply(.ok, try await curations.reasons(for: try context.account()), context)
    }
    addBlockedRoutes(to: group, blocks: curations.blocks, ids: ids)
}

private func addBlockedRoutes(
    to group: RouterGroup<APIContext>,
    blocks: Blocks,
    ids: IDResolver
) {
    group.get("blocked") { _, context in
        let account = try context.account()
        return try reply(.ok, try await blocks.all(by: account), context)
    }
    group.post("blocked") { request, context in
        let account = try context.account()
        let body: BlockRequest = try await request.read(context)
        let other = try await ids.account(
            body.account,
            context,
            findsSellers: true,
            field: "account"
        )
        return try reply(.created, try await blocks.add(other, by: account), context)
    }
    group.delete("blocked/{id}") { _, context in
        let account = try context.account()
        let other = try await ids.account(try context.id(), context, field: "account")
        try await blocks.remove(other, by: account)
        return Response(status: .noContent)
    }
}
