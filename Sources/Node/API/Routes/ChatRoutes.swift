import Client
import Hummingbird

/// Chats and homes: `/v1/conversations`, `/v1/homes`.
func addChatRoutes(to group: RouterGroup<APIContext>, chat: Chat) {
    group.post("conversations") { request, context in
        let account = try context.account()
        let opening: ConversationOpening = try await request.read(context)
        return try reply(.created, try await chat.open(opening, by: account), context)
    }
    group.get("conversations") { request, context in
        let account = try context.account()
        let page = try await chat.conversations(
            of: account,
            requests: try request.flag("requests"),
            after: request.uri.queryParameters["after"].map(String.init),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.get("conversations/{id}/messages") { request, context in
        let account = try context.account()
        let messages = try await chat.messages(
            in: try context.id(),
            of: account,
            before: request.uri.queryParameters["before"].map(String.init),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, messages, context)
    }
    group.post("conversations/{id}/messages") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let id = try context.id()
        let draft: MessageDraft = try await request.read(context)
        let message = try await chat.write(draft, in: id, by: account, key: key)
        return try reply(.created, message, context)
    }
    group.post("conversations/{id}/read") { _, context in
        let account = try context.account()
        try await chat.read(try context.id(), by: account)
        return Response(status: .noContent)
    }
    group.post("conversations/{id}/accept") { _, context in
        let account = try context.account()
        try await chat.accept(try context.id(), by: account)
        return Response(status: .noContent)
    }
    group.delete("conversations/{id}") { _, context in
        let account = try context.account()
        try await chat.delete(try context.id(), of: account)
        return Response(status: .noContent)
    }
    addBlockedRoutes(to: group, chat: chat)
    group.get("homes") { _, context in
        let account = try context.account()
        return try reply(.ok, try await chat.homes(of: account), context)
    }
    group.post("homes") { request, context in
        let account = try context.account()
        let wish: HomeRequest = try await request.read(context)
        return try reply(.created, try await chat.addHome(wish, for: account), context)
    }
}

private func addBlockedRoutes(to group: RouterGroup<APIContext>, chat: Chat) {
    group.get("blocked") { _, context in
        let account = try context.account()
        return try reply(.ok, try await chat.blocked(by: account), context)
    }
    group.post("blocked") { request, context in
        let account = try context.account()
        let wish: BlockRequest = try await request.read(context)
        return try reply(.created, try await chat.block(wish.account, by: account), context)
    }
    group.delete("blocked/{id}") { _, context in
        let account = try context.account()
        try await chat.unblock(try context.id(), by: account)
        return Response(status: .noContent)
    }
}
