import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Testing
import Trade
import TradeSupport

/// Listings whose sale a node does not see, or sees wrongly.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WithdrawalTests {
    /// What a node has of a listing.
    private struct Held: Sendable {
        let id: ListingID
        let record: SignedRecord
        let sale: Bytes32
    }

    private static func held(_ listing: String, on node: RunningMarket) async throws -> Held {
        let id = try ListingID(listing)
        let shown = try node.market.listings.listing(listing)
        let stored = try node.store.read { try $0.record(in: id.key) }
        return Held(
            id: id,
            record: try #require(stored?.readable()),
            sale: try #require(shown.anchor.flatMap { Bytes32(hex: $0.sale) })
        )
    }

    private static func put(_ held: Held, on node: RunningMarket) async throws {
        let entry = RecordEntry(held.record, lane: .open, subject: held.sale)
        _ = try await node.store.write { try $0.put([entry], at: held.record.createdAt) }
    }

    /// An endpoint's answer as if nothing had happened; nor do its headers show it.
    private static func withoutLogs(_ answer: String) throws -> String {
        let data = Data(answer.utf8)
        guard var object = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            object["result"] is [Any]
        else { return answer }
        object["result"] = [Any]()
        return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    /// - From people: withdrawing a listing whose sale continues in the contract, but is unknown or
    ///   over on this node → chain_stale
    @Test func `does not withdraw a listing whose sale is merely not seen yet`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await MarketServicesTests.parties(node, harness)
                let (listing, sale) = try await MarketServicesTests.list(node, by: ana)
                let held = try await Self.held(listing, on: node)
                let liar = try harness.dev.liar
                var second = harness
                second.endpoints = [liar]
                second.transport = AlteringTransport(inner: harness.transport, altered: liar.name) {
                    let answer = $0.contains("eth_getLogs") ? try Self.withoutLogs($1) : $1
                    return answer.replacing(
                        /"logsBloom": ?"0x[0-9a-f]+"/,
                        with: #""logsBloom":null"#
                    )
                }
                try await second.run(in: try TemporaryFolder()) { reader in
                    try await MarketServicesTests.current(reader)
                    try await Self.put(held, on: reader)
                    let planner = reader.market.listingPlanner
                    #expect(reader.market.saleIndex.view(of: SaleID(held.sale)) == nil)
                    let hidden = await #expect(throws: Refusal.self) {
                        try await planner.withdraw(listing, by: ana).preview()
                    }
                    #expect(hidden?.code == .chainStale)
                    #expect(hidden?.detail.contains("deposit would stay locked") == true)
                    let refused = await #expect(throws: Refusal.self) {
                        try await planner.withdraw(listing, by: ana).begin(key: "withdraw")
                    }
                    #expect(refused?.code == .chainStale)

                    let abort = Client.SaleMove(move: "abort")
                    _ = try await node.done(
                        try await node.market.moves.move(sale, abort, by: ana).begin(key: "abort")
                    )
                    let over = try await planner.withdraw(listing, by: ana).preview()
                    #expect(over.explanation == [Sentence("preview.saleOver")])
                    #expect(over.problems.isEmpty && over.feeMax == nil)
                }
            }
        }
    }
}
