import ArgumentParser
import Client

/// Commands for requests and contacts: `stoa chat requests`, `accept`, `delete`, `block`,
/// `unblock`, `blocked`.
extension ChatCommand {
    struct Requests: AccountCall {
        static let configuration = command(
            "Show first messages from people you do not know.",
            discussion: """
                Use the id of a request with 'stoa chat show', 'accept' or 'delete'; block its \
                sender with 'stoa chat block'.
                """
        )
        static let examples = ["chat requests"]

        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let page = try await node.conversations(
                requests: true,
                limit: paging.limit,
                after: paging.after
            )
            let names = await options.names(of: node)
            let none = "No requests. First messages from people you do not know wait here."
            try options.output.show(page) { ChatText.page($0, names, orElse: none) }
        }
    }

    struct Accept: AccountCall {
        static let configuration = command(
            "Accept a request without answering. The sender can see that you read it."
        )
        static let examples = ["chat accept 5d21ee07"]

        @Argument(help: .conversation) var conversation: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await node.accept(conversation: conversation)
            options.output.note("Accepted; answer with 'stoa chat send \(conversation)'.")
        }
    }

    struct Delete: AccountCall {
        static let configuration = command(
            "Delete a conversation from this node. The other side keeps its copy."
        )
        static let examples = ["chat delete bob", "chat delete 5d21ee07"]

        @Flag(name: .shortAndLong, help: "Delete without asking.") var yes = false
        @Argument(help: .conversation) var conversation: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            if !yes {
                try Terminal.confirm(
                    "Delete the conversation \(conversation) from this node for good?",
                    orElse: "Nothing was deleted."
                )
            }
            try await node.delete(conversation: conversation)
            options.output.note("The conversation is deleted from this node.")
        }
    }

    struct Block: AccountCall {
        static let configuration = command(
            """
            Block an account: its messages are discarded and its listings hidden. It is not \
            notified.
            """
        )
        static let examples = ["chat block bob"]

        @Argument(
            help: """
                The account's name or address; of one that asks to write, the first digits of its \
                address or of its request.
                """
        )
        var account: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let account = try await ShortIDs.requester(account, node)
            let blocked = try await node.block(BlockRequest(account: account))
            try options.output.show(blocked) { "\($0.account) is blocked." }
        }
    }

    struct Unblock: AccountCall {
        static let configuration = command("Unblock an account. It can write to you again.")
        static let examples = ["chat unblock bob"]

        @Argument(help: .account) var account: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await node.unblock(account)
            options.output.note("\(account) can write to you again.")
        }
    }

    struct Blocked: AccountCall {
        static let configuration = command("Show the accounts that you have blocked.")
        static let examples = ["chat blocked"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let names = await options.names(of: node)
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
