import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Support
import Synchronization
import Testing
import Trade
import TradeSupport

/// What becomes of moves if some endpoints answer and others do not.
extension LyingSourceTests {
    /// - From endpoints: a refusal, in any words, to say how far a sale is → the two others'
    ///   answers count
    @Test func `two of three endpoints that agree decide a sale's state`() async throws {
        try await MarketHarness.scoped { harness in
            let (ana, sale) = try await Self.listed(in: try TemporaryFolder(), harness)
            let first = try Endpoint(url: "http://first.test")
            let second = try Endpoint(url: "http://second.test")
            func refusal(_ code: Int, _ words: String) -> String {
                #"{"jsonrpc":"2.0","id":0,"error":{"code":\#(code),"message":"\#(words)"}}"#
            }
            for (asked, answer) in [
                ("eth_getBlockByHash", Self.nothing), ("eth_call", "lie"),
                ("eth_call", refusal(3, "execution reverted")),
                ("eth_call", refusal(-32_000, "out of gas")),
            ] {
                var three = harness
                three.endpoints = [first, second, harness.dev.endpoint]
                three.transport = AlteringTransport(
                    inner: SameTransport(inner: harness.transport, real: harness.dev.endpoint),
                    altered: second.name
                ) { request, honest in
                    guard request.contains(asked) else { return honest }
                    guard answer == "lie" else { return answer }
                    // Another status of the sale.
                    return honest.replacing(
                        /"0x[0-9a-f]{64}/,
                        with: "\"0x" + String(repeating: "0", count: 64)
                    )
                }
                try await three.run(in: try TemporaryFolder()) { node in
                    try await node.market.service.until { _ in
                        Self.view(node, sale)?.isFinal == true
                    }
                    let abort = Client.SaleMove(move: "abort")
                    let preview = try await node.market.sales.preview(sale, abort, by: ana)
                    #expect(preview.problems.isEmpty, "\(answer): \(preview)")
                    let id = try #require(Self.view(node, sale)).sale.id
                    let contract = EscrowContract(address: harness.market.escrow)
                    let said = try await node.market.client.answer(for: id, in: contract)
                    #expect(said.stages == [.offered, .offered])
                }
            }
        }
    }
}
