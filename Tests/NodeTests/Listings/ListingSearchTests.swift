import Client
import Keys
import NIOHTTP1
import Support
import Testing
import TradeSupport

/// Listings that are looked for while they are bought.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListingSearchTests {
    private static let interval = "[0.2]"

    /// - From people: a search by price without a currency → malformed_value
    @Test func `a search hides ended offers and compares prices in one currency`() async throws {
        try await MarketNode.run { market in
            let first = try await market.list()
            let second = try await market.list()
            try await market.asking(market.ana) { ana in
                let begun = try await ana.move(sale: first.sale, SaleMove(move: "abort"))
                #expect(try await ana.follow(begun) { _ in }.state == .done)
                var search = ListingSearch(text: "bicycle")
                #expect(try await ana.listings(search).items.map(\.id) == [second.listing])
                search.includesOver = true
                let all = try await ana.listings(search).items
                #expect(Set(all.map(\.id)) == [first.listing, second.listing])

                // A count leaves out what the page leaves out.
                search.countsMatches = true
                let counted = try await ana.listings(search)
                #expect(counted.total == 2 && counted.totalIsLowerBound == false)
                search.includesOver = false
                #expect(try await ana.listings(search).total == 1)
                search.countsMatches = false
                #expect(try await ana.listings(search).total == nil)

                // A page ends behind what it shows, however much is hidden between.
                search = ListingSearch(limit: 1)
                let page = try await ana.listings(search)
                #expect(page.items.map(\.id) == [second.listing])
                search.after = page.next
                if page.next != nil { #expect(try await ana.listings(search).items.isEmpty) }

                search = ListingSearch(text: "bicycle")
                search.priceMax = MarketNode.bicycle.price.amount
                let refused = await #expect(throws: Problem.self) { try await ana.listings(search) }
                #expect(refused?.code == "malformed_value" && refused?.field == "currency")
                search.currency = "native"
                #expect(try await ana.listings(search).items.count == 1)
                search.priceMax = "1"
                #expect(try await ana.listings(search).items.isEmpty)
            }
        }
    }

    @Test func `rebuilds a page once one of its listings ends by the chain's time`() async throws {
        try await MarketNode.run { market in
            let (listing, _) = try await market.list()
            try await market.asking(market.ana) { ana in
                let search = ListingSearch(text: "bicycle")
                #expect(try await ana.listings(search).items.map(\.id) == [listing])
                // The offer ends after 30 days; an empty block tells the time.
                try await market.harness.dev.control("evm_increaseTime", "[2678400]")
                try await market.harness.dev.control("evm_mine", "[]")
                try await waitUntil { try await ana.listings(search).items.isEmpty }
            }
        }
    }

    @Test func `reports new listings to callers that ask for them`() async throws {
        try await MarketNode.run { market in
            let (listing, _) = try await market.list()
            try await market.asking(market.bo) { bo in
                var events = bo.events(of: .records, after: 0).makeAsyncIterator()
                var event = try await events.next()
                while let told = event, told.subject != listing { event = try await events.next() }
                #expect(event?.type == "listing")
                #expect(event?.data["author"] == market.ana.account.address)
            }
        }
    }

    /// - From people: buying something that another account buys before or during the purchase →
    ///   listing_gone
    @Test func `tells a late buyer that another account bought the item`() async throws {
        try await MarketNode.run { market in
            let (listing, _) = try await market.list()
            let cy = try await market.node.signIn("cy")
            let buyers = [market.bo, cy]
            let purchase = Purchase(listing: listing, shipTo: "DE")
            for buyer in buyers {
                try await market.harness.dev.fund(try Address(text: buyer.account.address))
                try await market.asking(buyer) { client in
                    try await waitUntil { try await client.preview(purchase).problems.isEmpty }
                }
            }
            // Both are sent before the next block, which has room for both.
            try await market.harness.dev.control("evm_setIntervalMining", "[0]")
            try await market.harness.dev.control("evm_setAutomine", "[false]")
            var begun: [Client.Operation] = []
            for buyer in buyers {
                begun.append(
                    try await market.asking(buyer) { client in
                        let operation = try await client.buy(purchase)
                        return try await Self.sent(operation, client)
                    }
                )
            }
            try await market.harness.dev.control("evm_setIntervalMining", Self.interval)
            var ends: [Client.Operation] = []
            for (buyer, operation) in zip(buyers, begun) {
                ends.append(
                    try await market.asking(buyer) { try await $0.follow(operation) { _ in } }
                )
            }
            let lost = try #require(ends.first { $0.state == .failed })
            #expect(ends.contains { $0.state == .done })
            #expect(lost.problem?.code == "listing_gone")
            #expect(lost.problem?.detail.hasPrefix("It has been sold to somebody else.") == true)

            let loser = lost.account == cy.account.address ? cy : market.bo
            try await market.asking(loser) { client in
                let preview = try await client.preview(purchase)
                #expect(preview.problems.first?.detail == "It has been sold to somebody else.")
                #expect(preview.problems.first?.reason?.map(\.code) == ["refusal.soldToOther"])
                let refused = await #expect(throws: Problem.self) {
                    try await client.buy(purchase)
                }
                #expect(refused?.code == "listing_gone")
            }
        }
    }

    /// Waits until its transaction waits to be mined.
    private static func sent(
        _ operation: Client.Operation,
        _ client: StoaClient
    ) async throws -> Client.Operation {
        var now = operation
        while now.phases.first(where: { $0.name == .sent })?.state != .done {
            now = try await client.operation(operation.id)
        }
        return now
    }
}
