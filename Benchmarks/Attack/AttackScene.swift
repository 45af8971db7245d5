import Foundation
import GossipProtocol
import Keys
import Market

/// A node, two honest peers, and what an attacker has to be told.
struct AttackScene {
    let node: NodeUnderTest
    let pair: HonestPair
    /// How many peers the node is linked to when nobody attacks it.
    let peers: Int
    private let market: LocalMarket?
    private var target: AttackRun.Target

    init(folder: String, _ attack: Attack) throws {
        market =
            attack.isOfSeller ? try LocalMarket(folder: folder + "/market", nodes: 1) : nil
        try market?.list()
        let port = try Program.freePort()
        let apiPort = try Program.freePort()
        let network = market == nil ? "bench" : "local"
        let policy = attack.isOnSigningNetwork ? "strict-sign" : "strict-no-sign"
        node = try NodeUnderTest(
            folder: folder + "/node",
            network: network,
            listen: attack.isOnNewcomers ? "/ip6/::/tcp/\(port)" : "/ip4/0.0.0.0/tcp/\(port)",
            apiPort: apiPort,
            processor: 1,
            settings: """
                homes:
                  accept: anyone
                records:
                  stampTries: \(RecordAttacks.rules.triesPerKibibyte)
                gossip:
                  policy: \(policy)
                \(try market?.settingsOfPeer() ?? "")
                """
        )
        _ = try node.start()
        if market != nil { try node.waitForAnchoredRecord() }
        peers = market == nil ? 2 : 3
        guard let peer = try node.address().peer else {
            throw BenchmarkFault.ended("the name of the node")
        }
        let name = PeerIDText.text(of: peer)
        let topic = "/stoa/\(network)/\(market == nil ? 1 : 31_337)"
        target = AttackRun.Target(node: name, port: port, network: network, topic: topic)
        if attack.isAtMailbox { target.recipient = try BenchmarkAccount(port: apiPort).address }
        func address(_ host: String) -> Multiaddr? {
            Multiaddr(text: "/ip4/\(host)/tcp/\(port)/p2p/\(name)")
        }
        pair = try HonestPair(
            addresses: AttackNetwork.honest.compactMap(address),
            newcomers: attack.isOnNewcomers ? AttackNetwork.newcomers.compactMap(address) : [],
            network: network,
            topic: Topic(topic),
            rules: RecordAttacks.rules,
            policy: { attack.isOnSigningNetwork ? .strictSign($0) : .strictNoSign }
        )
    }

    /// Asks the node for the device of the account that is attacked, if there is one.
    mutating func findDevice() async throws {
        guard !target.recipient.isEmpty else { return }
        let account = try Address(text: target.recipient)
        for _ in 0..<100 {
            if let slot = try await pair.device(of: account) {
                target.device = slot.hex
                return
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw BenchmarkFault.notInTime("a device of the account that is attacked")
    }

    /// Starts the attacker.
    func attacker(_ attack: Attack, seconds: Int) throws -> AttackerProcess {
        let text = String(decoding: try JSONEncoder().encode(target), as: UTF8.self)
        return try AttackerProcess([attack.name, text, "\(seconds)"])
    }
}

/// The process that attacks.
final class AttackerProcess {
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: "/usr/bin/nice")
        process.arguments =
            ["-n", "19", CommandLine.arguments[0], Attacker.part] + arguments
        process.standardOutput = output
        try process.run()
    }

    /// Waits for its end, and answers how many units it did.
    func units() throws -> Int {
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(),
            as: UTF8.self
        )
        process.waitUntilExit()
        guard let units = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkFault.ended("the attacker")
        }
        return units
    }
}
