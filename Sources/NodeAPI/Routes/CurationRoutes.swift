import Answers
import Client
import Hummingbird
import Keys
import Trade

/// Adds the handlers of lists that hide, and of blocked accounts.
func addCurationRoutes(
    to group: RouterGroup<APIContext>,
    curations: Curations,
    ids: IDResolver
) {
    group.on(API.curations.list) { request in
        var author: Address?
        if let text = try request[Query.author] {
            let found = try await ids.account(text, request.context, field: "author")
            author = try .entered(found, field: "author")
        }
        return try curations.page(
            by: author,
            for: request.context.signedIn,
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
    group.on(API.curations.curation) { try curations.list($0.id, for: $0.context.signedIn) }
    group.on(API.curations.preview) { try await curations.preview($0.body, by: $0.account) }
    group.on(API.curations.publish) { try await curations.publish($0.body, by: $0.account) }
    group.perform(API.curations.withdraw) { try await curations.withdraw($0.id, by: $0.account) }
    group.on(API.curations.followed) { try curations.followed(by: $0.account) }
    group.on(API.curations.follow) { try await curations.follow($0.body.list, by: $0.account) }
    group.perform(API.curations.unfollow) { try await curations.leave($0.id, by: $0.account) }
    group.on(API.curations.hidden) { try await curations.reasons(for: $0.account) }
    addBlockedRoutes(to: group, blocks: curations.blocks, ids: ids)
}

private func addBlockedRoutes(
    to group: RouterGroup<APIContext>,
    blocks: Blocks,
    ids: IDResolver
) {
    group.on(API.curations.blocked) { try await blocks.all(by: $0.account) }
    group.on(API.curations.block) { request in
        let (account, body) = (try request.account, try await request.body)
        let other = try await ids.account(
            body.account,
            request.context,
            findsSellers: true,
            field: "account"
        )
        return try await blocks.add(other, by: account)
    }
    group.perform(API.curations.unblock) { request in
        let other = try await ids.account(request.id, request.context, field: "account")
        try await blocks.remove(other, by: request.account)
    }
}
