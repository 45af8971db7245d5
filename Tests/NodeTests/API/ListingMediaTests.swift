import Client
import Foundation
import Keys
import Support
import Testing
import TradeSupport

/// Listings with pictures and documents, on a whole node with a chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListingMediaTests {
    @Test func `a listing shows its files, and an edit keeps or removes them`() async throws {
        try await MarketNode.run { market in
            try await market.asking(market.ana) { client in
                try await client.waitUntilFunded()
                let picture = try await client.addMedia(MediaSamples.png(30, 20))
                let bill = try await client.addMedia(MediaSamples.pdf())
                let shown = [picture, bill].map {
                    ListingMedia(id: $0.id, type: $0.type, length: $0.length)
                }
                var content = MarketNode.bicycle
                content.media = [ListingMedia(id: picture.id), shown[1]]
                let begun = try await client.list(content)
                let ended = try await client.follow(begun) { _ in }
                let listing = try await client.listing(ended.subject ?? "")
                #expect(listing.content.media == shown && listing.isAsPromised == true)
                #expect(try await client.media(picture.id).bytes.count == Int(picture.length))
                try await Self.checkRows(market, of: listing, shown[0])

                let own = try await client.addedMedia()
                #expect(Set(own.items.map(\.id)) == Set(shown.map(\.id)) && own.isLast)
                #expect(own.items.map(\.isNamed) == [true, true])
                let kept = await #expect(throws: Problem.self) {
                    try await client.removeMedia(bill.id)
                }
                #expect(kept?.code == "not_allowed")
                let first = try await client.addedMedia(limit: 1)
                let second = try await client.addedMedia(limit: 1, after: first.next)
                #expect(first.items + second.items == own.items)

                var words = listing.content
                (words.media, words.description) = (nil, "With new tyres.")
                #expect(try await Self.edited(listing.id, words, client).content.media == shown)
                words.media = []
                let bare = try await Self.edited(listing.id, words, client)
                #expect(bare.content.media == [] && bare.isAsPromised == false)
                try await client.removeMedia(bill.id)
                #expect(try await client.addedMedia().items.map(\.id) == [picture.id])
                let gone = await #expect(throws: Problem.self) {
                    try await client.removeMedia(bill.id)
                }
                #expect(gone?.code == "unknown_media")
                for wrong in [
                    [ListingMedia(id: "0x" + String(repeating: "0f", count: 32))],
                    [ListingMedia](repeating: shown[0], count: 2),
                    [ListingMedia](repeating: shown[0], count: 7),
                ] {
                    words.media = wrong
                    let problems = try await client.preview(editing: listing.id, words).problems
                    #expect(problems.map(\.code) == ["bad_listing"])
                    #expect(problems.map(\.field) == ["media"])
                }
            }
        }
    }

    /// The lists that show a listing have its first picture, and who sells it.
    private static func checkRows(
        _ market: MarketNode,
        of listing: Listing,
        _ picture: ListingMedia
    ) async throws {
        try await market.asking(market.bo) { bo in
            let seller = ProfileSummary(account: market.ana.account.address, name: "ana")
            let saved = try await bo.favour(listing.id)
            #expect(saved.picture == picture && saved.profile == seller)
            let opening = ConversationOpening(with: seller.account, listing: listing.id)
            let talk = try await bo.openConversation(opening)
            #expect(talk.picture == picture && talk.profile == seller)
            let rows = try await bo.rows(ListingSearch()).items
            #expect(rows.map(\.id) == [listing.id])
            #expect(rows.first?.picture == ListingMedia(id: picture.id))
        }
        try await market.asking(market.ana) { ana in
            let sale = try #require(try await ana.sales().items.first)
            #expect(sale.picture == picture && sale.title == listing.content.title)
            #expect(sale.own == "seller" && sale.other == nil && !sale.isOwnTurn)
            #expect(sale.turn.values["task"] == "turn.buy")
        }
    }

    /// - From people: a search for an identifier without letters and digits, or with more than 64 →
    ///   malformed_value
    @Test func `a review shows its files, and its identifier leads to its item`() async throws {
        try await MarketNode.run { market in
            let listing = try await market.asking(market.ana) { client in
                try await client.waitUntilFunded()
                let begun = try await client.list(MarketNode.bicycle)
                return try await client.follow(begun) { _ in }.subject ?? ""
            }
            try await market.harness.dev.fund(try Address(text: market.bo.account.address))
            let sale = try await market.asking(market.bo) { client in
                try await client.waitUntilFunded()
                let begun = try await client.buy(Purchase(listing: listing, shipTo: "DE"))
                return try await client.follow(begun) { _ in }.subject ?? ""
            }
            for (seller, move) in [(true, "transfer"), (false, "confirm")] {
                try await market.asking(seller ? market.ana : market.bo) { client in
                    try await waitUntil {
                        try await client.sale(sale).actions.map(\.move).contains(move)
                    }
                    let begun = try await client.move(sale: sale, SaleMove(move: move))
                    #expect(try await client.follow(begun) { _ in }.state == .done)
                }
            }
            try await market.asking(market.bo) { client in
                let picture = try await client.addMedia(MediaSamples.png(30, 20))
                let shown = ListingMedia(
                    id: picture.id,
                    type: picture.type,
                    length: picture.length
                )
                try await waitUntil { try await !client.sales(list: "to_review").items.isEmpty }
                let draft = ReviewDraft(
                    sale: sale,
                    stars: 5,
                    media: [ListingMedia(id: picture.id)]
                )
                let preview = try await client.preview(draft)
                #expect(preview.summary.detail.contains("with a file"))
                let written = try await client.review(draft)
                #expect(written.media == [shown] && written.text.isEmpty)
                let found = try await client.reviews(.listing(listing))
                #expect(found.items == [written])
                // The same again is no other review, and one without the file is.
                #expect(try await client.review(draft) == written)
                let problem = await #expect(throws: Problem.self) {
                    try await client.review(ReviewDraft(sale: sale, stars: 5))
                }
                #expect(problem?.code == "already_reviewed")
                #expect(try await client.sales(list: "to_review").items.isEmpty)
            }
            try await Self.checkIdentifier(market, sold: listing)
        }
    }

    /// What is known of the bicycle's identifier after its sale, and when two offer it at once.
    private static func checkIdentifier(_ market: MarketNode, sold: String) async throws {
        let typed = " " + MarketNode.bicycle.identifier.uppercased() + "-"
        try await market.asking(market.bo) { client in
            let check = try await client.check(identifier: typed)
            #expect(check.listings.map(\.listing) == [sold] && !check.isContested)
            #expect(check.listings.first?.state == "over")
            #expect(check.listings.first?.authorsSales == 1)
            #expect(check.items.map(\.owner) == [market.bo.account.address])
            #expect(try await client.check(identifier: "another 1").listings.isEmpty)
            let problem = await #expect(throws: Problem.self) {
                try await client.check(identifier: "??")
            }
            #expect(problem?.code == "malformed_value" && problem?.field == "identifier")
        }
        for session in [market.ana, market.bo] {
            try await market.asking(session) { client in
                let begun = try await client.list(MarketNode.bicycle)
                #expect(try await client.follow(begun) { _ in }.state == .done)
            }
        }
        try await market.asking(market.ana) { client in
            try await waitUntil { try await client.check(identifier: typed).isContested }
            let check = try await client.check(identifier: typed)
            #expect(check.listings.count == 3)
            #expect(check.identifier == check.items.first?.identifier)
        }
    }

    private static func edited(
        _ id: String,
        _ content: ListingContent,
        _ client: StoaClient
    ) async throws -> Listing {
        let begun = try await client.edit(listing: id, content)
        let ended = try await client.follow(begun) { _ in }
        #expect(ended.state == .done)
        return try await client.listing(id)
    }
}
