import Client
import Foundation
import Keys
import Support
import Testing
import TradeSupport

/// Where an item is sent: limits, exceptions and addresses, on a whole node with a chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DeliveryTests {
    private static let berlin = GeographicPoint(latitude: 52.52, longitude: 13.405)
    private static let potsdam = GeographicPoint(latitude: 52.39, longitude: 13.065)
    private static let munich = GeographicPoint(latitude: 48.137, longitude: 11.575)

    private static func refused(
        _ body: () async throws -> some Sendable
    ) async -> (code: String, field: String?)? {
        do {
            _ = try await body()
            return nil
        } catch {
            guard let problem = error as? Problem else { return ("\(error)", nil) }
            return (problem.code, problem.field)
        }
    }

    /// Lists a bicycle that is shipped to less than 50 km from Berlin.
    private static func list(_ market: MarketNode) async throws -> String {
        try await market.asking(market.ana) { client in
            try await client.waitUntilFunded()
            var content = MarketNode.bicycle
            content.shipsTo = []
            content.shipsWithin = ShippingDistance(metres: 50_000, place: "Berlin", point: berlin)
            let begun = try await client.list(content)
            let ended = try await client.follow(begun) { _ in }
            let listing = try await client.listing(ended.subject ?? "")
            #expect(listing.content.shipsWithin == content.shipsWithin)
            #expect(listing.content.shipsTo.isEmpty)
            return listing.id
        }
    }

    /// The search finds it by its distance from the caller, and counts it by that.
    private static func finds(_ client: StoaClient, _ listing: String) async throws {
        for (point, within, facets) in [
            (potsdam, 28, [50, 100, 250, 500]), (munich, 505, []), (munich, 20_000, []),
        ] {
            var search = ListingSearch()
            (search.near, search.within, search.countsFacets) = (point, within, true)
            let page = try await client.listings(search)
            #expect(page.items.map(\.id) == [listing], "\(within)")
            let counts = facets.map { ListingFacets.Count(value: "\($0)", count: 1) }
            #expect(page.facets?.distances == counts, "\(within)")
            #expect(page.facets?.reachesMe == nil)
            let metres = point == potsdam ? 27_000..<28_000 : 504_000..<505_000
            #expect(page.items.allSatisfy { $0.distance.map(metres.contains) == true })
        }
        for (point, within) in [(potsdam, 27), (munich, 504)] {
            var search = ListingSearch()
            (search.near, search.within, search.countsMatches) = (point, within, true)
            let page = try await client.listings(search)
            #expect(page.items.isEmpty && page.total == 0, "\(within)")
        }
    }

    private static func obstacle(
        _ client: StoaClient,
        _ purchase: Purchase
    ) async throws -> Problem? {
        try await client.preview(purchase).problems.first { $0.code == "shipping_not_possible" }
    }

    /// - From people: an exception for a listing that is not one's own or not shipped, or for
    ///   oneself → not_allowed, bad_address
    /// - From people: an address for a sale that one has not bought, or whose item has already been
    ///   sent
    ///   → not_your_sale, not_allowed
    /// - From people: a delivery address without a country, with more than three parts, with more
    ///   than 512 bytes, or empty → shipping_not_possible, malformed_value
    @Test func `buyers nearby or with an exception can buy and send the address`()
        async throws
    {
        try await MarketNode.run { market in
            let listing = try await Self.list(market)
            try await market.asking(market.bo) { try await Self.finds($0, listing) }
            try await market.harness.dev.fund(try Address(text: market.bo.account.address))
            let sale = try await market.asking(market.bo) { client in
                try await client.waitUntilFunded()
                try await Self.checkLimits(client, listing)
                try await market.asking(market.ana) { seller in
                    let exception = ShippingException(buyer: market.bo.account.address)
                    let told = try await seller.allow(exception, for: listing)
                    #expect(told.kind == "exception" && told.text.isEmpty)
                    let own = ShippingException(buyer: market.ana.account.address)
                    let refused = await Self.refused { try await seller.allow(own, for: listing) }
                    #expect(refused?.code == "bad_address")
                }
                try await waitUntil {
                    try await Self.obstacle(client, Purchase(listing: listing)) == nil
                }
                let begun = try await client.buy(Purchase(listing: listing))
                return try await client.follow(begun) { _ in }.subject ?? ""
            }
            try await Self.disclose(market, sale)
        }
    }

    /// What a buyer is told without a place, from near, from far, and with an address of his own.
    private static func checkLimits(_ client: StoaClient, _ listing: String) async throws {
        let without = try await obstacle(client, Purchase(listing: listing))
        #expect(without?.field == "shipToPoint")
        #expect(without?.detail.contains("only within 50 km of 'Berlin'") == true)
        let near = Purchase(listing: listing, shipToPoint: potsdam)
        #expect(try await obstacle(client, near) == nil)
        let far = Purchase(listing: listing, shipToPoint: munich)
        #expect(try await obstacle(client, far)?.detail.contains("504 km away") == true)
        let nowhere = GeographicPoint(latitude: 91, longitude: 0)
        let refused = await Self.refused {
            try await client.set(DeliveryAddress(point: nowhere))
        }
        #expect(refused?.code == "shipping_not_possible" && refused?.field == "point")

        let home = DeliveryAddress(text: "Bo\nMain Street 1", place: "Berlin, DE", point: berlin)
        #expect(try await client.set(home) == home)
        // However it is typed, a country is shown as ISO 3166 writes it.
        var typed = home
        typed.place = "Berlin,de"
        #expect(try await client.set(typed) == home)
        typed.place = String(repeating: "x", count: 157) + ",de"
        let long = typed
        let tooLong = await Self.refused { try await client.set(long) }
        #expect(tooLong?.code == "malformed_value" && tooLong?.field == "place")
        #expect(try await client.deliveryAddress() == home)
        #expect(try await obstacle(client, Purchase(listing: listing)) == nil)
        try await finds(client, reaching: listing)
        // What the purchase says counts, and not what was saved.
        #expect(try await obstacle(client, far) != nil)
        let moved = DeliveryAddress(text: "Bo\nSide Street 2", point: munich)
        _ = try await client.set(moved)
        #expect(try await obstacle(client, Purchase(listing: listing)) != nil)
        try await finds(client, reaching: nil)
        for wrong in [
            DeliveryAddress(place: "Narnia"), DeliveryAddress(place: "a, b, c, DE"),
            DeliveryAddress(text: String(repeating: "x", count: 513)), DeliveryAddress(text: " "),
        ] {
            let refused = await Self.refused { try await client.set(wrong) }
            #expect(refused != nil, "\(wrong)")
            #expect(["place", "text"].contains(refused?.field), "\(wrong)")
        }
        #expect(try await client.deliveryAddress() == moved)
    }

    /// Facets and the search for what can reach the account agree with the purchase.
    private static func finds(_ client: StoaClient, reaching listing: String?) async throws {
        var search = ListingSearch()
        search.countsFacets = true
        let all = try await client.listings(search)
        #expect(all.facets?.reachesMe == (listing == nil ? 0 : 1) && all.items.count == 1)
        (search.reachesMe, search.countsMatches) = (true, true)
        let reached = try await client.listings(search)
        #expect(reached.items.map(\.id) == [listing].compactMap { $0 })
        #expect(reached.total == reached.items.count && reached.totalIsLowerBound == false)
        #expect(reached.facets?.reachesMe == reached.items.count)
    }

    /// The buyer tells where it goes; the seller sees it until it is on its way.
    private static func disclose(_ market: MarketNode, _ sale: String) async throws {
        try await market.asking(market.bo) { client in
            try await waitUntil { try await client.sale(sale).phase == "paid" }
            let waiting = try await client.sale(sale)
            #expect(waiting.deliveryAddress == nil && waiting.own == "buyer")
            #expect(waiting.nextSteps.map(\.words.code) == ["next.address"])
            let sent = try await client.disclose(AddressDisclosure(), forSale: sale)
            #expect(sent.kind == "address" && sent.text == "Bo\nSide Street 2")
            #expect(try await client.sale(sale).deliveryAddress == "Bo\nSide Street 2")
            // The last one counts.
            let other = AddressDisclosure(text: "Bo\nHarbour 4")
            _ = try await client.disclose(other, forSale: sale)
            #expect(try await client.sales(list: "running").items.map(\.nextSteps) == [[]])
        }
        try await market.asking(market.ana) { client in
            try await waitUntil { try await client.sale(sale).deliveryAddress == "Bo\nHarbour 4" }
            // The conversation does not show it.
            let requests = try await client.conversations(requests: true).items
            let all = try await requests + client.conversations().items
            for conversation in all {
                let messages = try await client.messages(of: conversation.id)
                #expect(messages.allSatisfy { !$0.text.contains("Street") })
                #expect(messages.contains { $0.kind == "address" && $0.text.isEmpty })
            }
            #expect(!all.isEmpty)
            let mine = await Self.refused {
                try await client.disclose(AddressDisclosure(text: "Mine"), forSale: sale)
            }
            #expect(mine?.code == "not_your_sale")
            try await waitUntil {
                try await client.sale(sale).actions.map(\.move).contains("transfer")
            }
            let row = try #require(try await client.sales(list: "running").items.first)
            #expect(row.deliveryAddress == "Bo\nHarbour 4" && row.isOwnTurn)
            #expect(row.nextSteps.map(\.words.code) == ["next.send"])
            let begun = try await client.move(sale: sale, SaleMove(move: "transfer"))
            _ = try await client.follow(begun) { _ in }
            try await waitUntil { try await client.sale(sale).phase != "paid" }
            #expect(try await client.sale(sale).deliveryAddress == nil)
        }
        try await market.asking(market.bo) { client in
            // The buyer still sees what he said, and says nothing more.
            let shown = try await client.sale(sale)
            #expect(shown.deliveryAddress == "Bo\nHarbour 4")
            let late = await Self.refused {
                try await client.disclose(AddressDisclosure(), forSale: sale)
            }
            #expect(late?.code == "not_allowed")
        }
    }
}
