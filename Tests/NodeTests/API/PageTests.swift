import Client
import Foundation
import Keys
import Mail
import MailSupport
import NIOHTTP1
import Support
import Testing

/// Lists that grow with use, asked for in pages.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PageTests {
    /// - From people: an `after` that no page returned, an unknown phase or list, a limit out of
    ///   bounds → malformed_value
    @Test func `paging shows each sale and operation once, latest first`() async throws {
        try await MarketNode.run { market in
            try await Self.list(25, on: market)
            try await market.asking(market.ana) { client in
                let all = try await client.sales(limit: 100)
                #expect(all.next == nil)
                let sales = try await Self.walk { try await client.sales(limit: 10, after: $0) }
                #expect(sales.map(\.count) == [10, 10, 5])
                #expect(sales.joined().map(\.id) == all.items.map(\.id))
                #expect(Set(all.items.map(\.id)).count == 25)

                let operations = try await Self.walk {
                    try await client.operations(limit: 10, after: $0)
                }
                #expect(operations.map(\.count) == [10, 10, 5])
                #expect(Set(operations.joined().map(\.id)).count == 25)
                let times = operations.joined().map(\.createdAt)
                #expect(times == times.sorted(by: >))
            }
            try await Self.moveMeanwhile(market)
            try await Self.refused(market)
        }
    }

    /// A sale that moves during a walk, and one that is added, are shown by the next one.
    private static func moveMeanwhile(_ market: MarketNode) async throws {
        try await market.asking(market.ana) { client in
            let first = try await client.sales(limit: 10)
            let moved = try #require(first.items.last)
            let begun = try await client.move(sale: moved.id, SaleMove(move: "abort"))
            #expect(try await client.follow(begun) { _ in }.state == .done)
            try await list(1, on: market, from: 25)

            let rest = try await walk(from: first.next) {
                try await client.sales(limit: 10, after: $0)
            }.joined().map(\.id)
            #expect(rest.count == 15)
            #expect(Set(rest).isDisjoint(with: first.items.map(\.id)))
            let anew = try await client.sales(limit: 2).items
            #expect(anew.last?.id == moved.id && anew.last?.phase == "aborted")
            #expect(anew.first.map { !rest.contains($0.id) } == true)

            let aborted = try await client.sales(phase: "aborted")
            #expect(aborted.items.map(\.id) == [moved.id] && aborted.next == nil)
            #expect(try await client.sales(phase: "listed", limit: 100).items.count == 25)
            #expect(try await client.sales(phase: "paid").items.isEmpty)
            #expect(try await client.sales(list: "postings", limit: 100).items.count == 26)
            let both = try await client.sales(list: "postings", phase: "aborted")
            #expect(both.items.map(\.id) == [moved.id])
            #expect(try await client.sales(list: "purchases").items.isEmpty)
            let byDeadline = try await walk(from: nil) {
                try await client.sales(byDeadline: true, limit: 10, after: $0)
            }.joined().map { $0.deadline?.at ?? .distantFuture }
            #expect(byDeadline.count == 26 && byDeadline == byDeadline.sorted())
            #expect(byDeadline.last == .distantFuture)
        }
    }

    private static func refused(_ market: MarketNode) async throws {
        let zeros = String(repeating: "0", count: 64)
        for path in ["sales", "operations", "conversations"] {
            for query in [
                "after=", "after=1-0", "after=+1-0-\(zeros)", "after=1-0-0x\(zeros)",
                "after=01-0-\(zeros)", "after=x", "limit=0", "limit=101",
            ] {
                let answer = try await market.node.call(
                    .GET,
                    "\(path)?\(query)",
                    token: market.ana.token
                )
                #expect(answer.status == 400 && answer.code == "malformed_value", "\(query)")
                let field = try answer.read(Problem.self).field
                #expect(field.map(query.hasPrefix) == true)
            }
        }
        let list = try await market.node.call(.GET, "sales?list=x", token: market.ana.token)
        let refused = try list.read(Problem.self)
        #expect(list.status == 400 && refused.field == "list")
        let phase = try await market.node.call(.GET, "sales?phase=x", token: market.ana.token)
        #expect(phase.code == "malformed_value")
        #expect(try phase.read(Problem.self).detail.contains("listed, paid"))
    }

    @Test func `paging shows each conversation once`() async throws {
        try await ChatHarness.pair { harness, one, _, ana, bo in
            for number in 0..<24 {
                let listing = "\(ana.checksummed).\(Self.slot(number))"
                let opening = ConversationOpening(with: bo.checksummed, listing: listing)
                _ = try await one.chat.open(opening, by: ana)
                harness.clock.advance(by: number.isMultiple(of: 3) ? 1 : 0)
            }
            let all = try await one.conversations(of: ana).map(\.id)
            let pages = try await Self.walk {
                try await one.chat.conversations(of: ana, after: $0, limit: 10)
            }
            #expect(pages.map(\.count) == [10, 10, 4])
            #expect(pages.joined().map(\.id) == all)
            #expect(Set(all).count == 24)
        }
    }

    private static func slot(_ number: Int) -> String {
        String(repeating: "a", count: 62) + String(10 + number)
    }

    /// Has Ana put things up for sale, and waits until she sees it done.
    private static func list(
        _ count: Int,
        on market: MarketNode,
        from start: Int = 0
    ) async throws {
        try await market.asking(market.ana) { client in
            try await client.waitUntilFunded()
            var begun: [Client.Operation] = []
            for number in start..<start + count {
                var thing = MarketNode.bicycle
                thing.identifier = "WTU \(number)"
                thing.price.amount = "1000000000000000"
                begun.append(try await client.list(thing))
            }
            for operation in begun {
                #expect(try await client.follow(operation) { _ in }.state == .done)
            }
        }
    }

    /// The items of each page up to the last.
    private static func walk<Element: Codable & Hashable & Sendable>(
        from start: String? = nil,
        _ page: (String?) async throws -> Page<Element>
    ) async throws -> [[Element]] {
        var pages = [try await page(start)]
        while let after = pages.last?.next { pages.append(try await page(after)) }
        return pages.map(\.items)
    }
}
