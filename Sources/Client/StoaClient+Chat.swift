import NIOHTTP1

extension StoaClient {
    /// Opens a conversation, or finds the one there is.
    public func openConversation(_ opening: ConversationOpening) async throws -> Conversation {
        try await post("conversations", opening)
    }

    /// The account's conversations, the latest changed first; with `requests` those that strangers
    /// began and that are not answered.
    ///
    /// At most `limit`, which is 100 at most, behind the ``Page/next`` of the page before.
    public func conversations(
        requests: Bool = false,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Conversation> {
        try await get(
            "conversations",
            [
                ("requests", requests ? "true" : nil), ("limit", String(limit)),
                ("after", after),
            ]
        )
    }

    /// Takes the messages of a conversation's other side as a known sender's.
    public func accept(conversation: String) async throws {
        try await post("conversations/\(try Call.part(conversation))/accept")
    }

    /// Deletes a conversation with all its messages, for this account on this node.
    public func delete(conversation: String) async throws {
        let path = "conversations/\(try Call.part(conversation))"
        try await exchange.perform(try call(.DELETE, path, nil, nil))
    }

    /// Accounts whose messages are dropped, the latest blocked first.
    public func blocked() async throws -> [BlockedAccount] { try await get("blocked") }

    /// Drops the messages of an account from now on.
    public func block(_ request: BlockRequest) async throws -> BlockedAccount {
        try await post("blocked", request)
    }

    /// Lets a blocked account write again.
    public func unblock(_ account: String) async throws {
        try await exchange.perform(
            try call(.DELETE, "blocked/\(try Call.part(account))", nil, nil)
        )
    }

    /// The last messages of a conversation, the oldest of them first.
    ///
    /// At most `limit`, which is 100 at most; only those before the message `before`, where given.
    public func messages(
        of conversation: String,
        limit: Int = 20,
        before: String? = nil
    ) async throws -> [Message] {
        let page: Page<Message> = try await get(
            "conversations/\(try Call.part(conversation))/messages",
            [("limit", String(limit)), ("before", before)]
        )
        return page.items
    }

    /// Seals a text for the other side and sends it on its way; it returns before it arrives.
    public func send(
        _ draft: MessageDraft,
        to conversation: String,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Message {
        try await post("conversations/\(try Call.part(conversation))/messages", draft, key: key)
    }

    /// Tells the other side that everything in the conversation was read.
    public func markRead(conversation: String) async throws {
        try await post("conversations/\(try Call.part(conversation))/read")
    }

    /// The nodes that keep mail for the account.
    public func homes() async throws -> [Home] { try await get("homes") }

    /// Asks a node to keep mail for the account.
    public func addHome(_ request: HomeRequest) async throws -> Home {
        try await post("homes", request)
    }

    /// Has a node keep the account's mail no longer.
    ///
    /// - Parameter peer: Its peer id, or the beginning of it.
    /// - Throws: ``Problem`` with `not_found` or `not_allowed`, ``ClientError``.
    public func removeHome(_ peer: String) async throws {
        try await exchange.perform(
            try call(.DELETE, "homes/\(try Call.part(peer))", nil, nil)
        )
    }
}
