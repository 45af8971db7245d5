import Client
import Contracts
import Keys
import Market
import NIOHTTP1
import Support
import Testing
import TradeSupport

/// What accounts whose keys are in wallets outside the node buy, change and give up, over the API.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ExternalTradeTests {
    private static let key = testKey(77)
    private static let coin = MarketPlan.TestToken(name: "Test", symbol: "TST", decimals: 2)

    /// Adds Cara, who has ten ether, and lends a client that asks in her name.
    private static func asCara(
        _ market: MarketNode,
        _ body: (OutsideWallet) async throws -> Void
    ) async throws {
        let cara = try await OutsideWallet.add(key, as: "cara", to: market.node)
        try await market.harness.dev.fund(key.address)
        try await market.asking(cara) { client in
            try await client.waitUntilFunded()
            try await body(OutsideWallet(client: client, key: key))
        }
    }

    @Test func `a purchase in a token needs two signatures, described as previewed`() async throws {
        try await MarketHarness.scoped(tokens: [Self.coin]) { harness in
            try await MarketNode.run(in: try TemporaryFolder(), on: harness) { market in
                let token = try #require(harness.market.tokens.first?.address.checksummed)
                var content = MarketNode.bicycle
                content.price = Money(amount: "12500", currency: token)
                content.payment = "direct"
                let ended = try await market.asking(market.ana) { client in
                    try await client.waitUntilFunded()
                    return try await client.follow(try await client.list(content)) { _ in }
                }
                let listing = try #require(ended.subject)
                try await harness.mint(20_000, for: Self.key.address)
                try await Self.asCara(market) { wallet in
                    let client = wallet.client
                    func coins() async throws -> String? {
                        try await client.wallet().balances.first { $0.currency == token }?.amount
                    }
                    try await waitUntil { try await coins() != "0" }
                    let wanted = Purchase(listing: listing, shipTo: "DE")
                    let shown = try await client.preview(wanted)
                    #expect(shown.problems.isEmpty, "\(shown.problems)")
                    let begun = try await client.buy(wanted, feeMax: shown.feeMax)
                    let (done, words) = try await wallet.carryOut(begun, wallet.signature)
                    #expect(done.state == .done, "\(done)")
                    #expect(
                        words.map(\.first) == [
                            "Allow a contract to take tokens of yours",
                            "Buy an item; the payment is final",
                        ]
                    )
                    #expect(words.first?.contains("At most: 125 TST") == true, "\(words)")
                    #expect(words.last?.contains("Price: 125 TST") == true, "\(words)")
                    #expect(try await coins() == "7500")
                    let mine = try await client.listing(listing).anchor?.sale ?? ""
                    #expect(try await client.sale(mine).buyer == Self.key.address.checksummed)
                }
            }
        }
    }

    @Test func `the wallet signs each change of a listing as shown`() async throws {
        try await MarketNode.run { market in
            try await Self.asCara(market) { wallet in
                let client = wallet.client
                let begun = try await client.list(MarketNode.bicycle)
                let (listed, _) = try await wallet.carryOut(begun, wallet.signature)
                let listing = try #require(listed.subject)
                var (first, second) = (MarketNode.bicycle, MarketNode.bicycle)
                (first.title, second.title) = ("Green bicycle", "Blue bicycle")
                let green = try await client.edit(listing: listing, first)
                let blue = try await client.edit(listing: listing, second)
                let old = try await wallet.request(green)
                #expect(old.words.first?.detail.contains("Green bicycle") == true, "\(old.words)")
                let (done, _) = try await wallet.carryOut(blue, wallet.signature)
                #expect(done.state == .done, "\(done)")
                #expect(try await client.listing(listing).content.title == "Blue bicycle")
                // What was shown before the other change took its place is not what is asked now.
                let stale = try await ProblemCode.refusing {
                    _ = try await client.give(try wallet.signature(old), operation: green.id)
                }
                #expect(stale == .badSignature)
                #expect(try await client.listing(listing).content.title == "Blue bicycle")
                let (last, _) = try await wallet.carryOut(green, wallet.signature)
                #expect(last.state == .done, "\(last)")
                #expect(try await client.listing(listing).content.title == "Green bicycle")
            }
        }
    }

    @Test func `accepts one of several answers to a request and pays once`() async throws {
        try await MarketNode.run { market in
            try await Self.asCara(market) { wallet in
                let client = wallet.client
                let bo = testKey(78).address.checksummed
                let begun = try await client.send(Transfer(to: bo, amount: "1000"))
                let answer = try wallet.signature(try await wallet.request(begun))
                let codes = try await withThrowingTaskGroup(of: ProblemCode?.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try await ProblemCode.refusing {
                                _ = try await client.give(answer, operation: begun.id)
                            }
                        }
                    }
                    return try await group.reduce(into: [ProblemCode?]()) { $0.append($1) }
                }
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                #expect(codes.count { $0 == .moveNotOpen } == 3, "\(codes)")
                let done = try await client.follow(begun) { _ in }
                #expect(done.state == .done)
                let own = try #require(
                    Amount(decimal: try await client.wallet().balances[0].amount)
                )
                #expect(own < Amount(small: 10_000_000_000_000_000_000))
                let again = try await ProblemCode.refusing {
                    _ = try await client.give(answer, operation: begun.id)
                }
                #expect(again == .moveNotOpen)
            }
        }
    }

    @Test func `a cancellation does not deny a transaction that may have been sent`() async throws {
        try await MarketNode.run { market in
            try await Self.asCara(market) { wallet in
                let client = wallet.client
                let bo = testKey(78).address.checksummed
                let begun = try await client.send(Transfer(to: bo, amount: "1000"))
                _ = try await wallet.request(begun)
                _ = try await client.cancel(operation: begun.id)
                let ended = try await client.follow(begun) { _ in }
                let detail = ended.problem?.detail ?? ""
                #expect(detail.contains("If your wallet has sent the transaction"), "\(detail)")
            }
        }
    }

    @Test func `earlier operations do not block an account that is added again`() async throws {
        try await MarketNode.run { market in
            let bo = testKey(78).address.checksummed
            try await Self.asCara(market) { wallet in
                let begun = try await wallet.client.send(Transfer(to: bo, amount: "1000"))
                _ = try await wallet.request(begun)
            }
            let removal = #"{"password":"correct horse","acceptsLosses":true}"#
            let removed = try await market.node.call(.POST, "accounts/cara/remove", body: removal)
            #expect(removed.status == 204)
            try await Self.asCara(market) { wallet in
                #expect(try await wallet.client.operations().items.isEmpty)
                // The very same, which is a new wish.
                let begun = try await wallet.client.send(Transfer(to: bo, amount: "1000"))
                let (done, words) = try await wallet.carryOut(begun, wallet.signature)
                #expect(done.state == .done && words.count == 1, "\(done)")
            }
        }
    }
}
