import ArgumentParser
import Client

/// Whom an account hears from: `stoa chat requests`, `accept`, `delete`, `block`, `unblock`,
/// `blocked`.
extension ChatCommand {
    struct Requests: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "requests",
            abstract:
                "Show messages from people you do not know yet: accept, delete or block them by their id."
        )

        @OptionGroup var options: CallOptions
        @Option(parsing: .unconditional, help: "How many, 100 at most.") var limit = 20
        @Option(help: "Continue after a previous page: copy the value from its last line.")
        var after: String?

        func run() async throws {
            try await options.asAccount { node in
                let page = try await node.conversations(
                    requests: true,
                    limit: limit,
                    after: after
                )
                let names = options.json ? .none : await Names.of(node)
                try options.output.show(page) { ChatText.page($0, names) }
            }
        }
    }

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract:
                "Accept a request without answering; the sender may then see that you have read it."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its id or the beginning of it, or the other side's name.")
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
            abstract: "Delete a conversation on this node; the other side keeps it."
        )

        @OptionGroup var options: CallOptions
        @Flag(name: .shortAndLong, help: "Delete without asking.") var yes = false
        @Argument(help: "Its id or the beginning of it, or the other side's name.")
        var conversation: String

        func run() async throws {
            try await options.asAccount { node in
                try confirm()
                try await node.delete(conversation: conversation)
                options.output.note("The conversation is deleted on this node.")
            }
        }

        private func confirm() throws {
            guard !yes else { return }
            guard Terminal.isInteractive else {
                throw Failure(.usage, "There is no terminal to ask on. Add --yes if you mean it.")
            }
            let question = "Delete the conversation \(conversation) on this node, for good?"
            guard Terminal.confirms(question) else {
                throw Failure(.usage, "Nothing was deleted.")
            }
        }
    }

    struct Block: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "block",
            abstract: "Block an account: its messages are discarded, and it is not told."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its address or name.") var account: String

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
            abstract: "Let an account write again."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its address or name.") var account: String

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
            abstract: "Show whom you have blocked."
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
