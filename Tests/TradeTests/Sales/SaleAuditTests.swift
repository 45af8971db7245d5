import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Synchronization
import Testing
import Trade
import TradeSupport

/// A node whose only endpoint left out the payment for a sale, in headers without filters.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SaleAuditTests {
    /// An endpoint that says nothing of payments, as long as it is asked for all contracts' logs.
    private final class Forgetter: Sendable {
        /// Whether logs of a single contract are whole.
        let tellsOne: Bool
        /// How often a single contract's logs were asked for.
        let asked = Mutex(0)
        private let topic = Keccak256.hash("Bought(bytes32,address,address,uint256,uint256)".utf8)
            .hex

        init(tellsOne: Bool) { self.tellsOne = tellsOne }

        func answer(_ request: String, _ honest: String) -> String {
            let honest = honest.replacing(
                /"logsBloom": ?"0x[0-9a-f]+"/,
                with: #""logsBloom": null"#
            )
            guard request.contains("eth_getLogs") else { return honest }
            if request.contains(/"address":\["0x[0-9a-fA-F]{40}"\]/) {
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                if tellsOne, count > 0 { return honest }
            } else if tellsOne, asked.withLock({ $0 }) > 0 {
                return honest
            }
            let text = honest.data(using: .utf8).flatMap {
                try? JSONSerialization.jsonObject(with: $0) as? [String: Any]
            }
            guard var object = text, let logs = object["result"] as? [[String: Any]] else {
                return honest
            }
            object["result"] = logs.filter { ($0["topics"] as? [String])?.first != topic }
            let data = try? JSONSerialization.data(withJSONObject: object)
            return data.map { String(decoding: $0, as: UTF8.self) } ?? honest
        }
    }

    /// Sells something on a node with such an endpoint, which compares open sales each 100 ms.
    private func sold(
        _ forgetter: Forgetter,
        _ body: @escaping @Sendable (RunningMarket, Address, String) async throws -> Void
    ) async throws {
        try await MarketHarness.scoped { harness in
            var own = harness
            let endpoint = harness.dev.endpoint
            own.transport = AlteringTransport(inner: harness.transport, altered: endpoint.name) {
                forgetter.answer($0, $1)
            }
            own.audit.interval = .milliseconds(100)
            own.audit.ownAgain = .zero
            try await own.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await MarketServicesTests.parties(node, harness)
                let (listing, sale) = try await MarketServicesTests.list(node, by: ana)
                let purchase = Purchase(listing: listing, shipTo: "DE")
                _ = try await node.done(
                    try await node.market.purchases.buy(purchase, by: bo).begin(key: "buy")
                )
                try await body(node, ana, sale)
            }
        }
    }

    /// Whether an account was told that a sale's events are not complete.
    private func isWarned(_ node: RunningMarket, _ account: Address, of sale: String) throws -> Bool
    {
        try node.store.read { try $0.events(of: account, after: 0, limit: 100) }.events.contains {
            let text = String(decoding: $0.event.bytes, as: UTF8.self)
            return text.contains(sale) && text.contains("warning")
        }
    }

    @Test func `finds a lost payment and reports it with its endpoint`() async throws {
        try await sold(Forgetter(tellsOne: true)) { node, ana, sale in
            try await node.settled(sale, "paid", for: ana)
            #expect(try isWarned(node, ana, of: sale))
            let height = try #require(LyingSourceTests.view(node, sale)).sale.position.blockNumber
            let warnings = node.market.saleIndex.status.warnings
            #expect(
                warnings.contains { $0.detail.contains("left out events of block \(height)") },
                "\(warnings)"
            )
            // The only endpoint is used all the same.
            #expect(await node.market.service.client.reports[0].status == .good)
        }
    }

    @Test func `reports a payment that its endpoint never shows, and moves nothing`() async throws {
        let forgetter = Forgetter(tellsOne: false)
        try await sold(forgetter) { node, ana, sale in
            try await node.until(ana) { try isWarned(node, ana, of: sale) }
            let asked = forgetter.asked.withLock { $0 }
            try await node.market.service.until { _ in forgetter.asked.withLock { $0 } > asked + 1 }
            #expect(LyingSourceTests.view(node, sale)?.sale.status.name == "listed")
            let warnings = node.market.saleIndex.status.warnings
            #expect(
                warnings.contains { $0.detail.hasPrefix("The contract's answer about sale") },
                "\(warnings)"
            )
            try await MarketServicesTests.current(node)
            let refusal = await #expect(throws: Refusal.self) {
                try await node.market.moves.move(sale, Client.SaleMove(move: "abort"), by: ana)
                    .begin(key: "abort")
            }
            #expect(refusal?.code == .chainStale)
        }
    }
}
