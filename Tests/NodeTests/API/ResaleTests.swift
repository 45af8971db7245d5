import Client
import Keys
import Support
import Testing
import TradeSupport

/// Selling again what was bought, over the API.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ResaleTests {
    /// - From people: selling a bought token under another identifier → bad_listing
    /// - From people: selling again what the account has not bought → bad_listing
    @Test func `a buyer sells again what was bought, as what it is`() async throws {
        try await MarketNode.run { market in
            let (listing, sale) = try await Self.sold(market)
            try await market.asking(market.ana) { ana in
                await Self.refused("item") { _ = try await ana.resale(of: sale) }
                // The promise stays known after the listing is gone.
                let begun = try await ana.withdraw(listing: listing)
                #expect(try await ana.follow(begun) { _ in }.state == .done)
            }
            try await market.asking(market.bo) { bo in
                var content = try await bo.resale(of: sale)
                let own = try await bo.ownItems()
                #expect(own.map(\.token) == [content.item ?? ""])
                #expect(own.first?.maker == market.ana.account.address)
                #expect(content.title == MarketNode.bicycle.title && content.type == "goods")
                #expect(content.description == MarketNode.bicycle.description)
                #expect(content.identifier == "wtu123456" && content.price.amount == "0")
                let token = try #require(content.item)
                #expect(try await bo.sale(sale).item == token)
                (content.category, content.tags) = ("vehicles", ["bicycle"])
                (content.price.amount, content.payment) = ("70000", "direct")

                var other = content
                other.identifier = "frame 8"
                let problems = try await bo.preview(other).problems
                #expect(problems.map(\.code) == ["bad_listing"])
                #expect(problems.map(\.field) == ["identifier"])
                let begun = try await bo.list(content)
                let ended = try await bo.follow(begun) { _ in }
                let again = try await bo.listing(ended.subject ?? "")
                #expect(again.isResale == true && again.maker == market.ana.account.address)
                let second = try await bo.sale(try #require(again.anchor?.sale))
                #expect(second.item == token && second.isResale == true)
                await Self.refused("item") { _ = try await bo.resale(of: sale) }
                // The sale's contract owns it now.
                #expect(try await bo.ownItems().isEmpty)
            }
        }
    }

    /// - From people: giving away a token that the account does not own, or to an address without a
    ///   key → not_allowed, bad_address
    @Test func `an owner gives a token away, and only the new owner sells it`() async throws {
        try await MarketNode.run { market in
            let (_, sale) = try await Self.sold(market)
            let ana = market.ana.account.address
            let token = try await market.asking(market.bo) { bo in
                let token = try #require(try await bo.ownItems().first?.token)
                let nowhere = "0x" + String(repeating: "0", count: 39) + "1"
                for (gift, code) in [
                    (Gift(to: ana, token: "999"), "not_allowed"),
                    (Gift(to: nowhere, token: token), "bad_address"),
                ] {
                    let problem = await #expect(throws: Problem.self) { try await bo.preview(gift) }
                    #expect(problem?.code == code)
                }
                let gift = Gift(to: ana, token: token)
                let preview = try await bo.preview(gift)
                #expect(preview.problems.isEmpty && preview.action == "give")
                #expect(
                    preview.receiver?.account == ana && preview.leaves.map(\.purpose) == ["fee"]
                )
                let begun = try await bo.give(gift, feeMax: preview.feeMax)
                #expect(try await bo.follow(begun) { _ in }.state == .done)
                try await waitUntil { try await bo.ownItems().isEmpty }
                await Self.refused("item") { _ = try await bo.resale(of: sale) }
                return token
            }
            try await market.asking(market.ana) { client in
                let items = try await client.ownItems()
                let resale = try await client.resale(of: sale)
                #expect(items.map(\.token) == [token] && resale.item == token)
            }
        }
    }

    @Test func `a resale keeps the pictures and words of the listing`() async throws {
        try await MarketNode.run { market in
            let picture = try await market.asking(market.ana) { ana in
                try await ana.addMedia(MediaSamples.png(30, 20))
            }
            let (listing, sale) = try await Self.sold(market) {
                $0.media = [ListingMedia(id: picture.id)]
            }
            try await market.asking(market.bo) { bo in
                let sold = try await bo.listing(listing).content
                var content = try await bo.resale(of: sale)
                #expect(content.media == sold.media && content.media?.count == 1)
                #expect(content.category == sold.category && content.tags == sold.tags)
                #expect(content.delivery == sold.delivery && content.direct == nil)
                content.price.amount = "70000"
                let preview = try await bo.preview(content)
                #expect(preview.problems.isEmpty)
                let taken = ["preview.resaleDelivery", "preview.resaleDescription"]
                #expect(Set(preview.explanation.map(\.code)).isSuperset(of: taken))
                let shown = ["preview.listedCategory", "preview.listedFiles"]
                #expect(Set(preview.explanation.map(\.code)).isSuperset(of: shown))
                content.description = "As new."
                let own = try await bo.preview(content).explanation.map(\.code)
                #expect(own.contains(taken[0]) && !own.contains(taken[1]))
            }
        }
    }

    /// Has Ana sell her bicycle to Bo, directly, and waits until the token is his.
    private static func sold(
        _ market: MarketNode,
        _ change: (inout ListingContent) -> Void = { _ in }
    ) async throws -> (listing: String, sale: String) {
        try await market.harness.dev.fund(try Address(text: market.bo.account.address))
        var content = MarketNode.bicycle
        (content.payment, content.price.amount) = ("direct", "50000")
        change(&content)
        let offered = content
        let listing = try await market.asking(market.ana) { ana in
            try await ana.waitUntilFunded()
            let begun = try await ana.list(offered)
            return try await ana.follow(begun) { _ in }.subject ?? ""
        }
        return try await market.asking(market.bo) { bo in
            try await bo.waitUntilFunded()
            let sale = try #require(try await bo.listing(listing).anchor?.sale)
            let begun = try await bo.buy(Purchase(listing: listing, shipTo: "DE", sale: sale))
            #expect(try await bo.follow(begun) { _ in }.state == .done)
            return (listing, sale)
        }
    }

    private static func refused(_ field: String, _ body: () async throws -> Void) async {
        let problem = await #expect(throws: Problem.self) { try await body() }
        #expect(problem?.code == "bad_listing" && problem?.field == field, "\(problem as Any)")
    }
}
