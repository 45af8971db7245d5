import AccountAccess
import Client
import Foundation
import Keys
import Market
import NIOCore
import Storage
import Support
import Testing
import Trade
import TradeSupport

extension MarketServicesTests {
    static func reviews(
        _ node: RunningMarket,
        listing: String,
        sale: String,
        ana: Address,
        bo: Address
    ) async throws {
        let reviews = node.market.reviews
        let draft = ReviewDraft(sale: sale, stars: 5)
        for account in [ana, bo] {
            #expect(try await lists(of: account, node).contains("to_review"))
        }
        var named = draft
        named.media = [ListingMedia(id: "0x00")]
        #expect(try await code { try await reviews.write(named, by: bo) } == .malformedValue)
        named.media = [ListingMedia](repeating: ListingMedia(id: "0x00"), count: 4)
        #expect(try await code { try await reviews.write(named, by: bo) } == .malformedValue)
        let written = try await reviews.write(draft, by: bo)
        // Who has reviewed a sale is not asked to do it again.
        #expect(try await lists(of: bo, node) == ["purchases", "to_collect"])
        #expect(try await lists(of: ana, node) == ["sold", "to_review", "to_collect"])
        #expect(written.subject == ana.checksummed)
        #expect(written.listing == listing)
        let alone = Page(items: [written], next: nil)
        #expect(try await reviews.reviews(ofSale: sale, limit: 1) == alone)
        #expect(try await reviews.reviews(ofListing: listing, limit: 1).items == [written])
        #expect(try await reviews.reviews(ofAccount: ana.checksummed, limit: 1).items == [written])
        #expect(try await reviews.reviews(ofAccount: bo.checksummed, limit: 1).items.isEmpty)
        try await once(node, sale, ana: ana, bo: bo, written)
        let stranger = testKey(7).address
        #expect(try await code { try await reviews.write(draft, by: stranger) } == .reviewRefused)
    }

    /// The names of the lists that show an account any of its sales.
    static func lists(of account: Address, _ node: RunningMarket) async throws -> [String] {
        var names: [String] = []
        for list in SaleList.allCases.map(\.rawValue) {
            let page = try await node.market.sales.sales(of: account, on: list, limit: 9)
            if !page.items.isEmpty { names.append(list) }
        }
        return names
    }

    /// A review can be repeated and not changed, and both sides' are read page by page.
    private static func once(
        _ node: RunningMarket,
        _ sale: String,
        ana: Address,
        bo: Address,
        _ written: Client.Review
    ) async throws {
        let reviews = node.market.reviews
        let draft = ReviewDraft(sale: sale, stars: 5)
        #expect(try await reviews.write(draft, by: bo) == written)
        let same = try await reviews.preview(draft, by: bo)
        #expect(
            same.explanation.contains {
                $0.detail.contains("already published exactly this review")
            }
        )
        for other in [
            ReviewDraft(sale: sale, stars: 4), ReviewDraft(sale: sale, stars: 5, text: "Late."),
        ] {
            #expect(try await code { try await reviews.write(other, by: bo) } == .alreadyReviewed)
            #expect(
                try await code { try await reviews.preview(other, by: bo) } == .alreadyReviewed
            )
        }
        #expect(try await reviews.reviews(ofSale: sale, limit: 9).items == [written])

        // Of several at once, one is published.
        let texts = (1...4).map { ReviewDraft(sale: sale, stars: 3, text: "Number \($0).") }
        let published = await withTaskGroup(of: Client.Review?.self) { group in
            for text in texts {
                group.addTask { try? await reviews.write(text, by: ana) }
            }
            return await group.reduce(into: [Client.Review]()) { found, review in
                if let review { found.append(review) }
            }
        }
        #expect(published.count == 1)
        let first = try await reviews.reviews(ofSale: sale, limit: 1)
        #expect(first.items == published && !first.isLast)
        let last = try await reviews.reviews(ofSale: sale, after: first.next, limit: 1)
        #expect(last.items == [written] && last.isLast)
        #expect(try await reviews.reviews(ofAccount: bo.checksummed, limit: 1).items == published)
        try await reputations(node, sale, ana: ana, bo: bo)
        try await finds(node)
        try await contradict(node, sale, by: ana, try #require(published.first))
    }

    /// Each side's reputation, with the stars that the other has given: 5 by bo, 3 by ana.
    private static func reputations(
        _ node: RunningMarket,
        _ sale: String,
        ana: Address,
        bo: Address
    ) async throws {
        let price = try await node.market.sales.sale(sale, for: ana).price
        let complete = [Client.Reputation.Ending(phase: "complete", count: 1)]
        for (account, stars) in [(ana, 500), (bo, 300)] {
            let found = try await node.market.reviews.reputation(of: account.checksummed)
            #expect(found.account == account.checksummed)
            #expect(found.sold == (account == ana ? complete : []))
            #expect(found.bought == (account == bo ? complete : []))
            #expect(found.traded.map(\.money) == [price] && found.counterparties == 1)
            #expect(found.rating == stars && found.reviewers == 1 && found.disputed.isEmpty)
            #expect(found.since != nil)
        }
        let nobody = testKey(7).address.checksummed
        let unknown = try await node.market.reviews.reputation(of: nobody)
        #expect(unknown == Client.Reputation(account: nobody))
        #expect(
            try await code { _ = try await node.market.reviews.reputation(of: "x") } == .badAddress
        )
    }

    /// A search finds the listings of sellers by their stars, and counts them: ana has 5.
    private static func finds(_ node: RunningMarket) async throws {
        var query = ListingQuery()
        (query.includesOver, query.countsFacets) = (true, true)
        func page() async throws -> Page<Client.Listing> {
            let json = try await node.market.listingSearcher.search(query)
            return try WireCoding.decoder().decode(
                Page<Client.Listing>.self,
                from: Data(json.readableBytesView)
            )
        }
        let all = try await page()
        let stars = try #require(all.facets?.stars)
        #expect(!all.items.isEmpty && stars.map(\.value) == ["5", "4", "3", "2", "1"])
        #expect(stars.allSatisfy { $0.count == all.items.count })
        query.starsMin = 5
        #expect(try await page().items == all.items)
        #expect(all.items.allSatisfy { $0.seller == nil })
        query.showsSellers = true
        let sellers = try await page().items.compactMap(\.seller)
        #expect(sellers.count == all.items.count)
        #expect(sellers.allSatisfy { $0.rating == 500 && $0.reviewers == 1 && $0.name == nil })
    }

    /// A different review that the account signs on another node is kept beside the first.
    private static func contradict(
        _ node: RunningMarket,
        _ sale: String,
        by ana: Address,
        _ first: Client.Review
    ) async throws {
        #expect(!first.isContradicted)
        let id = RecordID(try #require(Bytes32(hex: first.record)))
        let record = try #require(try node.store.read { try $0.record(id) }?.readable())
        guard case .review(let content) = record.content else { throw StreamEnded() }
        let other = try Market.Review(
            sale: content.sale,
            stars: 1,
            text: "Written elsewhere.",
            outcome: content.outcome,
            currency: content.currency,
            price: content.price
        )
        let key = try #require(await node.accounts.key(of: ana))
        let draft = RecordDraft(
            network: "test",
            author: ana,
            content: .review(other),
            slot: record.slot,
            createdAt: record.createdAt.advanced(by: .seconds(1))
        )
        let entry = RecordEntry(
            try draft.signed(by: key),
            lane: .anchored,
            subject: content.sale.id.hash
        )
        let outcomes = try await node.store.ingest(
            [entry],
            at: record.createdAt.advanced(by: .seconds(2))
        )
        #expect(outcomes == [.stored(replaced: nil)])

        let shown = try await node.market.reviews.reviews(ofSale: sale, limit: 9).items
        let own = shown.filter { $0.author == ana.checksummed }
        #expect(Set(own.map(\.stars)) == [1, 3])
        #expect(own.allSatisfy { $0.isContradicted })
        let subject = try await node.market.reviews.reputation(of: first.subject)
        #expect(subject.rating == nil && subject.reviewers == 0)
        #expect(shown.filter { $0.author != ana.checksummed }.allSatisfy { !$0.isContradicted })
        // What it has published already can be repeated, and nothing else be added.
        for (stars, text) in [(1, "Written elsewhere."), (3, first.text)] {
            let again = ReviewDraft(sale: sale, stars: stars, text: text)
            #expect(try await node.market.reviews.write(again, by: ana).stars == stars)
        }
        let third = ReviewDraft(sale: sale, stars: 2)
        let refused = try await code { try await node.market.reviews.write(third, by: ana) }
        #expect(refused == .alreadyReviewed)
    }
}
