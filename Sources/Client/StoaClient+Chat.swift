extension StoaClient {
    /// Opens a conversation, or returns the existing one.
    public func openConversation(_ opening: ConversationOpening) async throws -> Conversation {
        try await call(API.conversations.open, opening)
    }

    /// Returns one page of the account's conversations, most recently changed first.
    ///
    /// With `requests`, those that strangers began and that are not answered. At most `limit`
    /// conversations, which is at most 100, after the ``Page/next`` of the page before.
    public func conversations(
        requests: Bool = false,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Conversation> {
        try await call(
            API.conversations.list,
            query: [Query.requests(requests), Query.limit(limit), Query.after(after)]
        )
    }

    /// Treats the messages of a conversation's other side as a known sender's from now on.
    public func accept(conversation: String) async throws {
        try await call(API.conversations.accept, at: conversation)
    }

    /// Deletes a conversation with all its messages, for this account on this node.
    public func delete(conversation: String) async throws {
        try await call(API.conversations.delete, at: conversation)
    }

    /// Returns the accounts whose messages are dropped, most recently blocked first.
    public func blocked() async throws -> [BlockedAccount] {
        try await call(API.curations.blocked)
    }

    /// Drops the messages of an account, and hides its listings, from now on.
    public func block(_ request: BlockRequest) async throws -> BlockedAccount {
        try await call(API.curations.block, request)
    }

    /// Lets a blocked account write again.
    public func unblock(_ account: String) async throws {
        try await call(API.curations.unblock, at: account)
    }

    /// Returns the last messages of a conversation, oldest first.
    ///
    /// At most `limit`, which is at most 100; if `before` is given, only those before that message.
    public func messages(
        of conversation: String,
        limit: Int = 20,
        before: String? = nil
    ) async throws -> [Message] {
        let page: Page<Message> = try await call(
            API.conversations.messages,
            at: conversation,
            query: [Query.limit(limit), Query.before(before)]
        )
        return page.items
    }

    /// Seals a text for the other side and sends it; returns before it arrives.
    public func send(
        _ draft: MessageDraft,
        to conversation: String,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Message {
        try await call(API.conversations.send, at: conversation, draft, key: key)
    }

    /// Tells the other side that a message and all that arrived before it were read.
    public func markRead(conversation: String, through message: String) async throws {
        try await call(
            API.conversations.markRead,
            at: conversation,
            ReadThrough(message: message)
        )
    }

    /// Returns the account's devices, the newest certificate first.
    public func devices() async throws -> [Device] { try await call(API.homes.devices) }

    /// Revokes a device of the account, which can then neither send nor fetch mail.
    ///
    /// - Parameter id: Its id, or the first digits of the id.
    /// - Throws: ``Problem`` with `not_found`, `ambiguous_id` or `not_allowed`, ``ClientError``.
    public func revoke(device id: String) async throws {
        try await call(API.homes.revoke, at: id)
    }

    /// Returns the nodes that keep mail for the account.
    public func homes() async throws -> [Home] { try await call(API.homes.list) }

    /// Asks a node to keep mail for the account.
    public func addHome(_ request: HomeRequest) async throws -> Home {
        try await call(API.homes.add, request)
    }

    /// Removes a node from those that keep the account's mail.
    ///
    /// - Parameter peer: Its peer id, or a prefix of the id.
    /// - Throws: ``Problem`` with `not_found` or `not_allowed`, ``ClientError``.
    public func removeHome(_ peer: String) async throws {
        try await call(API.homes.remove, at: peer)
    }
}
