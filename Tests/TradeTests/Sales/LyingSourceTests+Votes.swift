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
                    let preview = try await node.market.moves.move(sale, abort, by: ana).preview()
                    #expect(preview.problems.isEmpty, "\(answer): \(preview)")
                    let id = try #require(Self.view(node, sale)).sale.id
                    let contract = EscrowContract(address: harness.market.escrow)
                    let said = try await node.market.client.answer(for: id, in: contract)
                    #expect(said.stages == [.offered, .offered])
                }
            }
        }
    }

    /// - From endpoints: another state of a sale than two had confirmed, while the others are away →
    ///   chain_stale, and nothing is rolled back
    @Test func `one endpoint's state of a sale rolls back nothing`() async throws {
        try await MarketHarness.scoped { harness in
            let (_, sale) = try await Self.listed(in: try TemporaryFolder(), harness)
            let liar = try harness.dev.liar
            let isAlone = Mutex(false)
            let away = AlteringTransport(
                inner: harness.transport,
                altered: harness.dev.endpoint.name
            ) { _, answer in
                guard isAlone.withLock({ $0 }) else { return answer }
                throw RPCTransportError.unreachable(reason: "test")
            }
            var two = harness
            two.endpoints = [harness.dev.endpoint, liar]
            two.transport = AlteringTransport(inner: away, altered: liar.name) { request, honest in
                guard isAlone.withLock({ $0 }) else { return honest }
                if request.contains("eth_getLogs") {
                    return #"{"jsonrpc":"2.0","id":0,"result":[]}"#
                }
                guard request.contains("eth_call") else { return honest }
                let zeros = "\"0x" + String(repeating: "0", count: 64)
                return honest.replacing(/"0x[0-9a-f]{64}/, with: zeros)
            }
            try await two.run(in: try TemporaryFolder()) { node in
                try await node.market.service.until { _ in
                    Self.view(node, sale)?.isFinal == true
                }
                let view = try #require(Self.view(node, sale))
                let block = try #require(view.block)
                isAlone.withLock { $0 = true }
                let agreement = try await node.market.service.agreement(
                    on: view.sale,
                    of: view.sale.id,
                    in: EscrowContract(address: harness.market.escrow),
                    at: block
                )
                #expect(agreement == .disputed([harness.dev.endpoint.name, liar.name]))
                // The endpoint that is left is followed from now on.
                let height = block.number + 3
                try await node.market.service.until { $0.applied?.number ?? 0 > height }
                #expect(Self.view(node, sale)?.isFinal == true)
            }
        }
    }
}
