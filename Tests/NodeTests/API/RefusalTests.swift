import Answers
import Client
import Foundation
import Keys
import NIOHTTP1
import Setup
import Storage
import Support
import Testing
import TradeSupport

/// What people are refused over the API, by the code they are told.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RefusalTests {
    private static let nothing = "0x" + String(repeating: "0", count: 64)

    /// - From people: a listing that this node does not have → unknown_listing
    /// - From people: a sale that the chain does not show → unknown_sale
    /// - From people: another account's operation → unknown_operation
    /// - From people: a balance too small to buy or to list → insufficient_balance
    /// - From people: changing or withdrawing another account's listing → not_allowed
    @Test func `reports a lack of money, of ownership, or of the item`() async throws {
        try await MarketNode.run { market in
            let (listing, sale) = try await market.list()
            try await Self.poor(market, listing)
            try await Self.unknown(market, listing)
            try await Self.foreign(market, listing, sale)
        }
    }

    /// - From people: buying in or answering a sale that is not final → not_final_yet, with
    ///   `Retry-After`
    @Test func `refuses actions on a sale until its state is final`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await MarketNode.run(in: folder, on: harness) { market in
                _ = try await market.list()
                // At once: 64 blocks later it would be final for the next as well.
                try await harness.dev.control("evm_setIntervalMining", "[0]")
            }
            let flags = ["chain.confirmations": "64"]
            try await MarketNode.run(in: folder, on: harness, flags: flags) { market in
                let found = try await market.asking(market.bo) {
                    try await $0.listings(ListingSearch(text: "bicycle"))
                }
                let listing = try #require(found.items.first).id
                let body = #"{"listing":"\#(listing)","shipTo":"DE"}"#
                let answer = try await Self.post(market, "sales", body, by: market.bo)
                #expect(answer.status == 409 && answer.code == "not_final_yet")
                #expect(answer.headers.first(name: "retry-after") == "5")
                let problem = try answer.read(Problem.self)
                #expect(problem.detail.contains("of 64 confirmations; continue when it is final"))
                #expect(problem.reason?.map(\.code) == ["refusal.notFinalYet"])
                #expect(problem.reason?.first?.values["needed"] == "64")
                #expect(problem.reason?.detail == problem.detail)
            }
        }
    }

    /// - From people: a peer that cannot be reached, is not the named one, or is this node →
    ///   peer_unreachable
    @Test func `reports an unreachable peer with the reason`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let token = try DataFolder(path: node.folder).operatorToken()
            let peer = try #require(node.running.addresses.first?.split(separator: "/").last)
            let other = "16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"
            let port = try #require(node.running.addresses.first?.split(separator: "/")[3])
            for (address, reason) in [
                ("/ip4/127.0.0.1/tcp/1/p2p/\(other)", "Connection refused"),
                ("/ip4/127.0.0.1/tcp/\(port)/p2p/\(other)", "is \(peer), not the one named"),
                ("/ip4/127.0.0.1/tcp/\(port)/p2p/\(peer)", "this node's own"),
            ] {
                let answer = try await node.call(
                    .POST,
                    "peers",
                    body: #"{"address":"\#(address)"}"#,
                    token: token
                )
                #expect(answer.status == 503 && answer.code == "peer_unreachable")
                let detail = try answer.read(Problem.self).detail
                #expect(detail.contains(reason), "\(detail)")
            }
        }
    }

    /// - From people: a full disk or map, over the API → store_full
    /// - From people: a node that is stopping → shutting_down
    /// - From people: an error in the node itself → internal_error
    @Test(arguments: [
        (StorageError.diskFull(.commit), ProblemCode.storeFull, "Free some space"),
        (.mapFull(.put), .storeFull, "store.mapGibibytes"),
        (.stopped, .shuttingDown, "when it is running"),
        (.corrupt(.value(table: "records")), .internalError, "log"),
    ])
    func `a failing store's error says what the caller can do`(
        error: StorageError,
        code: ProblemCode,
        words: String
    ) {
        let refusal = Refusal(error)
        #expect(refusal.code == code)
        #expect(refusal.detail.contains(words))
    }

    /// - From people: a stranger's text in one of the node's messages → shortened, control
    ///   characters
    ///   replaced
    @Test func `shortens a stranger's text and removes control characters`() {
        #expect("bike".quoted == "'bike'")
        #expect("\u{1B}[31mred\u{7}\u{202E}".quoted == "'\u{FFFD}[31mred\u{FFFD}\u{FFFD}'")
        let long = String(repeating: "x", count: 1_000)
        #expect(long.quoted == "'" + String(repeating: "x", count: 90) + "…'")
        let stacked = "a" + String(repeating: "\u{301}", count: 1_000)
        #expect(stacked.quoted.unicodeScalars.count == 93)
    }

    private static func poor(_ market: MarketNode, _ listing: String) async throws {
        let body = #"{"listing":"\#(listing)","shipTo":"DE"}"#
        let buy = try await post(market, "sales", body, by: market.bo)
        #expect(buy.status == 422 && buy.code == "insufficient_balance")
        let bought = try buy.read(Problem.self).detail
        #expect(bought.contains("has 0 wei. Add funds first") || bought.contains("has 0 ETH"))
        let content = try #require(
            String(bytes: try WireCoding.encoder().encode(MarketNode.bicycle), encoding: .utf8)
        )
        let list = try await post(market, "listings", content, by: market.bo)
        #expect(list.status == 422 && list.code == "insufficient_balance")
    }

    private static func unknown(_ market: MarketNode, _ listing: String) async throws {
        let other = String(listing.dropLast()) + (listing.hasSuffix("0") ? "1" : "0")
        let (node, bo) = (market.node, market.bo)
        for path in ["listings/\(other)", "listings/none", "reviews?listing=\(other)"] {
            let answer = try await node.call(.GET, path, token: bo.token)
            #expect(answer.status == 404 && answer.code == "unknown_listing", "\(path)")
        }
        let buy = try await post(market, "sales", #"{"listing":"\#(other)"}"#, by: bo)
        #expect(buy.code == "unknown_listing")
        let detail = try buy.read(Problem.self).detail
        #expect(detail.contains("may not have arrived yet"))
        for path in ["sales/\(nothing)", "sales/none", "reviews?sale=none"] {
            let answer = try await node.call(.GET, path, token: bo.token)
            #expect(answer.status == 404 && answer.code == "unknown_sale", "\(path)")
        }
        let moves = try await post(market, "sales/\(nothing)/moves", #"{"move":"abort"}"#, by: bo)
        #expect(moves.code == "unknown_sale")
        let review = #"{"sale":"\#(nothing)","stars":5,"text":""}"#
        #expect(try await post(market, "reviews", review, by: bo).code == "unknown_sale")
        let operation = try await node.call(.GET, "operations/\(nothing)", token: bo.token)
        #expect(operation.status == 404 && operation.code == "unknown_operation")
    }

    private static func foreign(
        _ market: MarketNode,
        _ listing: String,
        _ sale: String
    ) async throws {
        let withdrawal = try await market.node.call(
            .DELETE,
            "listings/\(listing)",
            token: market.bo.token,
            headers: ["idempotency-key": "foreign"]
        )
        #expect(withdrawal.status == 403 && withdrawal.code == "not_allowed")
        let move = try await post(
            market,
            "sales/\(sale)/moves",
            #"{"move":"abort"}"#,
            by: market.bo
        )
        #expect(move.status == 403 && move.code == "not_your_sale")
    }

    private static func post(
        _ market: MarketNode,
        _ path: String,
        _ body: String,
        by session: Session
    ) async throws -> TestNode.Answer {
        try await market.node.call(
            .POST,
            path,
            body: body,
            token: session.token,
            headers: ["idempotency-key": UUID().uuidString]
        )
    }
}
