import ArgumentParser
import Client

/// The command `stoa home …`.
struct HomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Manage homes: nodes that keep the account's mail while its own node is offline.",
        subcommands: [Add.self, List.self, Remove.self]
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Ask another node to keep mail for the account."
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var consent: ConsentOptions
        @Argument(help: "The node's multiaddr, which ends in /p2p/<peer id>.") var address: String

        func run() async throws {
            try await options.asAccount { node in
                try consent.obtain(
                    for: "Add this home?",
                    showing: "Your profile, which is signed and public, will name that node. The "
                        + "node keeps your sealed mail and sees who writes to you and when. This "
                        + "costs nothing.",
                    asJSON: options.json
                )
                let home = try await node.addHome(HomeRequest(address: address))
                try options.output.show(home) { HomeCommand.list([$0]) }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Show the account's homes."
        )

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.asAccount { node in
                try options.output.show(try await node.homes(), HomeCommand.list)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Stop using another node as a home for your mail.",
            discussion: """
                Your node fetches the mail from there once more. Mail that is sent there later, by \
                people who have not seen the change yet, is lost.
                """
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var consent: ConsentOptions
        @Argument(help: "The home: its peer id, the beginning of it, or its address.")
        var peer: String

        func run() async throws {
            try await options.asAccount { node in
                try consent.obtain(
                    for: "Remove this home?",
                    showing: "Your profile, which is signed and public, will no longer name that "
                        + "node. Mail that waits there is fetched once more. This costs nothing.",
                    asJSON: options.json
                )
                try await node.removeHome(peer)
                try options.output.show(try await node.homes(), HomeCommand.list)
            }
        }
    }

    static func list(_ homes: [Home]) -> String {
        var table = TextTable("peer", "until", "address")
        for home in homes {
            let peer = home.isThisNode ? home.peer + " (this node)" : home.peer
            table.add(peer, TimeText.text(home.until), home.address)
        }
        return table.text(orElse: "No homes.")
    }
}
