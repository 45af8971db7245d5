import Answers
import Client
import Ethereum
import Keys
import Support
import Synchronization
import Testing
import Trade
import TradeSupport

/// Previews of a sale whose other side is a contract.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ContractPartyTests {
    /// Has the endpoint say that accounts have code.
    private final class Codes: Sendable {
        private let codes = Mutex<[Address: String]>([:])

        func set(_ code: String, of account: Address) { codes.withLock { $0[account] = code } }

        func answer(_ request: String, _ honest: String) -> String {
            guard request.contains("eth_getCode") else { return honest }
            let asked = codes.withLock { $0 }.first {
                request.lowercased().contains($0.key.checksummed.lowercased())
            }
            return asked.map { honest.replacing("\"0x\"", with: "\"\($0.value)\"") } ?? honest
        }
    }

    @Test func `warns if the other side is a contract, unless it only delegates`() async throws {
        try await MarketHarness.scoped { harness in
            let codes = Codes()
            var altered = harness
            let endpoint = harness.dev.endpoint
            altered.transport = AlteringTransport(
                inner: harness.transport,
                altered: endpoint.name
            ) { codes.answer($0, $1) }
            try await altered.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await MarketServicesTests.parties(node, harness)
                let (listing, sale) = try await MarketServicesTests.list(node, by: ana)
                let purchase = Purchase(listing: listing, shipTo: "DE")
                func warnings() async throws -> [Sentence] {
                    try await node.market.purchases.buy(purchase, by: bo).preview().warnings.filter
                    {
                        $0.detail.contains("contract, not a person")
                    }
                }
                #expect(try await warnings() == [])
                codes.set("0xef0100" + String(repeating: "11", count: 20), of: ana)
                #expect(try await warnings() == [])
                codes.set("0x6001600155", of: ana)
                let warning = try #require(try await warnings().first)
                #expect(warning.detail.hasPrefix("The seller \(ana.checksummed) is a contract"))

                _ = try await node.done(
                    try await node.market.purchases.buy(purchase, by: bo).begin(key: "buy")
                )
                try await node.settled(sale, "paid", for: ana)
                codes.set("0x6001600155", of: bo)
                let transfer = try await node.market.moves.move(
                    sale,
                    SaleMove(move: "transfer"),
                    by: ana
                )
                .preview()
                #expect(
                    transfer.warnings.contains {
                        $0.detail.hasPrefix("The buyer \(bo.checksummed) is a")
                    },
                    "\(transfer)"
                )
            }
        }
    }
}
