import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import TradeSupport

@testable import Trade

/// The preview and the operation of one plan.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PlannedOperationTests {
    /// An action that something stands in the way of.
    private struct Prevented: Sendable {
        let kind: Client.Operation.Kind
        let code: ProblemCode
        let preview: @Sendable () async throws -> ActionPreview
        let begin: @Sendable () async throws -> Client.Operation

        init(
            _ kind: Client.Operation.Kind,
            _ code: ProblemCode,
            _ preview: @escaping @Sendable () async throws -> ActionPreview,
            _ begin: @escaping @Sendable () async throws -> Client.Operation
        ) {
            (self.kind, self.code, self.preview, self.begin) = (kind, code, preview, begin)
        }
    }

    /// Actions of each kind, after Bo has bought what Ana listed; the beggar has no money.
    private static func prevented(
        _ node: RunningMarket,
        _ listing: String,
        _ sale: String,
        ana: Address,
        bo: Address
    ) -> [Prevented] {
        let (planner, market) = (node.market.listingPlanner, node.market)
        let beggar = testKey(77).address
        let (lamp, vase) = (SaleExitsTests.thing("lamp"), SaleExitsTests.thing("vase"))
        let (purchase, bid) = (
            Purchase(listing: listing), Purchase(listing: listing, bid: "1000000")
        )
        let claim = Client.SaleMove(move: "claim")
        let transfer = Transfer(to: bo.checksummed, amount: "1")
        let end = Arbitration(feeMin: "0", until: 0)
        return [
            Prevented(.list, .badListing) {
                try await planner.create(lamp, by: ana).preview()
            } _: {
                try await planner.create(lamp, by: ana).begin(key: "lamp")
            },
            Prevented(.list, .insufficientBalance) {
                try await planner.create(vase, by: beggar).preview()
            } _: {
                try await planner.create(vase, by: beggar).begin(key: "vase")
            },
            Prevented(.edit, .moveNotOpen) {
                try await planner.edit(listing, lamp, by: ana).preview()
            } _: {
                try await planner.edit(listing, lamp, by: ana).begin(key: "edit")
            },
            Prevented(.withdraw, .moveNotOpen) {
                try await planner.withdraw(listing, by: ana).preview()
            } _: {
                try await planner.withdraw(listing, by: ana).begin(key: "withdraw")
            },
            Prevented(.buy, .ownListing) {
                try await market.purchases.buy(purchase, by: ana).preview()
            } _: {
                try await market.purchases.buy(purchase, by: ana).begin(key: "own")
            },
            Prevented(.buy, .listingGone) {
                try await market.purchases.buy(purchase, by: beggar).preview()
            } _: {
                try await market.purchases.buy(purchase, by: beggar).begin(key: "buy")
            },
            Prevented(.bid, .listingGone) {
                try await market.purchases.buy(bid, by: beggar).preview()
            } _: {
                try await market.purchases.buy(bid, by: beggar).begin(key: "bid")
            },
            Prevented(.move, .moveNotOpen) {
                try await market.moves.move(sale, claim, by: bo).preview()
            } _: {
                try await market.moves.move(sale, claim, by: bo).begin(key: "claim")
            },
            Prevented(.collect, .moveNotOpen) {
                try await market.wallets.collect(by: bo).preview()
            } _: {
                try await market.wallets.collect(by: bo).begin(key: "collect")
            },
            Prevented(.arbitrate, .moveNotOpen) {
                try await market.arbiters.register(end, by: bo).preview()
            } _: {
                try await market.arbiters.register(end, by: bo).begin(key: "end")
            },
            Prevented(.send, .insufficientBalance) {
                let receiver = ActionPreview.Receiver(account: bo.checksummed)
                return try await market.wallets.send(transfer, to: receiver, by: beggar).preview()
            } _: {
                try await market.wallets.send(transfer, by: beggar).begin(key: "send")
            },
        ]
    }

    @Test func `an operation is refused for what its preview shows first`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let lamp = SaleExitsTests.thing("lamp")
                let (listing, sale) = try await SaleExitsTests.list(lamp, node, by: ana)
                try await SaleExitsTests.buy(listing, sale, node, by: bo)
                let before = try node.operations.operations(of: ana, limit: 20).items

                let all = Self.prevented(node, listing, sale, ana: ana, bo: bo)
                for prevented in all {
                    let problems = try await prevented.preview().problems
                    let refused = await #expect(throws: Refusal.self) {
                        try await prevented.begin()
                    }
                    #expect(refused?.code == prevented.code, "\(prevented.kind)")
                    #expect(problems.first == refused?.problem, "\(prevented.kind)")
                }
                #expect(Set(all.map(\.kind)) == Set(Client.Operation.Kind.known))
                #expect(try node.operations.operations(of: ana, limit: 20).items == before)
            }
        }
    }

    /// Notes two obstacles, the second one in a check; then what follows.
    private static func plan(
        _ plan: inout PlannedOperation,
        _ reached: inout [Int],
        _ code: ProblemCode
    ) async throws {
        try plan.note(Refusal(.badListing, forPrograms: "one"))
        reached.append(1)
        try await plan.check { _ in throw Refusal(code, forPrograms: "two") }
        reached.append(2)
    }

    @Test func `a preview goes on after an obstacle, and an operation does not`() async throws {
        let account = testKey(1).address
        var reached: [Int] = []
        let shown = try await PlannedOperation.preview(by: account) {
            try await Self.plan(&$0, &reached, .moveNotOpen)
        }
        #expect(shown.problems.map(\.detail) == ["one", "two"] && reached == [1, 2])
        #expect(shown.problems.map(\.code) == ["bad_listing", "move_not_open"])

        let meaningless = await #expect(throws: Refusal.self) {
            _ = try await PlannedOperation.preview(by: account) {
                try await Self.plan(&$0, &reached, .unknownListing)
            }
        }
        #expect(meaningless?.code == .unknownListing && reached == [1, 2, 1])

        let request = try OperationRequest(.list, ["a"], by: account, key: "k")
        var planned = PlannedOperation(by: account, for: request)
        let refused = await #expect(throws: Refusal.self) {
            try await Self.plan(&planned, &reached, .moveNotOpen)
        }
        #expect(refused?.detail == "one" && reached == [1, 2, 1])
        await planned.describe { _ in reached.append(3) }
        #expect(planned.obstacles.isEmpty && reached == [1, 2, 1])
    }
}
