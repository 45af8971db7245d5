/// Conversations, contacts and reports.
package struct ConversationCalls: Sendable {
    package let open = APICall<ConversationOpening, Conversation>(.post, "conversations")
        .about("Open a conversation.")
        .created
        .failing(.recipient)
    package let list = APICall<NoBody, Page<Conversation>>(.get, "conversations")
        .about(
            "List the account's conversations, most recently changed first; requests=true "
                + "lists those that strangers began and that are not answered."
        )
        .taking(Query.requests, Query.limit, Query.after)
        .failing(.locked)
    package let delete = APICall<NoBody, NoBody>(.delete, "conversations/{id}")
        .about("Delete a conversation.")
        .failing(.locked, [.unknownConversation])
    package let accept = APICall<NoBody, NoBody>(.post, "conversations/{id}/accept")
        .about("Accept a conversation: its other side becomes a known sender.")
        .failing(.locked, [.unknownConversation, .notAllowed])
    package let messages = APICall<NoBody, Page<Message>>(.get, "conversations/{id}/messages")
        .about("List the messages before the given one, newest last; 'next' is the next 'before'.")
        .taking(Query.limit, Query.before)
        .failing(.locked, [.unknownConversation])
    package let send = APICall<MessageDraft, Message>(.post, "conversations/{id}/messages")
        .about("Send a message.")
        .created.once
        .failing(.recipient, [.unknownConversation, .messageTooLong])
    package let markRead = APICall<ReadThrough, NoBody>(.post, "conversations/{id}/read")
        .about("Mark a message as read, and all that arrived before it.")
        .failing(.locked, [.unknownConversation])
    package let report = APICall<ReportDraft, Report>(.post, "reports")
        .about(
            "Report a listing, a review or an account to the account that the node's operator "
                + "names, or tell it something about the node, as sealed mail."
        )
        .created.once
        .failing(.recipient, [.reportsNotTaken, .notFound])
    package let reports = APICall<NoBody, Page<Report>>(.get, "reports")
        .about("List the account's received reports, newest first; sent=true lists its own.")
        .taking(Query.sent, Query.limit, Query.after)
        .failing(.locked)
}

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

    /// Deletes a conversation with all its messages, for this account on this node.
    public func delete(conversation: String) async throws {
        try await call(API.conversations.delete, at: conversation)
    }

    /// Treats the messages of a conversation's other side as a known sender's from now on.
    public func accept(conversation: String) async throws {
        try await call(API.conversations.accept, at: conversation)
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
        try await call(API.conversations.markRead, at: conversation, ReadThrough(message: message))
    }

    /// Reports a listing, a review or an account to the operator of the node, as sealed mail.
    public func report(
        _ draft: ReportDraft,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Report {
        try await call(API.conversations.report, draft, key: key)
    }

    /// Returns one page of the reports that the account got, or with `sent` of those it sent, the
    /// latest first.
    ///
    /// At most `limit` reports, which is at most 100, after the ``Page/next`` of the page before.
    public func reports(
        sent: Bool = false,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Report> {
        try await call(
            API.conversations.reports,
            query: [Query.sent(sent), Query.limit(limit), Query.after(after)]
        )
    }
}

/// The nodes and devices that have the account's mail.
package struct HomeCalls: Sendable {
    package let list = APICall<NoBody, [Home]>(.get, "homes")
        .about("List nodes that keep the account's mail.")
        .failing(.locked)
    package let add = APICall<HomeRequest, Home>(.post, "homes")
        .about("Ask a node to keep the account's mail.")
        .created
        .failing(.locked, [.homeRefused, .peerUnreachable, .badAddress, .clockWrong])
    package let remove = APICall<NoBody, NoBody>(.delete, "homes/{id}")
        .about("Stop a node, named by its peer id, from keeping the account's mail.")
        .failing(.locked, [.notAllowed, .clockWrong])
    package let devices = APICall<NoBody, [Device]>(.get, "devices")
        .about("List the account's devices.")
        .failing(.locked)
    package let revoke = APICall<NoBody, NoBody>(.delete, "devices/{id}")
        .about("Revoke a device of the account for good.")
        .failing(.locked, [.notAllowed])
}

extension StoaClient {
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

    /// Returns the account's devices, the newest certificate first.
    public func devices() async throws -> [Device] { try await call(API.homes.devices) }

    /// Revokes a device of the account, which can then neither send nor fetch mail.
    ///
    /// - Parameter id: Its id, or the first digits of the id.
    /// - Throws: ``Problem`` with `not_found`, `ambiguous_id` or `not_allowed`, ``ClientError``.
    public func revoke(device id: String) async throws {
        try await call(API.homes.revoke, at: id)
    }
}

/// Blocked accounts, and lists that hide listings from those who follow them.
package struct CurationCalls: Sendable {
    package let list = APICall<NoBody, Page<Curation>>(.get, "curations", .reader)
        .about("List the lists that hide listings, newest first: all here, or an author's.")
        .taking(Query.author, Query.limit, Query.after)
        .failing([.badAddress])
    package let curation = APICall<NoBody, Curation>(.get, "curations/{id}", .reader)
        .about("Get a list.")
    package let publish = APICall<CurationDraft, Curation>(.post, "curations")
        .about("Publish a list; it replaces the account's earlier one of the same name.")
        .created
        .failing(.curation, .locked, [.clockWrong])
    package let preview = APICall<CurationDraft, ActionPreview>(
        preview: "curations",
        of: "publishing a list"
    )
    .failing(.curation)
    package let withdraw = APICall<NoBody, NoBody>(.delete, "curations/{id}")
        .about("Withdraw one of the account's lists.")
        .failing(.locked, [.notAllowed, .clockWrong])
    package let followed = APICall<NoBody, [Curation]>(.get, "subscriptions")
        .about("List the lists that the account follows.")
    package let follow = APICall<Subscription, Curation>(.post, "subscriptions")
        .about("Follow a list: it hides listings from the account.")
        .created
        .failing([.notFound, .notAllowed])
    package let unfollow = APICall<NoBody, NoBody>(.delete, "subscriptions/{id}")
        .about("Stop following a list.")
    package let hidden = APICall<NoBody, [HiddenEntry]>(.get, "hidden")
        .about("List the listings and accounts hidden from the account, by whom and why.")
    package let blocked = APICall<NoBody, [BlockedAccount]>(.get, "blocked")
        .about("List blocked accounts.")
        .failing(.locked)
    package let block = APICall<BlockRequest, BlockedAccount>(.post, "blocked")
        .about("Block an account: its messages are dropped, and its listings are hidden.")
        .created
        .failing(.locked, [.badAddress])
    package let unblock = APICall<NoBody, NoBody>(.delete, "blocked/{id}")
        .about("Unblock an account.")
        .failing(.locked, [.badAddress])
}

extension StoaClient {
    /// Returns one page of the lists that the node has, or of one author's, the latest first.
    public func curations(
        author: String? = nil,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Curation> {
        try await call(
            API.curations.list,
            query: [Query.author(author), Query.limit(limit), Query.after(after)]
        )
    }

    /// Returns a list with its entries.
    public func curation(_ id: String) async throws -> Curation {
        try await call(API.curations.curation, at: id)
    }

    /// Publishes a list, instead of the account's earlier one of the same name.
    public func publish(_ draft: CurationDraft) async throws -> Curation {
        try await call(API.curations.publish, draft)
    }

    /// Returns what publishing the list would sign.
    public func preview(_ draft: CurationDraft) async throws -> ActionPreview {
        try await call(API.curations.preview, draft)
    }

    /// Withdraws an own list.
    public func withdraw(curation id: String) async throws {
        try await call(API.curations.withdraw, at: id)
    }

    /// Returns the lists that the account follows.
    public func subscriptions() async throws -> [Curation] {
        try await call(API.curations.followed)
    }

    /// Follows a list: from now on it hides listings from the account.
    public func subscribe(_ subscription: Subscription) async throws -> Curation {
        try await call(API.curations.follow, subscription)
    }

    /// Stops following a list.
    public func unsubscribe(_ list: String) async throws {
        try await call(API.curations.unfollow, at: list)
    }

    /// Returns the listings hidden from the account, by whom and why.
    public func hidden() async throws -> [HiddenEntry] {
        try await call(API.curations.hidden)
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
}

extension Set<ProblemCode> {
    fileprivate static var curation: Self { [.badAddress, .unknownListing, .notAllowed] }
}
