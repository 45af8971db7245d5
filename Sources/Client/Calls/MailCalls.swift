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
        .about(
            "List the account's received reports, newest first; sent=true lists its own."
        )
        .taking(Query.sent, Query.limit, Query.after)
        .failing(.locked)
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

extension Set<ProblemCode> {
    fileprivate static var curation: Self { [.badAddress, .unknownListing, .notAllowed] }
}
