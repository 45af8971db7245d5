import AccountAccess
import Client
import Concurrency
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Testing
import Trade
import TradeSupport

@Suite(.timeLimit(.minutes(5)))
struct SaleFollowerTests {
    @Test func `an account gets missed reports exactly once after a crash`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, _) = try await MarketServicesTests.parties(node, harness)
                let (_, sale) = try await MarketServicesTests.list(node, by: ana)
                let id = SaleID(try #require(Bytes32(hex: sale)))
                let block = try #require(node.market.saleIndex.view(of: id)?.block)
                func follower(confirmations: UInt64 = MarketHarness.confirmations) -> SaleFollower {
                    SaleFollower(
                        saleIndex: SaleIndex(
                            deployment: harness.market,
                            confirmations: confirmations,
                            clock: SystemMonotonicClock()
                        ),
                        store: node.store,
                        events: node.events,
                        onBlock: { _ in },
                        logger: quiet
                    )
                }
                func news(after place: UInt64) throws -> [Client.Event] {
                    let page = try node.store.read {
                        try $0.events(of: ana, after: place, limit: 100)
                    }
                    return try page.events.map { try $0.event.shown($0.number) }
                }

                let all = try node.store.read { try $0.lastEventNumber(of: ana) }
                try await follower().handle(.resumed(at: block), on: harness.market.chain)
                #expect(try news(after: all).isEmpty)

                // What a crash between a block's commit and the word of it leaves.
                try await node.store.write { transaction in
                    try transaction.noteNotified(upTo: 0, of: harness.market.chain)
                }
                try await follower().handle(.resumed(at: block), on: harness.market.chain)
                let told = try news(after: all)
                #expect(told.map(\.subject) == [id.description])
                #expect(told.first?.data["phase"] == "listed")
                #expect(told.first?.words?.map(\.code) == ["phase.listed"])

                try await follower().handle(.resumed(at: block), on: harness.market.chain)
                #expect(try news(after: all).count == 1)

                // Not final yet: however often the node starts meanwhile, it is told once.
                try await node.store.write { transaction in
                    try transaction.noteNotified(upTo: 0, of: harness.market.chain)
                }
                for _ in 0..<3 {
                    let slow = follower(confirmations: 10_000)
                    try await slow.handle(.resumed(at: block), on: harness.market.chain)
                }
                let again = try news(after: all)
                #expect(again.count == 2)
                #expect(again.last?.data["confirmationsNeeded"] == "10000")
            }
        }
    }
}
