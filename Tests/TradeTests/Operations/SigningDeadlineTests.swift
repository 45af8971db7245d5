import Client
import Concurrency
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import Trade
import TradeSupport

/// Operations whose owner comes back late, on a real chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SigningDeadlineTests {
    /// - From people: an operation that waited more than a day for a sign-in or a signature →
    ///   waited_too_long
    @Test func `sends no old step for an owner who signs in after a day`() async throws {
        try await MarketHarness.scoped { harness in
            let (folder, clock) = (try TemporaryFolder(), TurnedClock())
            try await harness.run(in: folder, clock: clock) { node in
                let ana = try await node.account("ana", on: harness)
                try await MarketServicesTests.current(node)
                let begun = try await Self.listing(by: ana, at: node, key: "k")
                try await node.until(ana) { try node.state(begun) == .needsUnlock }
                // Nothing tells the runner that a day has gone before she comes.
                clock.advance(by: 86_401)
                try await node.signIn("ana")

                try await Self.expired(begun, ana, at: node, on: harness)
                let again = try await Self.listing(by: ana, at: node, key: "again")
                _ = try await node.done(again)
                // The permission to mint, and the listing.
                #expect(try await Self.sentCount(ana, harness) == 2)
            }
        }
    }

    @Test func `drops an earlier run's unsigned step after a month`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            let (folder, clock) = (try TemporaryFolder(), TurnedClock())
            let (begun, ana) = try await Self.left(in: folder, clock, harness)
            clock.advance(by: 30 * 86_400)
            try await harness.run(in: folder, clock: clock) { node in
                try await node.signIn("ana")
                try await MarketServicesTests.current(node)
                try await Self.expired(begun, ana, at: node, on: harness)
            }
        }
    }

    @Test func `sends an earlier run's unsigned step within a day`() async throws {
        try await MarketHarness.scoped { harness in
            let (folder, clock) = (try TemporaryFolder(), TurnedClock())
            let (begun, ana) = try await Self.left(in: folder, clock, harness)
            clock.advance(by: 80_000)
            try await harness.run(in: folder, clock: clock) { node in
                try await node.signIn("ana")
                _ = try await node.done(begun)
                // The permission to mint, and the listing.
                #expect(try await Self.sentCount(ana, harness) == 2)
            }
        }
    }

    /// What Ana has begun while she was not signed in, at a node that then stopped.
    private static func left(
        in folder: TemporaryFolder,
        _ clock: TurnedClock,
        _ harness: MarketHarness
    ) async throws -> (Client.Operation, Address) {
        let found = BoundedQueue<(Client.Operation, Address)>(elementsMax: 1)
        try await harness.run(in: folder, clock: clock) { node in
            let ana = try await node.account("ana", on: harness)
            try await MarketServicesTests.current(node)
            let begun = try await listing(by: ana, at: node, key: "k")
            try await node.until(ana) { try node.state(begun) == .needsUnlock }
            _ = await found.send((begun, ana))
        }
        return try #require(await found.receive())
    }

    private static func listing(
        by ana: Address,
        at node: RunningMarket,
        key: String
    ) async throws -> Client.Operation {
        try await node.market.listingPlanner.create(MarketServicesTests.bicycle, by: ana).begin(
            key: key
        )
    }

    /// The operation ends without a transaction, and the account has what it had.
    private static func expired(
        _ begun: Client.Operation,
        _ ana: Address,
        at node: RunningMarket,
        on harness: MarketHarness
    ) async throws {
        try await node.until(ana) { try [.failed, .done].contains(node.state(begun)) }
        let ended = try node.operations.entry(begun.id, account: ana).operation
        #expect(ended.problem?.code == "waited_too_long")
        #expect(ended.phases.map(\.state) == [.failed] + Array(repeating: .waiting, count: 5))
        for _ in 0..<3 { try await harness.dev.control("evm_mine") }
        #expect(try await sentCount(ana, harness) == 0)
        #expect(try await node.market.sales.sales(of: ana, limit: 20).items.isEmpty)
        #expect(
            try await node.market.wallets.wallet(of: ana).balances.first?.amount
                == "10000000000000000000"
        )
    }

    /// How many transactions of an account the chain has or knows of.
    private static func sentCount(_ account: Address, _ harness: MarketHarness) async throws
        -> UInt64
    {
        let client = ChainClient(
            chain: harness.market.chain,
            endpoints: [harness.dev.endpoint],
            transport: harness.transport,
            logger: quiet
        )
        let call = RPCCall.transactionCount(of: account, at: .pending)
        return try #require(try await client.perform(call).number)
    }
}

extension RunningMarket {
    fileprivate func state(_ operation: Client.Operation) throws -> Client.Operation.State {
        let account = try Address(text: operation.account)
        return try operations.entry(operation.id, account: account).operation.state
    }
}
