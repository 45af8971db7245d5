import Client
import Foundation
import Keys
import Market
import Support
import Testing
import TradeSupport

/// One node on two chains at once.
@Suite(.timeLimit(.minutes(10)))
struct TwoChainTests {
    @Test func `sells on two chains at once, each with its own currency and fees`() async throws {
        try await TwoChains.scoped { chains in
            let folder = try TemporaryFolder()
            try await chains.run(in: folder) { node in
                try await node.ready(node.secondID)
                try await node.fund(chains.second)
                try await named(node)
                async let one = node.list(on: node.firstID)
                async let two = node.list(on: node.secondID)
                let listed = (try await one, try await two)
                #expect(listed.0.chain == node.firstID && listed.1.chain == node.secondID)
                try await twin(node)

                async let first = node.buy(listed.0.subject ?? "")
                async let second = node.buy(listed.1.subject ?? "")
                let bought = (try await first, try await second)
                #expect(bought.0.state == .done && bought.1.state == .done)
                try await apart(bought.0.subject ?? "", bought.1.subject ?? "", node)
                try await declined(bought.1.subject ?? "", bought.0.subject ?? "", node)
                try await atOnce(node)
                try await refusals(node)
            }
        }
    }

    /// What is on sale on one chain is not listed on the other one too.
    private func twin(_ node: TwoChainNode) async throws {
        try await node.asking(node.ana) { client in
            var content = MarketNode.bicycle
            content.identifier += " \(node.firstID)"
            content.chain = node.secondID
            let twin = content
            let refused = await #expect(throws: Problem.self) { try await client.list(twin) }
            #expect(refused?.code == "bad_listing" && refused?.field == "identifier")
        }
    }

    /// Of two calls at once for one thing, each on a chain of its own, one lists it.
    private func atOnce(_ node: TwoChainNode) async throws {
        try await node.asking(node.ana) { client in
            let codes = await withTaskGroup(of: String?.self) { group in
                for chain in [node.firstID, node.secondID] {
                    group.addTask {
                        var content = MarketNode.bicycle
                        (content.identifier, content.chain) = ("at once", chain)
                        do { _ = try await client.list(content) } catch {
                            return (error as? Problem)?.code ?? "\(error)"
                        }
                        return nil
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count == 2 && codes.compactMap(\.self) == ["in_progress"], "\(codes)")
        }
    }

    /// The chains name their currencies, fees and explorers.
    private func named(_ node: TwoChainNode) async throws {
        try await node.asking(node.bo) { client in
            let chains = try await client.chains()
            #expect(chains.map(\.chain) == [node.firstID, node.secondID])
            #expect(chains.map { $0.native?.symbol } == ["ETH", "KAIA"])
            #expect(chains.map(\.fees) == ["1559", "legacy"])
            #expect(chains.last?.explorer == "https://kaia.example/tx/{transaction}")
            // Equal contracts, by which nothing can be told apart.
            #expect(chains[0].contracts == chains[1].contracts)
            let units = try await client.currencies()
            #expect(units.map(\.chain) == [node.firstID, node.secondID])
            #expect(units.map(\.symbol) == ["ETH", "KAIA"])
            let kaia = try await client.wallet(chain: node.secondID)
            #expect(kaia.chain == node.secondID && kaia.currencies.first?.symbol == "KAIA")
        }
    }

    /// Two sales of one contract's address are two sales.
    private func apart(_ first: String, _ second: String, _ node: TwoChainNode) async throws {
        #expect(first != second)
        try await node.asking(node.bo) { client in
            let sales = (try await client.sale(first), try await client.sale(second))
            #expect(sales.0.chain == node.firstID && sales.1.chain == node.secondID)
            #expect(sales.0.contract == sales.1.contract)
            #expect(sales.0.item == sales.1.item)
            #expect(sales.0.phase == "paid" && sales.1.phase == "paid")
            let all = try await client.sales(limit: 1)
            let rest = try await client.sales(limit: 1, after: all.next)
            #expect(Set((all.items + rest.items).map(\.id)) == [first, second])
            #expect(rest.isLast)
            for (chain, id) in [(node.firstID, first), (node.secondID, second)] {
                let found = try await client.listings(
                    ListingSearch(over: true, chain: chain)
                ).items
                #expect(found.count == 1 && found.first?.anchor?.sale == id)
                #expect(found.first?.content.chain == chain)
                let items = try await client.items(token: sales.0.item ?? "", chain: chain)
                #expect(items.map(\.chain) == [chain])
                #expect(items.first?.sales.map(\.id) == [id])
            }
            let links = sales.1.history.compactMap(\.link)
            #expect(links.allSatisfy { $0.hasPrefix("https://kaia.example/tx/0x") })
            #expect(!links.isEmpty && sales.0.history.allSatisfy { $0.link == nil })
            let types = [
                try await kind(of: sales.0, on: node.chains.first),
                try await kind(of: sales.1, on: node.chains.second),
            ]
            #expect(types == ["0x2", "0x0"])
        }
    }

    /// Returns the type of the transaction by which a sale was listed.
    private func kind(of sale: Client.Sale, on harness: MarketHarness) async throws -> String? {
        let hash = sale.history.first?.transaction ?? ""
        let answer = try await harness.dev.control("eth_getTransactionByHash", "[\"\(hash)\"]")
        return answer.firstMatch(of: /"type": ?"(0x[0-9a-f]+)"/).map { String($0.output.1) }
    }

    /// A move in one sale leaves the other alone, and the money comes back on its own chain.
    private func declined(_ sale: String, _ other: String, _ node: TwoChainNode) async throws {
        try await node.asking(node.ana) { client in
            let shown = try await client.preview(sale: sale, SaleMove(move: "decline"))
            #expect(shown.chain == node.secondID)
            let operation = try await client.move(sale: sale, SaleMove(move: "decline"))
            #expect(operation.chain == node.secondID)
            _ = try await client.follow(operation) { _ in }
        }
        try await node.asking(node.bo) { client in
            #expect(try await client.sale(sale).phase == "declined")
            #expect(try await client.sale(other).phase == "paid")
            #expect(try await client.wallet(chain: node.firstID).credits.isEmpty)
            #expect(try await client.wallet(chain: node.secondID).credits.count == 1)
            let wanted = CreditCollection(chain: node.secondID)
            let operation = try await client.collect(wanted)
            #expect(operation.chain == node.secondID)
            _ = try await client.follow(operation) { _ in }
            #expect(try await client.wallet(chain: node.secondID).credits.isEmpty)
        }
    }

    /// What names no chain, or one that the node does not follow, is refused.
    private func refusals(_ node: TwoChainNode) async throws {
        try await node.asking(node.ana) { client in
            func code(_ body: () async throws -> Void) async -> String? {
                do { try await body() } catch { return (error as? Problem)?.code }
                return nil
            }
            let ambiguous = [
                await code { _ = try await client.list(MarketNode.bicycle) },
                await code { _ = try await client.wallet() },
                await code { _ = try await client.history() },
                await code { _ = try await client.collect() },
                await code {
                    _ = try await client.send(Transfer(to: node.bo.account.address, amount: "1"))
                },
                await code { _ = try await client.register(Arbitration(feeMin: "1", until: 0)) },
            ]
            #expect(ambiguous == Array(repeating: "ambiguous_chain", count: ambiguous.count))
            var content = MarketNode.bicycle
            content.chain = 5
            let strange = content
            let unknown = [
                await code { _ = try await client.list(strange) },
                await code { _ = try await client.wallet(chain: 5) },
            ]
            #expect(unknown == ["unknown_chain", "unknown_chain"])
        }
    }

    /// - From people: a purchase or a move on a chain that is unreachable while others are followed
    ///   →
    ///   chain_away, chain_stale
    @Test func `a chain that is away delays neither the start nor the other chain`() async throws {
        try await TwoChains.scoped { chains in
            let folder = try TemporaryFolder()
            chains.second.dev.kill()
            try await chains.run(in: folder) { node in
                // The start did not wait for it, and the other chain sells.
                let first = try await node.list(on: node.firstID)
                #expect(first.state == .done)
                let ready = try await node.node.get("readyz")
                #expect(ready.status == 503 && ready.body.contains("1001"), "\(ready.body)")
                #expect(!ready.body.contains("31337"))
                let metrics = try await node.node.get("metrics").body
                #expect(metrics.contains("stoa_chain_ready{chain=\"31337\"} 1"))
                #expect(metrics.contains("stoa_chain_ready{chain=\"1001\"} 0"))

                try await chains.second.dev.restart()
                try await node.ready(node.secondID)
                try await node.fund(chains.second)
                let second = try await node.list(on: node.secondID)

                // Killed in the middle: a purchase there is refused, and one here goes through.
                chains.second.dev.kill()
                try await node.health(of: node.secondID) { $0 != "ready" }
                let bought = try await node.buy(first.subject ?? "")
                #expect(bought.state == .done)
                try await refused(second.subject ?? "", node)
                try await chains.second.dev.restart()
                try await node.ready(node.secondID)
                let late = try await node.buy(second.subject ?? "")
                #expect(late.state == .done && late.chain == node.secondID)
            }
        }
    }

    private func refused(_ listing: String, _ node: TwoChainNode) async throws {
        try await node.asking(node.bo) { client in
            let problem = await #expect(throws: Problem.self) {
                try await client.buy(Purchase(listing: listing, shipTo: "DE"))
            }
            #expect(["chain_away", "chain_stale"].contains(problem?.code))
            #expect(problem?.detail.contains("1001") == true, "\(problem?.detail ?? "")")
            // What is known without the chain is shown.
            let shown = try await client.listing(listing)
            #expect(shown.content.chain == node.secondID)
        }
    }
}

extension ListingSearch {
    fileprivate init(over: Bool, chain: UInt64) {
        self.init()
        (includesOver, self.chain) = (over, chain)
    }
}
