import Client
import Foundation
import Keys
import NIOHTTP1
import Support
import Testing
import TradeSupport

/// The delivery address that a purchase comes with, on a whole node with a chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PurchaseAddressTests {
    private static let address = AddressDisclosure(text: "Bo\nMain Street 1")

    /// - From people: a purchase with the saved delivery address if there is none, or with an
    ///   invalid address → malformed_value
    @Test func `refuses a purchase without an address or with a bad one`() async throws {
        try await MarketNode.run { market in
            let (listing, sale) = try await market.list()
            try await market.harness.dev.fund(try Address(text: market.bo.account.address))
            try await market.asking(market.bo) { client in
                try await client.waitUntilFunded()
                var purchase = Purchase(listing: listing, shipTo: "DE")
                let bare = try await client.preview(purchase)
                #expect(bare.problems.isEmpty)
                #expect(bare.warnings.contains { $0.detail.contains("this purchase gives none") })

                purchase.address = Self.address
                let told = try await client.preview(purchase)
                #expect(
                    told.problems.isEmpty
                        && !told.warnings.contains { $0.detail.contains("address") }
                )
                #expect(told.explanation.contains { $0.detail.contains("Main Street 1") })

                for wrong in [AddressDisclosure(), AddressDisclosure(text: " ")] {
                    purchase.address = wrong
                    let shown = try await client.preview(purchase)
                    #expect(shown.problems.map(\.code) == ["malformed_value"], "\(wrong)")
                    let asked = purchase
                    let refused = await #expect(throws: Problem.self) {
                        try await client.buy(asked)
                    }
                    #expect(refused?.code == "malformed_value", "\(wrong)")
                }
                #expect(try await client.sale(sale).phase == "listed")
                #expect(try await client.operations().items.isEmpty)
            }
        }
    }

    @Test func `the seller gets the address even if the buyer's node ended early`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let key = IdempotencyKey("purchase")
            // Dies at the latest here: nobody follows the purchase, and no block is final yet.
            try await MarketNode.run(in: folder, on: harness) { market in
                let (listing, sale) = try await market.list()
                try await harness.dev.fund(try Address(text: market.bo.account.address))
                try await market.asking(market.bo) { client in
                    try await client.waitUntilFunded()
                    let purchase = Purchase(listing: listing, shipTo: "DE", address: Self.address)
                    let begun = try await client.buy(purchase, key: key)
                    #expect(begun.phases.last?.name == .told)
                    #expect(try await client.buy(purchase, key: key).id == begun.id)
                    var other = purchase
                    other.address = AddressDisclosure(text: "Somebody else")
                    let changed = other
                    let refused = await #expect(throws: Problem.self) {
                        try await client.buy(changed, key: key)
                    }
                    #expect(refused?.code == "idempotency_key_reused")
                    #expect(try await client.sale(sale).deliveryAddress == nil)
                }
                let kept = try Data(contentsOf: folder.url.appending(path: "store/data.mdb"))
                #expect(kept.firstRange(of: Data("Main Street 1".utf8)) == nil)
            }
            try await MarketNode.run(in: folder, on: harness) { market in
                let sale = try await market.asking(market.bo) { client in
                    let begun = try #require(try await client.operations().items.first)
                    let ended = try await client.follow(begun) { _ in }
                    #expect(ended.state == .done && ended.phases.allSatisfy { $0.state == .done })
                    return ended.subject ?? ""
                }
                try await market.asking(market.ana) { client in
                    try await waitUntil {
                        try await client.sale(sale).deliveryAddress == Self.address.text
                    }
                }
            }
        }
    }

    @Test func `does not replace an address that the buyer sent in the meantime`() async throws {
        try await MarketNode.run { market in
            let (listing, sale) = try await market.list()
            try await market.harness.dev.fund(try Address(text: market.bo.account.address))
            try await market.asking(market.bo) { client in
                try await client.waitUntilFunded()
                let purchase = Purchase(listing: listing, shipTo: "DE", address: Self.address)
                let begun = try await client.buy(purchase)
                // As soon as the sale is seen as paid, which is before it is final.
                try await waitUntil { try await client.sale(sale).phase == "paid" }
                let other = AddressDisclosure(text: "Bo\nHarbour 4")
                _ = try? await client.disclose(other, forSale: sale)
                #expect(try await client.follow(begun) { _ in }.state == .done)
                let told = try await client.conversations().items.first?.lastMessage?.text
                #expect(try await client.sale(sale).deliveryAddress == told)
                #expect(told == other.text)
            }
        }
    }

    @Test func `buying a relisted item again sends the new address`() async throws {
        try await MarketNode.run { market in
            let (listing, sale) = try await market.list()
            try await market.harness.dev.fund(try Address(text: market.bo.account.address))
            for text in ["Bo\nMain Street 1", "Bo\nHarbour 4"] {
                try await market.asking(market.bo) { client in
                    try await client.waitUntilFunded()
                    try await Self.wait(client, for: sale) { $0.phase == "listed" }
                    let address = AddressDisclosure(text: text)
                    let purchase = Purchase(listing: listing, shipTo: "DE", address: address)
                    let ended = try await client.follow(try await client.buy(purchase)) { _ in }
                    #expect(ended.state == .done && ended.phases.allSatisfy { $0.state == .done })
                }
                try await market.asking(market.ana) { client in
                    try await Self.wait(client, for: sale) { $0.deliveryAddress == text }
                    let relisted = try await client.move(sale: sale, SaleMove(move: "relist"))
                    #expect(try await client.follow(relisted) { _ in }.state == .done)
                }
            }
        }
    }

    /// Waits until the sale is as wanted and final in the node's book, which may follow a block
    /// later than the operation that brought it there.
    private static func wait(
        _ client: StoaClient,
        for sale: String,
        until isWanted: (Client.Sale) -> Bool
    ) async throws {
        try await waitUntil {
            let shown = try await client.sale(sale)
            return isWanted(shown) && shown.confirmations == shown.confirmationsNeeded
        }
    }
}
