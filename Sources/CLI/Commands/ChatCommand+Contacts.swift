import ArgumentParser
import Client

/// Whom an account hears from: `stoa chat requests`, `accept`, `delete`, `block`, `unblock`,
/// `blocked`.
extension ChatCommand {
    struct Requests: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show who wrote to you for the first time; answer, accept, delete or block."
        )

        @OptionGroup var options: CallOptions
        @Option(parsing: .unconditional, help: "How many, 100 at most.") var limit = 20
        @Option(help: "Goes on behind a page; its last line says how.") var after: String?

        func run() async throws {
            try await options.asAccount { node in
                let page = try await node.conversations(
                    requests: true,
                    limit: limit,
                    after: after
                )
                try options.output.show(page, ChatText.page)
            }
        }
    }

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take the other side's messages without answering; it may see them read."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its id, from 'stoa chat requests'.") var conversation: String

        func run() async throws {
            try await options.asAccount { node in
                try await node.accept(conversation: conversation)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a conversation on this node; the other side keeps it."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its id, from 'stoa chat list' or 'requests'.") var conversation: String

        func run() async throws {
            try await options.asAccount { node in
                try await node.delete(conversation: conversation)
            }
        }
    }

    struct Block: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drop an account's messages from now on; it is not told."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its address.") var account: String

        func run() async throws {
            try await options.asAccount { node in
                let blocked = try await node.block(BlockRequest(account: account))
                try options.output.show(blocked) { "\($0.account) is blocked." }
            }
        }
    }

    struct Unblock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let an account write again."
        )

        @OptionGroup var options: CallOptions
        @Argument(help: "Its address.") var account: String

        func run() async throws {
            try await options.asAccount { node in try await node.unblock(account) }
        }
    }

    struct Blocked: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show whom you have blocked.")

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.asAccount { node in
                try options.output.show(try await node.blocked()) { blocked in
                    var table = TextTable("account", "since")
                    for entry in blocked { table.add(entry.account, TimeText.text(entry.since)) }
                    return table.text(orElse: "Nobody is blocked.")
                }
            }
        }
    }
}
