import Client
import Foundation
import NIOHTTP1
import Support
import Testing

/// Favourites and carts over the API, on a market with a chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SavedListingsTests {
    /// Expects a refusal with a code, or none.
    private static func expect(
        _ code: String?,
        _ body: () async throws -> some Sendable
    ) async {
        var found: String?
        do { _ = try await body() } catch { found = (error as? Problem)?.code }
        #expect(found == code)
    }

    /// - From people: a favourite that is not on this node, or is not a listing's id →
    ///   unknown_listing
    /// - From people: removing a listing that is not a favourite → not_found
    @Test func `saves each favourite once, lists and removes it`() async throws {
        try await MarketNode.run { market in
            let bicycle = try await market.list().listing
            let lamp = try await market.list(title: "Lamp").listing
            try await market.asking(market.bo) { bo in
                #expect(try await bo.favourites().items.isEmpty)
                let saved = try await bo.favour(bicycle)
                #expect(saved.title == MarketNode.bicycle.title && saved.state == "open")
                #expect(saved.price == MarketNode.bicycle.price && saved.payment == "escrow")
                let seller = market.ana.account.address
                #expect(saved.profile == ProfileSummary(account: seller, name: "ana"))
                #expect(try await bo.favour("lamp").listing == lamp)
                #expect(try await bo.favour(bicycle).since == saved.since)
                let all = try await bo.favourites()
                #expect(all.items.map(\.listing) == [lamp, bicycle] && all.isLast)
                let first = try await bo.favourites(limit: 1)
                let second = try await bo.favourites(limit: 1, after: first.next)
                #expect((first.items + second.items).map(\.listing) == [lamp, bicycle])

                // Another listing with the same word is no favourite.
                let other = try await market.list(title: "Lamp of another").listing
                await Self.expect("ambiguous_id") { try await bo.favour("lamp") }
                await Self.expect("not_found") { try await bo.unfavour("another") }
                await Self.expect("not_found") { try await bo.unfavour(other) }
                try await bo.unfavour("lamp")
                #expect(try await bo.favourites().items.map(\.listing) == [bicycle])
                await Self.expect("not_found") { try await bo.unfavour(lamp) }
                _ = try await bo.favour(lamp)
                try await bo.unfavour(String(lamp.split(separator: ".")[1].prefix(8)))
                #expect(try await bo.favourites().items.map(\.listing) == [bicycle])
                let unknown = bicycle.dropLast(2) + "00"
                await Self.expect("unknown_listing") { try await bo.favour(String(unknown)) }
                await Self.expect("unknown_listing") { try await bo.favour("boat") }
            }
            // Nobody else has them.
            try await market.asking(market.ana) { ana in
                let own = try await ana.favourites()
                #expect(own.items.isEmpty)
            }
        }
    }

    /// - From people: removing a listing that is not in the cart → not_found
    /// - From people: a quantity of more than one in the cart, or below zero → malformed_value
    @Test func `a cart contains each listing once, with totals by currency`() async throws {
        try await MarketNode.run { market in
            let bicycle = try await market.list().listing
            let lamp = try await market.list(title: "Lamp").listing
            try await market.asking(market.bo) { bo in
                #expect(try await bo.cart() == Cart(lines: [], totals: []))
                _ = try await bo.put(inCart: bicycle)
                _ = try await bo.put(inCart: bicycle)
                let cart = try await bo.put(inCart: lamp)
                #expect(cart.lines.map(\.listing) == [lamp, bicycle])
                #expect(cart.lines.map(\.profile?.name) == ["ana", "ana"])
                let price = MarketNode.bicycle.price
                let twice = String(2 * (UInt64(price.amount) ?? 0))
                #expect(cart.totals.map(\.amount.amount) == [twice])
                #expect(cart.totals.map(\.listings) == [2])
                #expect(cart.totals.map(\.amount.currency) == [price.currency])

                for quantity in [2, 100, -1] {
                    let wrong = CartQuantity(quantity: quantity)
                    await Self.expect("malformed_value") { try await bo.put(inCart: lamp, wrong) }
                }
                _ = try await market.list(title: "Lamp of another")
                let left = try await bo.put(inCart: "lamp", CartQuantity(quantity: 0))
                #expect(left.lines.map(\.listing) == [bicycle])
                #expect(left.totals.map(\.amount) == [price])
                await Self.expect("not_found") { try await bo.remove(fromCart: lamp) }
                await Self.expect("not_found") { try await bo.remove(fromCart: "another") }
                try await bo.remove(fromCart: "bicycle")
                #expect(try await bo.cart().lines.isEmpty)
            }
        }
    }

    @Test func `a cart says if a listing was listed again since it was put in`() async throws {
        try await MarketNode.run { market in
            let bicycle = try await market.list().listing
            try await market.asking(market.bo) { bo in
                let cart = try await bo.put(inCart: bicycle)
                #expect(cart.lines.map(\.isListedAgain) == [false])
                let sale = try await bo.listing(bicycle).anchor?.sale
                #expect(sale != nil && cart.lines.map(\.sale) == [sale])
            }
            try await market.asking(market.ana) { ana in
                var content = try await ana.listing(bicycle).content
                content.price.amount = "400000000000000000"
                let begun = try await ana.edit(listing: bicycle, content)
                _ = try await ana.follow(begun) { _ in }
            }
            try await market.asking(market.bo) { bo in
                let cart = try await bo.cart()
                #expect(cart.lines.map(\.isListedAgain) == [true])
                #expect(try await bo.put(inCart: bicycle).lines.map(\.isListedAgain) == [false])
                #expect(try await bo.cart().lines.map(\.isListedAgain) == [false])
            }
        }
    }

    /// - From people: putting one's own listing, an ended one, an auction or a course into the cart
    ///   →
    ///   own_listing, listing_gone, not_allowed
    @Test func `a cart accepts only listings that its owner could buy at a price`() async throws {
        try await MarketNode.run { market in
            let bicycle = try await market.list().listing
            try await market.asking(market.ana) { ana in
                await Self.expect("own_listing") { try await ana.put(inCart: bicycle) }
                // An own listing may be a favourite all the same.
                let saved = try await ana.favour(bicycle)
                #expect(saved.listing == bicycle)
            }
            try await market.asking(market.bo) { bo in
                _ = try await bo.put(inCart: bicycle)
                _ = try await bo.favour(bicycle)
            }
            try await market.asking(market.ana) { ana in
                let operation = try await ana.withdraw(listing: bicycle)
                _ = try await ana.follow(operation) { _ in }
            }
            try await market.asking(market.bo) { bo in
                let cart = try await bo.cart()
                // Both remember the title; nothing else is known of a listing that is gone.
                #expect(cart.lines.map(\.title) == [MarketNode.bicycle.title])
                #expect(cart.lines.map(\.payment) == [nil] && cart.totals.isEmpty)
                let gone = try await bo.favourites().items
                #expect(gone.map(\.title) == [MarketNode.bicycle.title])
                await Self.expect("unknown_listing") { try await bo.put(inCart: bicycle) }
                #expect(try await bo.favourites().items.map(\.listing) == [bicycle])
                try await bo.unfavour(bicycle)
                try await bo.remove(fromCart: bicycle)
                await Self.expect("unknown_listing") { try await bo.put(inCart: bicycle) }
            }
        }
    }
}
