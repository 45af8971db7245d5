import ArgumentParser
import Client
import Mail
import Setup

/// The command `stoa home …`.
struct HomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Manage homes: nodes that keep the account's mail while its own node is offline.",
        subcommands: [Add.self, List.self, Remove.self]
    )

    struct Add: AccountCall {
        static let configuration = command("Ask another node to keep mail for the account.")
        static let examples = [
            "home add /ip4/192.0.2.1/tcp/4001/p2p/"
                + "16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"
        ]

        @Argument(help: "The node's multiaddr, which ends in /p2p/<peer id>.") var address: String
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try HomeCommand.check(adding: address, to: try await node.homes())
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

    struct List: AccountCall {
        static let configuration = command("Show the account's homes.")
        static let examples = ["home list"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.homes(), HomeCommand.list)
        }
    }

    struct Remove: AccountCall {
        static let configuration = command(
            "Stop using another node as a home for your mail.",
            discussion: """
                Your node fetches its mail from there one last time. Mail that people send there \
                later, before they have seen the change, is lost.
                """
        )
        static let examples = ["home remove 16Uiu2HAkvqcs"]

        @Argument(help: "The home: its peer id, the beginning of the id, or its address.")
        var peer: String
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try HomeCommand.check(removing: peer, of: try await node.homes())
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

    /// Refuses input that the node would refuse, before the person is asked.
    ///
    /// - Throws: ``Failure`` if the text is not another node's address.
    static func check(adding address: String, to homes: [Home]) throws {
        guard let peer = HomeService.peer(in: address),
            !homes.contains(where: { $0.isThisNode && $0.peer == peer })
        else {
            throw Failure(
                .usage,
                "Give another node's address, such as /ip4/10.0.0.3/tcp/4001/p2p/16Uiu2….",
                problem: ProblemCode.malformedValue.rawValue
            )
        }
    }

    /// Refuses input that the node would refuse, before the person is asked.
    ///
    /// - Throws: ``Failure`` for this node, for a home that the account does not have, and for a
    ///   prefix of several homes' ids.
    static func check(removing text: String, of homes: [Home]) throws {
        let peer = HomeService.peerID(of: text)
        let named = homes.filter { !peer.isEmpty && $0.peer.hasPrefix(peer) }
        guard !named.isEmpty else {
            throw Failure(
                .refused,
                "This account has no home \(text.quoted). 'stoa home list' shows its homes.",
                problem: ProblemCode.notFound.rawValue
            )
        }
        guard named.count == 1 else {
            throw Failure(
                .usage,
                "Several homes' ids begin with \(text.quoted): "
                    + named.map(\.peer).joined(separator: ", ") + ". Give more characters.",
                problem: ProblemCode.ambiguousID.rawValue
            )
        }
        guard !named[0].isThisNode else {
            throw Failure(
                .notAllowed,
                "This node keeps the mail of its own accounts; it cannot be removed as a home.",
                problem: ProblemCode.notAllowed.rawValue
            )
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
