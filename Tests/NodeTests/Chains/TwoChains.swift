import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Setup
import Support
import Testing
import Trade
import TradeSupport

/// A node on two development chains, each with a market of its own, and two people with money on both.
///
/// The first chain has base fees and calls its money ETH; the second one has a gas price alone and
/// calls it KAIA. The same account has deployed both markets by the same steps, so that their
/// contracts have the same addresses.
struct TwoChains: Sendable {
    static let secondID: UInt64 = 1_001

    let first: MarketHarness
    let second: MarketHarness

    /// Deploys both markets.
    static func scoped(_ body: (TwoChains) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await MarketHarness.scoped { first in
            try await MarketHarness.scoped(
                arguments: [
                    "--chain-id", "\(secondID)", "--legacy-fees", "--state",
                    folder.path("second.sqlite"),
                ]
            ) { second in
                try await body(TwoChains(first: first, second: second))
            }
        }
    }

    /// Runs a node on both chains while `body` works with it.
    ///
    /// It waits for the first chain only.
    func run(
        in folder: TemporaryFolder,
        _ body: @escaping @Sendable (TwoChainNode) async throws -> Void
    ) async throws {
        var settings: [String: String] = [:]
        let groups = [("chain", first), ("chains.\(Self.secondID)", second)]
        for (group, harness) in groups {
            let file = "\(group).json"
            try Data(harness.market.json).write(to: folder.url.appending(path: file))
            settings[group + ".rpc"] = harness.dev.endpoint.url
            settings[group + ".deployment"] = folder.path(file)
            settings[group + ".confirmations"] = "\(MarketHarness.confirmations)"
            settings[group + ".pollMilliseconds"] = "50"
        }
        settings["chain.id"] = "\(first.market.chain.number)"
        settings["chains.\(Self.secondID).explorer"] = "https://kaia.example/tx/{transaction}"
        try await TestNode.run(in: folder.path, flags: settings) { node in
            let (ana, bo) = (try await node.signIn("ana"), try await node.signIn("bo"))
            let running = TwoChainNode(node: node, chains: self, ana: ana, bo: bo)
            try await running.ready(first.market.chain.number)
            try await running.fund(first)
            try await body(running)
        }
    }
}

/// The running node.
struct TwoChainNode: Sendable {
    let node: TestNode
    let chains: TwoChains
    let ana: Session
    let bo: Session

    var firstID: UInt64 { chains.first.market.chain.number }
    var secondID: UInt64 { TwoChains.secondID }

    /// Lends a client that asks in someone's name.
    func asking<Value: Sendable>(
        _ session: Session,
        _ body: (StoaClient) async throws -> Value
    ) async throws -> Value {
        let address = try NodeAddress(text: node.running.api)
        return try await StoaClient.scoped(address, token: session.token, body)
    }

    /// Waits until the node follows a chain.
    func ready(_ chain: UInt64) async throws {
        try await health(of: chain) { $0 == "ready" }
    }

    /// Waits until a chain's health is as it must be.
    func health(of chain: UInt64, _ condition: (String) -> Bool) async throws {
        try await asking(ana) { client in
            try await waitUntil {
                try await condition(client.chains().first { $0.chain == chain }?.health ?? "")
            }
        }
    }

    /// Gives both people ten of a chain's own money, if they have none.
    func fund(_ harness: MarketHarness) async throws {
        let chain = harness.market.chain.number
        for session in [ana, bo] {
            try await asking(session) { client in
                guard try await client.wallet(chain: chain).balances.first?.amount == "0" else {
                    return
                }
                try await harness.dev.fund(try Address(text: session.account.address))
                try await client.waitUntilFunded(on: chain)
            }
        }
    }

    /// Puts Ana's bicycle up for sale on a chain, and returns the finished operation.
    func list(on chain: UInt64, title: String = "Red bicycle") async throws -> Client.Operation {
        try await asking(ana) { client in
            var content = MarketNode.bicycle
            (content.title, content.chain) = (title, chain)
            // One thing is sold on one chain.
            content.identifier += " \(chain)"
            return try await client.follow(try await client.list(content)) { _ in }
        }
    }

    /// Lets Bo buy it, and returns the finished operation.
    func buy(_ listing: String) async throws -> Client.Operation {
        try await asking(bo) { client in
            let purchase = Purchase(listing: listing, shipTo: "DE")
            // The purchase waits until the listing's sale is final.
            return try await waitFor {
                do {
                    return try await client.follow(try await client.buy(purchase)) { _ in }
                } catch let problem as Problem where problem.code == "not_final_yet" {
                    return nil
                }
            }
        }
    }
}
