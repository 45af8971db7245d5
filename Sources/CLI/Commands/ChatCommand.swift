import ArgumentParser
import Client
import Foundation

/// The command `stoa chat …`.
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Send and read sealed messages.",
        subcommands: [
            Open.self, List.self, Requests.self, Accept.self, Show.self, Send.self, Delete.self,
            Block.self, Unblock.self, Blocked.self, ChatWatch.self,
        ]
    )

    struct Open: AccountCall {
        static let configuration = command("Start a conversation, or show the existing one.")
        static let examples = [
            "chat open bob", "chat open --listing bicycle --message 'Is it still there?'",
        ]

        @Argument(help: "The other side's address or name. With --listing, defaults to its seller.")
        var with: String?
        @Option(help: "The listing it is about: its id, or words from its title.")
        var listing: String?
        @Option(help: "A first message to send.") var message: String?
        @Flag(name: .shortAndLong, help: "Send the message without asking.") var yes = false
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard with != nil || listing != nil else {
                throw ValidationError("Name an account, or give --listing to write to its seller.")
            }
            guard message.map({ $0.contains { !$0.isWhitespace } }) ?? true else {
                throw ValidationError(
                    "The message is empty. Write something, or leave out --message."
                )
            }
        }

        func call(_ node: StoaClient) async throws {
            var about: Listing?
            if let listing {
                let found = try await node.listing(listing)
                // Words of a title can match another seller's listing, so the seller is shown
                // before anything is sent.
                if with == nil, !options.json {
                    Terminal.warn(ListingText.seller(of: found, await Names.of(node)))
                }
                about = found
            }
            try confirm(to: about)
            let opening = ConversationOpening(with: with ?? about?.author ?? "", listing: about?.id)
            let conversation = try await node.openConversation(opening)
            guard let message else {
                let names = await options.names(of: node)
                return try options.output.show(conversation) {
                    "Conversation \($0.id) with \(names.text($0.with))"
                }
            }
            let sent = try await node.send(MessageDraft(text: message), to: conversation.id)
            let names = await options.names(of: node, own: sent.sender)
            try options.output.show(sent) { ChatText.line($0, names) }
        }

        /// Asks before the message is sent, if `--listing` alone chose the recipient.
        private func confirm(to listing: Listing?) throws {
            guard message != nil, with == nil, let listing, !yes else { return }
            try Terminal.confirm("Send it to \(listing.author)?", orElse: "Nothing was sent.")
        }
    }

    struct List: AccountCall {
        static let configuration = command("Show your conversations, newest first.")
        static let examples = ["chat list"]

        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let page = try await node.conversations(limit: paging.limit, after: paging.after)
            var names = await options.names(of: node)
            for talk in page.items { names.add(profile: talk.profile?.name, of: talk.with) }
            let shown = names
            let requests = try await node.conversations(requests: true, limit: 1)
            try options.output.show(page) {
                ChatText.page($0, shown) + (requests.items.isEmpty ? "" : ChatText.requestsHint)
            }
        }
    }

    struct Show: AccountCall {
        static let configuration = command(
            "Show a conversation, and tell the other side that you have read it."
        )
        static let examples = ["chat show bob"]

        @Argument(help: .conversation) var conversation: String
        @Option(parsing: .unconditional, help: "How many to show, at most 100.") var limit = 20
        @Option(help: "Show messages before this one: copy the value from the first line.")
        var before: String?
        @Flag(help: "Do not tell the other side that you have read it.") var keepUnread = false
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let (conversation, messages) = try await ChatNewest.find(
                self.conversation,
                node,
                options.output
            ) { try await node.messages(of: $0, limit: limit, before: before) }
            let own = options.json ? nil : try await node.currentAccount().address
            let names = await options.names(of: node, own: own)
            try options.output.show(messages) { ChatText.talk($0, limit: limit, names) }
            if let last = lastRead(in: messages) {
                try await node.markRead(conversation: conversation, through: last.id)
            }
        }

        /// Returns the message up to which the conversation is read after showing `messages`: the
        /// one that arrived last; `nil` if nothing is to be marked as read.
        func lastRead(in messages: [Message]) -> Message? {
            // An earlier page leaves out the newest messages, which may be unread.
            guard !keepUnread, before == nil, messages.contains(where: { $0.state == "received" })
            else { return nil }
            // Of those that arrived at once, the ids count on.
            return messages.max {
                ($0.arrivedAt, $0.id.count, $0.id) < ($1.arrivedAt, $1.id.count, $1.id)
            }
        }
    }

    struct Send: AccountCall {
        static let configuration = command(
            "Send a message. The other side's homes keep it until it is fetched."
        )
        static let examples = ["chat send bob 'Does it have lights?'"]

        @Argument(help: .conversation) var conversation: String
        @Argument(help: "The message.") var text: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            if !options.json { try ActingAccount.confirmSending() }
            let draft = MessageDraft(text: text)
            let (_, message) = try await ChatNewest.find(conversation, node, options.output) {
                try await node.send(draft, to: $0)
            }
            let names = await options.names(of: node, own: message.sender)
            try options.output.show(message) { ChatText.line($0, names) }
        }
    }
}

/// The command `stoa chat watch`.
struct ChatWatch: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print messages and receipts as they arrive, until interrupted with Ctrl-C."
    )
    static let examples = ["chat watch", "chat watch bob"]

    @Argument(help: "One conversation, by id or by the other side's name. Defaults to all.")
    var conversation: String?
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        // A node that does not answer ends the command now; later on the command waits for it.
        _ = try await node.currentAccount()
        let names = await options.names(of: node)
        var events = node.events().telling(EventText.away).makeAsyncIterator()
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

/// Formats conversations and messages as text.
enum ChatText {
    static let requestsHint = "\nYou have messages from new people. See them: stoa chat requests"

    static func page(
        _ page: Page<Conversation>,
        _ names: Names = .none,
        orElse none: String = "No conversations."
    ) -> String {
        var table = TextTable("unread", "with", "about", "conversation", "last")
        for conversation in page.items {
            table.add(
                String(conversation.unread),
                names.text(conversation.with),
                conversation.title ?? conversation.listing.map(IDText.short) ?? "",
                IDText.cell(conversation.id),
                conversation.lastMessage.map(content(of:)) ?? ""
            )
        }
        return table.text(orElse: none) + page.more
    }

    /// Formats a page of a conversation; a full page starts with a hint how to see earlier ones.
    static func talk(_ messages: [Message], limit: Int, _ names: Names = .none) -> String {
        guard let first = messages.first else { return "No messages." }
        let lines = messages.map { line($0, names) }.joined(separator: "\n")
        return messages.count < limit ? lines : "Earlier: --before \(first.id)\n" + lines
    }

    static func line(_ message: Message, _ names: Names = .none) -> String {
        let head = "\(TimeText.text(message.sentAt))  \(names.short(message.sender))"
        let text = "\(head)  \(DisplayText.setIn(content(of: message)))"
        return text + "  [\(state(of: message))]"
    }

    /// Returns a message's text, or instructions for reading a message of another kind.
    static func content(of message: Message) -> String {
        switch message.kind {
        case "text": message.text
        case "report": "Report: " + message.text
        case "address" where message.text.isEmpty:
            "(the delivery address; 'stoa sale show' shows it while it is needed)"
        case "address": "Delivery address: " + message.text
        case "note": "Note with a move in the sale\(pictures(of: message)): " + message.text
        case "work": "(the key of the file '\(message.text)'; get it with 'stoa sale work')"
        case "offer": "(an offer to buy at another price; 'stoa sale offers' shows what stands)"
        case "exception": "(the seller's exception from shipping limits; void if others send it)"
        default: "(needs a newer version of Stoa)"
        }
    }

    private static func pictures(of message: Message) -> String {
        guard let count = message.pictures else { return "" }
        return ", with \(count == 1 ? "one picture" : "\(count) pictures") ('stoa sale pictures')"
    }

    /// Describes a message's state, such as `sent, held by 1 home`, and when it arrived, if that
    /// was a minute or more after it was sent.
    static func state(of message: Message) -> String {
        let isLate = message.arrivedAt.timeIntervalSince(message.sentAt) >= 60
        return delivery(of: message)
            + (isLate ? ", arrived " + TimeText.text(message.arrivedAt) : "")
    }

    private static func delivery(of message: Message) -> String {
        if let problem = message.problem { return "\(message.state): \(problem)" }
        if message.state == "not_understood" {
            return "delivered, the other side needs a newer version of Stoa"
        }
        guard message.state == "sent", message.heldBy > 0 else { return message.state }
        return "sent, held by \(message.heldBy) \(message.heldBy == 1 ? "home" : "homes")"
    }
}
