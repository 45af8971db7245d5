import Client
import Testing

/// What people of a ``CrashHarness`` ask for; things go by their titles.
extension CrashHarness {
    static let half = "500000000000000000"

    static func thing(
        _ title: String,
        _ price: String = half,
        in currency: String = "native"
    ) -> ListingContent {
        ListingContent(
            title: title,
            description: "As it is.",
            category: "things",
            tags: ["thing"],
            price: Money(amount: price, currency: currency),
            identifier: title,
            delivery: "pickup",
            pickupPlace: "The old bridge"
        )
    }

    static let collect: Request = { try await $0.collect(key: $1) }

    static func list(_ content: ListingContent) -> Request {
        { try await $0.list(content, key: $1) }
    }

    /// Lets somebody list a lamp, in two transactions: the first lets the contract mint.
    ///
    /// From then on each listing of that person is one transaction.
    mutating func listFirst(_ person: String) async throws {
        let lamp = Self.list(Self.thing("lamp"))
        try await run { [self] node in _ = try await done(person, on: node, lamp) }
    }

    static func buy(_ title: String) -> Request {
        { node, key in
            let id = try await listing(title, node).id
            return try await node.buy(Purchase(listing: id), key: key)
        }
    }

    static func reprice(_ title: String, _ price: String) -> Request {
        { node, key in
            var found = try await listing(title, node)
            found.content.price.amount = price
            return try await node.edit(listing: found.id, found.content, key: key)
        }
    }

    static func withdraw(_ title: String) -> Request {
        { node, key in
            let id = try await listing(title, node).id
            return try await node.withdraw(listing: id, key: key)
        }
    }

    static func move(_ name: String, _ title: String, share: UInt64? = nil) -> Request {
        { node, key in
            let sale = try #require(try await listing(title, node).anchor?.sale)
            return try await node.move(sale: sale, SaleMove(move: name, share: share), key: key)
        }
    }

    private static func listing(_ title: String, _ node: StoaClient) async throws -> Listing {
        var search = ListingSearch(text: title)
        search.includesOver = true
        let found = try await node.listings(search).items
        return try #require(found.first { $0.content.title == title }, "no \(title)")
    }
}
