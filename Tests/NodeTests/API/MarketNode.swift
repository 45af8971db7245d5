import Client
import Concurrency
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Setup
import Support
import Synchronization
import Trade
import TradeSupport

/// A whole node on a development chain of its own, and two people on it: Ana has ten ether, Bo has
/// none.
struct MarketNode: Sendable {
    /// What Ana sells.
    static let bicycle = ListingContent(
        title: "Red bicycle",
        description: "Ridden for two summers.",
        category: "vehicles",
        tags: ["bicycle"],
        price: Money(amount: "500000000000000000", currency: "native"),
        identifier: "WTU-123 456",
        shipsTo: ["DE", "FR"]
    )

    let node: TestNode
    let harness: MarketHarness
    let ana: Session
    let bo: Session
    private let counter = Counter()

    /// Counts what Ana lists; each thing has an identifier of its own.
    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                defer { count += 1 }
                return count
            }
        }
    }

    /// Runs a node on a new market while `body` works with it.
    static func run(_ body: @escaping @Sendable (MarketNode) async throws -> Void) async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await run(in: folder, on: harness, body)
        }
    }

    /// Runs a node on a market that is there, in a folder that may have been used before.
    static func run(
        in folder: TemporaryFolder,
        on harness: MarketHarness,
        flags: [String: String] = [:],
        clock: any WallClock = SystemWallClock(),
        _ body: @escaping @Sendable (MarketNode) async throws -> Void
    ) async throws {
        try Data(harness.market.json).write(to: folder.url.appending(path: "deployment.json"))
        var settings = [
            "chain.id": "\(harness.market.chain.number)", "chain.rpc": harness.dev.endpoint.url,
            "chain.deployment": folder.path("deployment.json"),
            "chain.confirmations": "\(MarketHarness.confirmations)", "chain.pollMilliseconds": "50",
        ]
        settings.merge(flags) { $1 }
        try await TestNode.run(in: folder.path, flags: settings, clock: clock) { node in
            let (ana, bo) = (try await node.signIn("ana"), try await node.signIn("bo"))
            let running = MarketNode(node: node, harness: harness, ana: ana, bo: bo)
            try await running.asking(ana) { client in
                try await waitUntil { try await client.chains().first?.health == "ready" }
                if try await client.wallet().balances.first?.amount == "0" {
                    try await harness.dev.fund(try Address(text: ana.account.address))
                }
            }
            try await body(running)
        }
    }

    /// Lends a client that asks in someone's name.
    func asking<Value: Sendable>(
        _ session: Session,
        _ body: (StoaClient) async throws -> Value
    ) async throws -> Value {
        let address = try NodeAddress(text: node.running.api)
        return try await StoaClient.scoped(address, token: session.token, body)
    }

    /// Puts Ana's bicycle up for sale, and after the first another one each time.
    func list(title: String = bicycle.title) async throws -> (listing: String, sale: String) {
        try await asking(ana) { client in
            try await client.waitUntilFunded()
            var content = Self.bicycle
            content.title = title
            let number = counter.next()
            if number > 0 { content.identifier = "WTU-123 456 \(number)" }
            let operation = try await client.list(content)
            let ended = try await client.follow(operation) { _ in }
            let listing = try await client.listing(ended.subject ?? "")
            return (listing.id, listing.anchor?.sale ?? "")
        }
    }
}
