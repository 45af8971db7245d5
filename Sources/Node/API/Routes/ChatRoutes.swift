import Client
import Hummingbird
import Mail

/// Adds the routes of contacts: `/v1/contacts`.
func addContactRoutes(
    to group: RouterGroup<APIContext>,
    contacts: ContactNames,
    ids: IDResolver
) {
    group.get("contacts") { _, context in
        try reply(.ok, try await contacts.all(of: try context.account()), context)
    }
    group.put("contacts/{id}") { request, context in
        let account = try context.account()
        let body: ContactName = try await request.read(context)
        let other = try await ids.account(try context.id(), context, field: "account")
        return try reply(.ok, try await contacts.put(body.name, for: other, by: account), context)
    }
    group.delete("contacts/{id}") { _, context in
        let account = try context.account()
        let other = try await ids.account(try context.id(), context, field: "account")
        try await contacts.remove(other, by: account)
        return Response(status: .noContent)
    }
}

/// Adds the routes of chats, homes and devices: `/v1/conversations`, `/v1/homes`, `/v1/devices`.
func addChatRoutes(to group: RouterGroup<APIContext>, chat: Chat, ids: IDResolver) {
    group.post("conversations") { request, context in
        let account = try context.account()
        var opening: ConversationOpening = try await request.read(context)
        opening.with = try await ids.account(opening.with, context, field: "with")
        if let listing = opening.listing {
            opening.listing = try await ids.listing(listing, by: .all)
        }
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
        let limit = try request.number("limit", default: 20, in: 1...100)
        let messages = try await chat.messages(
            in: try await ids.conversation(context),
            of: account,
            before: request.uri.queryParameters["before"].map(String.init),
            // One more shows whether the list ends here.
            limit: limit + 1
        )
        let items = Array(messages.suffix(limit))
        let next = messages.count > limit ? items.first?.id : nil
        return try reply(.ok, Page(items: items, next: next), context)
    }
    group.post("conversations/{id}/messages") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let id = try await ids.conversation(context, isForSending: true)
        let draft: MessageDraft = try await request.read(context)
        let message = try await chat.write(draft, in: id, by: account, key: key)
        return try reply(.created, message, context)
    }
    group.post("conversations/{id}/read") { request, context in
        let account = try context.account()
        let read: ReadThrough = try await request.read(context)
        let id = try await ids.conversation(context)
        try await chat.read(id, through: read.message, by: account)
        return Response(status: .noContent)
    }
    group.post("conversations/{id}/accept") { _, context in
        let account = try context.account()
        try await chat.accept(try await ids.conversation(context), by: account)
        return Response(status: .noContent)
    }
    group.delete("conversations/{id}") { _, context in
        let account = try context.account()
        try await chat.delete(try await ids.conversation(context), of: account)
        return Response(status: .noContent)
    }
    addHomeRoutes(to: group, chat: chat)
    addDeviceRoutes(to: group, chat: chat)
}

private func addDeviceRoutes(to group: RouterGroup<APIContext>, chat: Chat) {
    group.get("devices") { _, context in
        try reply(.ok, try await chat.devices(of: try context.account()), context)
    }
    group.delete("devices/{id}") { _, context in
        let account = try context.account()
        try await chat.revoke(device: try context.id(), of: account)
        return Response(status: .noContent)
    }
}

private func addHomeRoutes(to group: RouterGroup<APIContext>, chat: Chat) {
    group.get("homes") { _, context in
        let account = try context.account()
        return try reply(.ok, try await chat.homes.all(of: account), context)
    }
    group.post("homes") { request, context in
        let account = try context.account()
        let body: HomeRequest = try await request.read(context)
        return try reply(.created, try await chat.homes.add(body, for: account), context)
    }
    group.delete("homes/{id}") { _, context in
        let account = try context.account()
        try await chat.homes.remove(try context.id(), of: account)
        return Response(status: .noContent)
    }
}
