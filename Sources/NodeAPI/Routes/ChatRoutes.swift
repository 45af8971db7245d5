import Client
import Hummingbird
import Mail
import Trade

/// Adds the handlers of contacts.
func addContactRoutes(
    to group: RouterGroup<APIContext>,
    contacts: ContactNames,
    ids: IDResolver
) {
    group.on(API.saved.contacts) { try await contacts.all(of: $0.account) }
    group.on(API.saved.nameContact) { request in
        let (account, body) = (try request.account, try await request.body)
        let other = try await ids.account(request.id, request.context, field: "account")
        return try await contacts.put(body.name, for: other, by: account)
    }
    group.perform(API.saved.removeContact) { request in
        let other = try await ids.account(request.id, request.context, field: "account")
        try await contacts.remove(other, by: request.account)
    }
}

/// Adds the handlers of chats, homes and devices.
func addChatRoutes(to group: RouterGroup<APIContext>, chat: Chat, ids: IDResolver) {
    group.on(API.conversations.open) { request in
        let account = try request.account
        var opening = try await request.body
        opening.with = try await ids.account(opening.with, request.context, field: "with")
        if let listing = opening.listing {
            opening.listing = try await ids.listing(listing, by: .all)
        }
        return try await chat.open(opening, by: account)
    }
    group.on(API.conversations.list) { request in
        try await chat.conversations(
            of: request.account,
            requests: request[Query.requests],
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
    group.on(API.conversations.messages) { request in
        let (account, limit) = (try request.account, try request[Query.limit])
        let messages = try await chat.messages(
            in: ids.conversation(request.context),
            of: account,
            before: request[Query.before],
            // One more shows whether the list ends here.
            limit: limit + 1
        )
        let items = Array(messages.suffix(limit))
        return Page(items: items, next: messages.count > limit ? items.first?.id : nil)
    }
    group.on(API.conversations.send) { request in
        let (account, key) = (try request.account, try request.key)
        let id = try await ids.conversation(request.context, isForSending: true)
        return try await chat.write(request.body, in: id, by: account, key: key)
    }
    group.perform(API.conversations.markRead) { request in
        let (account, read) = (try request.account, try await request.body)
        let id = try await ids.conversation(request.context)
        try await chat.read(id, through: read.message, by: account)
    }
    group.perform(API.conversations.accept) { request in
        try await chat.accept(ids.conversation(request.context), by: request.account)
    }
    group.perform(API.conversations.delete) { request in
        try await chat.delete(ids.conversation(request.context), of: request.account)
    }
    addHomeRoutes(to: group, chat: chat)
}

private func addHomeRoutes(to group: RouterGroup<APIContext>, chat: Chat) {
    group.on(API.homes.list) { try await chat.homes.all(of: $0.account) }
    group.on(API.homes.add) { try await chat.homes.add($0.body, for: $0.account) }
    group.perform(API.homes.remove) { try await chat.homes.remove($0.id, of: $0.account) }
    group.on(API.homes.devices) { try await chat.devices(of: $0.account) }
    group.perform(API.homes.revoke) { try await chat.revoke(device: $0.id, of: $0.account) }
}
