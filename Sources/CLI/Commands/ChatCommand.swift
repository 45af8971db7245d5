import ArgumentParser
import Client

/// The command `stoa chat …`.
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Sealed messages with another account.",
        subcommands: [
            Open.self, List.self, Requests.self, Accept.self, Show.self, Send.self, Delete.self,
            Block.self, Unblock.self, Blocked.self, ChatWatch.self,
        ]
    )

    struct Open: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract: "Begin a conversation, or find the one there is."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "The other side's address or name; of a listing its seller.")
        var with: String?
        @Option(help: "The listing it is about: its id, or words of its title.")
        var listing: String?
        @Option(help: "A text to send at once.") var message: String?
        @Flag(name: .shortAndLong, help: "Send it without asking.") var yes = false

        func validate() throws {
            guard with != nil || listing != nil else {
                throw ValidationError("Say with whom, or give --listing to ask its seller.")
            }
        }

        func run() async throws {
            try await options.asAccount { node in
                var about: Listing?
                if let listing {
                    let found = try await node.listing(listing)
                    // Words of a title may have found another's; nothing is sent before.
                    if with == nil, !options.json {
                        Terminal.warn(ListingText.seller(of: found, await Names.of(node)))
                    }
                    about = found
                }
                try confirm(to: about)
                let opening = ConversationOpening(
                    with: with ?? about?.author ?? "",
                    listing: about?.id
                )
                let conversation = try await node.openConversation(opening)
                guard let message else {
                    return try options.output.show(conversation) {
                        "Conversation \($0.id) with \($0.with)"
                    }
                }
                let sent = try await node.send(MessageDraft(text: message), to: conversation.id)
                try options.output.show(sent) { ChatText.line($0) }
            }
        }

        /// Asks before a text goes to the seller of a listing that words of a title have found.
        private func confirm(to listing: Listing?) throws {
            guard message != nil, with == nil, let listing, !yes else { return }
            guard Terminal.isInteractive else {
                throw Failure(.usage, "There is no terminal to ask on. Add --yes if you mean it.")
            }
            guard Terminal.confirms("Send it to \(listing.author)?") else {
                throw Failure(.usage, "Nothing was sent.")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Show your conversations, the latest first."
        )

        @OptionGroup var options: CallOptions
        @Option(parsing: .unconditional, help: "How many, 100 at most.") var limit = 20
        @Option(help: "Continue after a previous page: copy the value from its last line.")
        var after: String?

        func run() async throws {
            try await options.asAccount { node in
                let page = try await node.conversations(limit: limit, after: after)
                let names = options.json ? .none : await Names.of(node)
                let requests = try await node.conversations(requests: true, limit: 1)
                try options.output.show(page) {
                    ChatText.page($0, names) + (requests.items.isEmpty ? "" : ChatText.requestsHint)
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a conversation, and tell the other side that you read it."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its id or the beginning of it, or the other side's name.")
        var conversation: String
        @Option(parsing: .unconditional, help: "How many, 100 at most.") var limit = 20
        @Option(help: "Only what came before a message; the first line says how.")
        var before: String?
        @Flag(help: "Do not tell the other side.") var keepUnread = false

        func run() async throws {
            try await options.asAccount { node in
                let messages = try await node.messages(
                    of: conversation,
                    limit: limit,
                    before: before
                )
                let names = options.json ? .none : await Names.of(node)
                try options.output.show(messages) { ChatText.talk($0, limit: limit, names) }
                if readsAll(by: messages) {
                    try await node.markRead(conversation: conversation)
                }
            }
        }

        /// Whether the other side may be told that all was read, now that these were shown.
        func readsAll(by messages: [Message]) -> Bool {
            // Behind an earlier page there may be what nobody has seen.
            !keepUnread && before == nil && messages.contains { $0.state == "received" }
        }
    }

    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "send",
            abstract: "Send a text; it waits at the other side's homes until it is fetched."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its id or the beginning of it, or the other side's name.")
        var conversation: String
        @Argument(help: "What to say.") var text: String

        func run() async throws {
            try await options.asAccount { node in
                let draft = MessageDraft(text: text)
                let message = try await node.send(draft, to: conversation)
                try options.output.show(message) { ChatText.line($0) }
            }
        }
    }
}

/// The command `stoa chat watch`.
struct ChatWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print messages and receipts as they arrive, until interrupted."
    )

    @OptionGroup var options: CallOptions
    @Argument(help: "One conversation; without it all of them.") var conversation: String?

    func run() async throws {
        try await options.asAccount { node in
            let names = options.json ? .none : await Names.of(node)
            var events = node.events().makeAsyncIterator()
            try await events.connect()
            var shown: [String: Message] = [:]
            for message in try await messages(node) { shown[message.id] = message }
            while let event = try await events.next() {
                guard ["message", "receipt", "gap"].contains(event.type) else { continue }
                for message in try await messages(node) where shown[message.id] != message {
                    shown[message.id] = message
                    try options.output.show(message) { ChatText.line($0, names) }
                }
            }
        }
    }

    private func messages(_ node: StoaClient) async throws -> [Message] {
        if let conversation { return try await node.messages(of: conversation, limit: 100) }
        var all: [Message] = []
        var after: String?
        for isRequest in [true, false] {
            repeat {
                let page = try await node.conversations(
                    requests: isRequest,
                    limit: 100,
                    after: after
                )
                for conversation in page.items {
                    all += try await node.messages(of: conversation.id, limit: 100)
                }
                after = page.next
            } while after != nil
        }
        return all
    }
}

/// Conversations and messages in words.
enum ChatText {
    static let requestsHint = "\nOthers wrote to you for the first time: stoa chat requests"

    static func page(_ page: Page<Conversation>, _ names: Names = .none) -> String {
        var table = TextTable("unread", "with", "conversation", "last")
        for conversation in page.items {
            table.add(
                String(conversation.unread),
                names.text(conversation.with),
                IDText.cell(conversation.id),
                conversation.lastMessage?.text ?? ""
            )
        }
        return table.text(orElse: "No conversations.") + page.more
    }

    /// What was asked for of a conversation; where it is as much as that, there may be more.
    static func talk(_ messages: [Message], limit: Int, _ names: Names = .none) -> String {
        guard let first = messages.first else { return "No messages." }
        let lines = messages.map { line($0, names) }.joined(separator: "\n")
        return messages.count < limit ? lines : "Earlier: --before \(first.id)\n" + lines
    }

    static func line(_ message: Message, _ names: Names = .none) -> String {
        let head = "\(TimeText.text(message.sentAt))  \(names.short(message.sender))"
        let text = "\(head)  \(DisplayText.setIn(message.text))"
        return text + "  [\(state(of: message))]"
    }

    /// Its state in words, such as `sent, held by 1 home`.
    static func state(of message: Message) -> String {
        if let problem = message.problem { return "\(message.state): \(problem)" }
        guard message.state == "sent", message.heldBy > 0 else { return message.state }
        return "sent, held by \(message.heldBy) \(message.heldBy == 1 ? "home" : "homes")"
    }
}
