import ArgumentParser
import Client

/// Commands for requests and contacts: `stoa chat requests`, `accept`, `delete`, `block`,
/// `unblock`, `blocked`.
extension ChatCommand {
    struct Requests: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "requests",
            abstract: "Show first messages from people you do not know.",
            discussion: """
                Use the id of a request with 'stoa chat show', 'accept' or 'delete'; block its \
                sender with 'stoa chat block'.
                """
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var paging: PageOptions

        func run() async throws {
            try await options.asAccount { node in
                let page = try await node.conversations(
                    requests: true,
                    limit: paging.limit,
                    after: paging.after
                )
                let names = options.json ? .none : await Names.of(node)
                let none = "No requests. First messages from people you do not know wait here."
                try options.output.show(page) { ChatText.page($0, names, orElse: none) }
            }
        }
    }

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract: "Accept a request without answering. The sender can see that you read it."
        )

        @OptionGroup var options: CallOptions
        @Argument(
            help: "The conversation: its id, the first digits of the id, or the other side's name."
        )
        var conversation: String

        func run() async throws {
            try await options.asAccount { node in
                try await node.accept(conversation: conversation)
                options.output.note("Accepted; answer with 'stoa chat send \(conversation)'.")
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a conversation from this node. The other side keeps its copy."
        )

        @OptionGroup var options: CallOptions
        @Flag(name: .shortAndLong, help: "Delete without asking.") var yes = false
        @Argument(
            help: "The conversation: its id, the first digits of the id, or the other side's name."
        )
        var conversation: String

        func run() async throws {
            try await options.asAccount { node in
                try confirm()
                try await node.delete(conversation: conversation)
                options.output.note("The conversation is deleted from this node.")
            }
        }

        private func confirm() throws {
            guard !yes else { return }
            guard Terminal.isInteractive else {
                throw Failure(.usage, "There is no terminal to answer on. Add --yes to confirm.")
            }
            let question = "Delete the conversation \(conversation) from this node for good?"
            guard Terminal.confirms(question) else {
                throw Failure(.usage, "Nothing was deleted.")
            }
        }
    }

    struct Block: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "block",
            abstract: """
                Block an account: its messages are discarded and its listings hidden. It is not \
                notified.
                """
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "The account's address or name.") var account: String

        func run() async throws {
            try await options.asAccount { node in
                let blocked = try await node.block(BlockRequest(account: account))
                try options.output.show(blocked) { "\($0.account) is blocked." }
            }
        }
    }

    struct Unblock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unblock",
            abstract: "Unblock an account. It can write to you again."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "The account's address or name.") var account: String

        func run() async throws {
            try await options.asAccount { node in
                try await node.unblock(account)
                options.output.note("\(account) can write to you again.")
            }
        }
    }

    struct Blocked: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "blocked",
            abstract: "Show the accounts that you have blocked."
        )

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.asAccount { node in
                let names = options.json ? .none : await Names.of(node)
                try options.output.show(try await node.blocked()) { blocked in
                    var table = TextTable("account", "since")
                    for entry in blocked {
                        table.add(names.text(entry.account), TimeText.text(entry.since))
                    }
                    return table.text(orElse: "Nobody is blocked.")
                }
            }
        }
    }
}
