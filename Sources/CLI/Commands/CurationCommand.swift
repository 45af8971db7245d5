import ArgumentParser
import Client
import Setup

/// The command `stoa curation …`.
struct CurationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curation",
        abstract: "Publish and follow lists that hide listings.",
        subcommands: [
            List.self, Show.self, Hide.self, Unhide.self, Withdraw.self, Subscribe.self,
            Unsubscribe.self, Hidden.self,
        ]
    )

    /// The id of a list in the examples.
    static let exampleList =
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed." + String(repeating: "0f", count: 32)

    struct List: ReaderCall {
        static let configuration = command("Show the lists that the node has, newest first.")
        static let examples = ["curation list", "curation list --author anna"]

        @Option(help: "Only lists of this account, by name or address.") var author: String?
        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient, own: String?) async throws {
            let names = await options.names(of: node, own: own)
            let page = try await node.curations(
                author: author,
                limit: paging.limit,
                after: paging.after
            )
            try options.output.show(page) { CurationText.lists($0.items, names) + $0.more }
        }
    }

    struct Show: ReaderCall {
        static let configuration = command("Show what a list hides, and why.")
        static let examples = ["curation show \(CurationCommand.exampleList)"]

        @Argument(help: .curation) var list: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient, own: String?) async throws {
            let names = await options.names(of: node, own: own)
            let list = try await ShortIDs.curation(list, node)
            try options.output.show(try await node.curation(list)) {
                CurationText.list($0, names)
            }
        }
    }

    struct Withdraw: AccountCall {
        static let configuration = command(
            "Withdraw one of your lists, so that it no longer hides anything."
        )
        static let examples = ["curation withdraw \(CurationCommand.exampleList)"]

        @Argument(help: .curation) var list: String
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let own = try await node.currentAccount().address
            let id = try await ShortIDs.curation(list, by: own, node)
            let found = try await node.curation(id)
            try consent.obtain(
                for: "Withdraw the list \(found.name.quoted)?",
                showing:
                    "Everybody will see, signed by your account, that you have withdrawn the list "
                    + "\(found.name.quoted). This costs nothing.",
                asJSON: options.json
            )
            try await node.withdraw(curation: id)
            options.output.note("The list is withdrawn.")
        }
    }

    struct Subscribe: AccountCall {
        static let configuration = command("Follow a list: it hides listings from you only.")
        static let examples = ["curation subscribe \(CurationCommand.exampleList)"]

        @Argument(help: .curation) var list: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let list = try await ShortIDs.curation(list, node)
            let followed = try await node.subscribe(Subscription(list: list))
            try options.output.show(followed) { CurationText.list($0) }
        }
    }

    struct Unsubscribe: AccountCall {
        static let configuration = command("Stop following a list. What it hid is shown again.")
        static let examples = ["curation unsubscribe \(CurationCommand.exampleList)"]

        @Argument(help: .curation) var list: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await node.unsubscribe(try await ShortIDs.curation(list, node))
            options.output.note("You no longer follow this list.")
        }
    }

    struct Hidden: AccountCall {
        static let configuration = command("Show what is hidden from you, by whom and why.")
        static let examples = ["curation hidden"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let names = await options.names(of: node)
            try options.output.show(try await node.hidden()) {
                CurationText.hidden($0, names)
            }
        }
    }
}

extension ArgumentHelp {
    /// A list that hides, however a person names it.
    fileprivate static let curation: ArgumentHelp =
        "The list: its id, the first digits of the id, or its name."
}
