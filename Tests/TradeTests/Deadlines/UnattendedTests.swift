import AccountAccess
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

/// Moves of sellers who have left the node alone, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UnattendedTests {
    private static let on = DeadlineSettings(executes: true)

    private static func leave(_ moves: [String], _ node: RunningMarket) async throws {
        let request = UnattendedRequest(
            password: "correct horse",
            moves: moves,
            seconds: 60 * 86_400
        )
        _ = try await node.accounts.leaveAlone("ana", request, by: .operator)
    }

    /// The codes of a preview's warnings that are about what will be due.
    private static func warnings(
        _ content: ListingContent,
        _ node: RunningMarket,
        by account: Address
    ) async throws -> [String] {
        try await node.market.listingPlanner.create(content, by: account).preview().warnings.map(
            \.code
        )
        .filter { $0.hasPrefix("unattended.") }
    }

    @Test func `a restarted node ends only an auction that was left to it`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = Kept<(ana: Address, auction: String, sale: String)>()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                var lamp = SaleExitsTests.thing("lamp")
                lamp.price.amount = "10000000000000000"
                #expect(
                    try await Self.warnings(lamp, node, by: ana)
                        == ["unattended.two"]
                )
                let (listing, sale) = try await SaleExitsTests.list(lamp, node, by: ana)
                try await SaleExitsTests.buy(listing, sale, node, by: bo)
                try await SaleExitsTests.move("transfer", sale, node, by: ana)
                try await node.settled(sale, "transferred", for: ana)

                let print = AuctionTradeTests.print()
                #expect(try await Self.warnings(print, node, by: ana) == ["unattended.one"])
                try await Self.leave(["deliver", "end"], node)
                #expect(try await Self.warnings(print, node, by: ana).isEmpty)
                let (_, auction) = try await SaleExitsTests.list(print, node, by: ana)
                try await node.settled(auction, "ready", for: ana)
                known.value = (ana, auction, sale)
            }
            let (ana, auction, sale) = try #require(known.value)
            try await harness.run(in: folder, deadlines: Self.on) { node in
                try await node.market.service.until { $0.health == .following }
                #expect(await node.accounts.unlocked.isEmpty)
                // The time to dispute the sale and that to bid are over.
                try await AuctionTradeTests.pass(.days(22), harness)
                try await node.settled(auction, "unsold", for: ana)
                let history = try await node.market.sales.sale(auction, for: ana).history
                #expect(history.last?.move == "end" && history.last?.by == ana.checksummed)
                // Nobody claims the other sale until it is left to the node as well.
                #expect(try await node.market.sales.sale(sale, for: ana).phase == "transferred")
                try await Self.leave(["claim"], node)
                try await node.settled(sale, "complete", for: ana)
            }
        }
    }

    @Test func `no other call is signed, however much is left to the node`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = Kept<(ana: Address, listing: String, sale: String)>()
            try await harness.run(in: folder) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let print = AuctionTradeTests.print()
                let (listing, sale) = try await SaleExitsTests.list(print, node, by: ana)
                try await node.settled(sale, "ready", for: ana)
                try await Self.leave(["deliver", "claim", "end", "refund"], node)
                known.value = (ana, listing, sale)
            }
            let (ana, listing, sale) = try #require(known.value)
            try await harness.run(in: folder) { node in
                try await node.market.service.until { $0.health == .following }
                let signer = AccountSigner(ana, of: node.accounts, on: node.market.saleIndex)
                func refuses(_ call: Intent.Step) async throws -> Bool {
                    let state = try await signer.state(for: call)
                    let signature = try? await signer.sign(Self.transaction(call, harness))
                    return state == .locked && signature == nil
                }
                let view = try #require(node.market.saleIndex.views(of: ana).first)
                let offered = view.sale.reference.contract.address
                let end = try Self.end(of: sale, node)
                // A transfer, a cancellation, and a move whose time has not come.
                let others = [
                    Intent.Step(to: testKey(3).address, value: Amount(small: 1), data: []),
                    Intent.Step(to: ana, data: []), end,
                ]
                for call in others { #expect(try await refuses(call)) }
                try await AuctionTradeTests.pass(.days(8), harness)
                try await AuctionTradeTests.untilOver(sale, node)
                #expect(try await signer.state(for: end) == .ready)
                let signed = try await signer.sign(Self.transaction(end, harness))
                let hash = Self.transaction(end, harness).signingHash
                #expect(signed.signer(of: hash)?.address == ana)
                // The same call with anything else in it, or to another contract.
                let altered = [
                    Intent.Step(to: end.to, value: Amount(small: 1), data: end.data),
                    Intent.Step(to: end.to, data: end.data + [0]),
                    Intent.Step(to: testKey(3).address, data: end.data),
                    Intent.Step(to: offered, data: Array(end.data.prefix(4))),
                ]
                for call in altered { #expect(try await refuses(call)) }
                try await node.accounts.unattended.end("ana", by: nil)
                #expect(try await refuses(end))
                // An operation that somebody begins nevertheless waits for a sign-in.
                let begun = try await node.market.listingPlanner.withdraw(listing, by: ana).begin(
                    key: "w"
                )
                try await node.until(ana) {
                    try node.operations.entry(begun.id, account: ana).operation.state
                        == .needsUnlock
                }
            }
        }
    }

    /// The call that ends an auction.
    private static func end(of sale: String, _ node: RunningMarket) throws -> Intent.Step {
        let id = try #require(Bytes32(hex: sale))
        let sale = try #require(node.market.saleIndex.view(of: SaleID(id))).sale
        let service = node.market.saleIndex.service(for: sale)
        // Once the bidding is over, this is how an unsold sale is withdrawn.
        let late = ChainTime(seconds: UInt64(UInt32.max))
        return Intent.Step(service.withdrawal(of: sale, at: late).call)
    }

    private static func transaction(_ call: Intent.Step, _ harness: MarketHarness) -> Transaction {
        Transaction(
            chain: harness.market.chain,
            nonce: 0,
            to: call.to,
            value: call.value,
            data: call.data,
            gasLimit: 1_000_000,
            pricing: .dynamic(priorityFee: .zero, feeCap: .zero)
        )
    }
}
