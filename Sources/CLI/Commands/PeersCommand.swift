import ArgumentParser
import Client

/// The command `stoa peers …`.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Show the nodes that this node knows, and connect to others.",
        subcommands: [List.self, Connect.self]
    )

    struct List: LeafCommand {
        static let configuration = command("Show the node's peers.")
        static let examples = ["peers list"]

        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func run() async throws {
            try await options.asOperator { node in
                try options.output.show(try await node.peers(), PeersCommand.list)
            }
        }
    }

    struct Connect: LeafCommand {
        static let configuration = command("Connect to a peer by its address.")
        static let examples = [
            "peers connect /ip4/192.0.2.1/tcp/4001/p2p/"
                + "16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"
        ]

        @Argument(help: "The peer's multiaddr, which ends in /p2p/<peer id>.") var address: String
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func run() async throws {
            try await options.asOperator { node in
                let known = try await node.peers()
                let peer = try await node.connect(PeerAddress(address: address))
                if let link = known.first(where: { address.hasSuffix("/p2p/\($0.id)") }),
                    !uses(link)
                {
                    throw Failure(
                        .network,
                        "\(address) was not tried: the node was linked to this peer before, "
                            + "over \(link.addresses.joined(separator: " "))."
                    )
                }
                try options.output.show(peer) { PeersCommand.list([$0]) }
            }
        }

        /// Whether a link goes over the address, which may lack the peer's id there.
        private func uses(_ link: Peer) -> Bool {
            let place = address.replacing("/p2p/\(link.id)", with: "")
            return link.addresses.contains { $0 == address || $0 == place }
        }
    }

    static func list(_ peers: [Peer]) -> String {
        var table = TextTable("peer", "state", "missing here", "agent", "addresses")
        for peer in peers {
            table.add(
                peer.id,
                peer.isConnected ? peer.direction ?? "connected" : "away",
                peer.missing.map(String.init) ?? "?",
                peer.agent ?? "",
                peer.addresses.joined(separator: " ")
            )
        }
        return table.text(orElse: "No peers. Connect to one with: stoa peers connect ADDRESS")
    }
}
