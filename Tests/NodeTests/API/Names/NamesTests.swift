import Client
import Foundation
import Keys
import NIOHTTP1
import Support
import Testing
import TradeSupport

/// What people type in place of whole ids and addresses, over the API.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NamesTests {
    @Test func `accepts an id's prefix, a name, or words of a title`() async throws {
        try await MarketNode.run { market in
            let (listing, sale) = try await market.list()
            let slot = String(listing.suffix(64))
            try await market.asking(market.ana) { ana in
                for text in [
                    listing, String(slot.prefix(8)), "0x" + slot.prefix(4), slot.prefix(9) + "…",
                    market.ana.account.address + "." + slot.prefix(5), "Red bicycle", "BICY red",
                    "stoa:listing/" + listing, "STOA:listing/" + listing,
                ] {
                    #expect(try await ana.listing(text).id == listing, "\(text)")
                }
                #expect(try await ana.listing(listing).own == "seller")
                let found = try await ana.listings(ListingSearch(text: "bicycle")).items
                #expect(found.map(\.own) == ["seller"])
                let short = String(sale.dropFirst(2).prefix(5))
                for text in [sale, String(sale.prefix(8)), short, "bicycle"] {
                    #expect(try await ana.sale(text).id == sale, "\(text)")
                }
                let operation = try #require(try await ana.operations().items.first).id
                #expect(try await ana.operation(String(operation.prefix(9))).id == operation)
            }
            try await Self.names(market, listing)
            try await Self.links(market, listing)
            try await Self.buysWhatWasPreviewed(market, listing, sale)
        }
    }

    /// A link that somebody passed on stands for its listing wherever one is taken.
    private static func links(_ market: MarketNode, _ listing: String) async throws {
        let link = "stoa:listing/" + listing
        try await market.asking(market.bo) { bo in
            #expect(try await bo.favour(link).listing == listing)
            try await bo.unfavour(link)
            #expect(try await bo.favourites().items.isEmpty)
            #expect(try await bo.put(inCart: link).lines.map(\.listing) == [listing])
            try await bo.remove(fromCart: link)
            let preview = try await bo.preview(Purchase(listing: link, shipTo: "DE"))
            #expect(preview.action == "buy" && preview.sale?.title == MarketNode.bicycle.title)
            let opening = ConversationOpening(with: "ana", listing: link)
            #expect(try await bo.openConversation(opening).listing == listing)
            #expect(try await bo.reviews(.listing(link)).items.isEmpty)
        }
    }

    private static func names(_ market: MarketNode, _ listing: String) async throws {
        let ana = market.ana.account.address
        try await market.asking(market.bo) { bo in
            let opening = ConversationOpening(with: "Ana", listing: "bicycle")
            let talk = try await bo.openConversation(opening)
            #expect(talk.with == ana && talk.listing == listing)
            for text in [String(talk.id.prefix(10)), "ana", String(ana.prefix(8))] {
                #expect(try await bo.messages(of: text).isEmpty, "\(text)")
            }
            let known = try await bo.names()
            #expect(Set(known.map(\.name)) == ["ana", "bo"] && known.allSatisfy(\.isHere))
            var search = ListingSearch(text: "bicycle", author: "ana")
            #expect(try await bo.listings(search).items.map(\.own) == [nil])
            search.author = "bo"
            #expect(try await bo.listings(search).items.isEmpty)
            #expect(try await bo.block(BlockRequest(account: "ana")).account == ana)
            try await bo.unblock("ana")
        }
    }

    /// - From people: a name that this node does not know, in place of an account → bad_address
    /// - From people: a text that is not the id or title of any listing here → unknown_listing
    @Test func `finds a seller by a shortened address and reports an unknown one`() async throws {
        try await MarketNode.run { market in
            let listing = try await market.list().listing
            let ana = market.ana.account.address
            func ask(_ path: String) async throws -> TestNode.Answer {
                // From elsewhere, this caller knows the names of no account but its own.
                try await market.node.call(
                    .GET,
                    path,
                    token: market.bo.token,
                    headers: ["x-forwarded-for": "192.0.2.7"]
                )
            }
            for text in [ana.prefix(6) + "%E2%80%A6" + ana.suffix(4), ana.prefix(8)] {
                let page: Page<Listing> = try await ask("listings?author=\(text)").read()
                #expect(page.items.map(\.id) == [listing], "\(text)")
                #expect(try await ask("reviews?account=\(text)").status == 200)
            }
            for text in ["carl", "0xabcd%E2%80%A60000"] {
                let refused = try await ask("listings?author=\(text)")
                #expect(refused.code == "bad_address")
            }
            let unknown = try await ask("listings/nothing%20such")
            #expect(unknown.code == "unknown_listing")
            #expect(try unknown.object()["detail"] as? String != nil)
        }
    }

    /// Words of a title buy only what its preview has shown.
    private static func buysWhatWasPreviewed(
        _ market: MarketNode,
        _ listing: String,
        _ sale: String
    ) async throws {
        try await market.harness.dev.fund(try Address(text: market.bo.account.address))
        try await market.asking(market.bo) { bo in
            var purchase = Purchase(listing: "bicycle", shipTo: "DE")
            let refused = await #expect(throws: Problem.self) { try await bo.buy(purchase) }
            #expect(refused?.code == ProblemCode.unknownListing.rawValue)
            let preview = try await waitFor {
                let preview = try await bo.preview(purchase)
                return preview.problems.isEmpty ? preview : nil
            }
            #expect(preview.subject == sale)
            purchase.sale = preview.subject
            let begun = try await bo.buy(purchase)
            #expect(try await bo.follow(begun) { _ in }.state == .done)
        }
    }

    /// - From people: the beginning of an id, a name or a title that matches several things →
    ///   ambiguous_id
    @Test func `refuses an ambiguous prefix or title with the candidates`() async throws {
        try await MarketNode.run { market in
            let first = try await market.list().listing
            let second = try await market.list().listing
            try await market.asking(market.ana) { ana in
                let refused = await #expect(throws: Problem.self) {
                    try await ana.listing("bicycle")
                }
                let problem = try #require(refused)
                #expect(problem.code == "ambiguous_id" && problem.status == 409)
                #expect(problem.detail.contains(first) && problem.detail.contains(second))
                let codes = problem.reason?.map(\.code)
                #expect(
                    codes == [
                        "refusal.matchesSeveral", "match.offer", "match.offer", "refusal.giveID",
                    ]
                )
                #expect(problem.reason?[1].values["state"] == "phase.listed")
                // Only one of them can still be bought.
                let begun = try await ana.withdraw(listing: String(first.suffix(64).prefix(12)))
                #expect(try await ana.follow(begun) { _ in }.state == .done)
                #expect(try await ana.listing("bicycle").id == second)
                await #expect(throws: Problem.self) { try await ana.listing("0123") }
            }
        }
    }

    @Test func `a remote caller sees only its own and its contacts' names`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let ana = try await node.signIn("ana")
            _ = try await node.signIn("bo")
            let forwarded = ["x-forwarded-for": "192.0.2.7"]
            let names: [AccountName] = try await node.call(
                .GET,
                "names",
                token: ana.token,
                headers: forwarded
            ).read()
            #expect(names.map(\.name) == ["ana"])
            let opened = try await node.call(
                .POST,
                "conversations",
                body: #"{"with":"bo"}"#,
                token: ana.token,
                headers: forwarded
            )
            #expect(opened.code == "bad_address")
        }
    }
}
