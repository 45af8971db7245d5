import Foundation
import GossipProtocol
import Keys
import Setup

/// The parts of a cluster, as stored in `cluster.json`.
package struct ClusterPlan: Codable, Hashable, Sendable {
    static let nodesMax = 32
    /// How many nodes a new cluster has by default.
    static let nodesStandard = 3

    /// One node.
    package struct Member: Codable, Hashable, Sendable {
        /// The node's number, from 1.
        package let number: Int
        package let folder: String
        package let listenPort: Int
        package let apiPort: Int
        package let healthPort: Int

        package var api: String { "http://127.0.0.1:\(apiPort)" }
        package var health: String { "http://127.0.0.1:\(healthPort)" }
        package var log: String { folder + ".log" }
    }

    /// The chain that the nodes trade on.
    package struct Chain: Codable, Hashable, Sendable {
        package let id: UInt64
        package let endpoint: String
        /// The command that started it, with port and state; `nil` for a chain that runs anyway.
        ///
        /// Only serves to find the process. It is never run: a file must not decide which program
        /// is started.
        package let command: [String]?
    }

    package let chain: Chain
    package let members: [Member]

    /// Returns whether everything lies in the cluster's own folder.
    func isWithin(_ folder: String) -> Bool {
        let isChainWithin = chain.command.map {
            $0.suffix(2) == ["--state", ClusterPlan.chainState(in: folder)]
        }
        return isChainWithin != false && !members.isEmpty && members.count <= Self.nodesMax
            && members.enumerated().allSatisfy {
                $1.number == $0 + 1 && $1.folder == Self.folder(ofNode: $0 + 1, in: folder)
            }
    }

    static func folder(ofNode number: Int, in folder: String) -> String {
        "\(folder)/node-\(number)"
    }

    static func chainState(in folder: String) -> String { folder + "/chain.sqlite" }
}

extension ClusterPlan.Member {
    /// The arguments that run a node, after the name of the program.
    var arguments: [String] { ["node", "run", "--data", folder] }
}

extension ClusterPlan.Member {
    /// Returns the node's address among peers, with the peer id from the key in its folder.
    func multiaddr() throws -> String {
        let key = try DataFolder(path: folder).nodeKey()
        let peer = PeerIDText.text(of: HostKey(key.publicKey).peer)
        return "/ip4/127.0.0.1/tcp/\(listenPort)/p2p/\(peer)"
    }

    /// Returns the node's `stoa.yaml`.
    func settings(chain: ClusterPlan.Chain, deployment: String, bootstrap: [String]) -> String {
        ClusterPlan.settings(
            ports: (listenPort, apiPort, healthPort),
            chain: chain,
            deployment: deployment,
            bootstrap: bootstrap
        )
    }
}

extension ClusterPlan {
    /// Returns the settings of a node that joins from outside the cluster; it takes free ports.
    func settingsToJoin(deployment: String) throws -> String {
        Self.settings(
            ports: (0, 0, 0),
            chain: chain,
            deployment: deployment,
            bootstrap: [try members[0].multiaddr()]
        )
    }

    /// Returns settings in the form of `stoa.yaml`.
    ///
    /// Keystores are cheap to open, because they guard play money.
    fileprivate static func settings(
        ports: (listen: Int, api: Int, health: Int),
        chain: Chain,
        deployment: String,
        bootstrap: [String]
    ) -> String {
        let first = bootstrap.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            # Written by 'stoa cluster up'; 'stoa config show' lists every setting.
            network: local
            listen: ["/ip4/127.0.0.1/tcp/\(ports.listen)"]
            bootstrap: [\(first)]
            homes:
              accept: anyone
            api:
              port: \(ports.api)
            health:
              port: \(ports.health)
            chain:
              id: \(chain.id)
              rpc: ["\(chain.endpoint)"]
              deployment: "\(deployment)"
              confirmations: 3
              pollMilliseconds: 250
            keystore:
              scryptCost: 4096
            """ + "\n"
    }
}
