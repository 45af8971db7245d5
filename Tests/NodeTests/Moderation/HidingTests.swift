import Client
import Support
import Testing

/// What is hidden from somebody who searches, over the API.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HidingTests {
    /// - From people: a curator that hides everything → hidden from those who follow the list, and
    ///   from nobody else; `hidden=true` shows it, and who hid it
    @Test
    func `a block or a list affects only the account's own searches`() async throws {
        try await MarketNode.run { market in
            let bicycle = try await market.list().listing
            let lamp = try await market.list(title: "Lamp for a bicycle").listing
            let cy = try await market.node.signIn("cy")
            let ana = market.ana.account.address
            try await market.asking(market.bo) { bo in
                try await Self.expect([bicycle, lamp], bo)
                _ = try await bo.block(BlockRequest(account: ana))
                try await Self.expect([], bo)
                // It is there, and can be asked for.
                #expect(try await bo.listing(lamp).id == lamp)
                #expect(try await bo.hidden().map(\.account) == [ana])
                try await market.asking(cy) { try await Self.expect([bicycle, lamp], $0) }
                try await bo.unblock(ana)
                try await Self.expect([bicycle, lamp], bo)
            }
            let list = try await market.asking(cy) { cy in
                let entry = CurationEntry(listing: lamp, reason: "A copy.")
                let draft = CurationDraft(name: "Copies", entries: [entry])
                #expect(try await cy.preview(draft).action == "publish_list")
                return try await cy.publish(draft)
            }
            try await market.asking(market.bo) { bo in
                #expect(try await bo.curations().items.map(\.id) == [list.id])
                try await Self.expect([bicycle, lamp], bo)
                _ = try await bo.subscribe(Subscription(list: list.id))
                try await Self.expect([bicycle], bo)
                #expect(try await bo.hidden().map(\.reason) == ["A copy."])
                #expect(try await bo.subscriptions().map(\.id) == [list.id])
                try await bo.unsubscribe(list.id)
                try await Self.expect([bicycle, lamp], bo)
            }
        }
    }

    /// Expects a search, its count and its facets to have just these listings, and all if asked.
    private static func expect(_ listings: [String], _ client: StoaClient) async throws {
        var search = ListingSearch(text: "bicycle")
        #expect(Set(try await client.listings(search).items.map(\.id)) == Set(listings))
        (search.countsMatches, search.countsFacets) = (true, true)
        let page = try await client.listings(search)
        #expect(page.total == listings.count)
        let sellers = page.facets?.sellers.map(\.count) ?? []
        #expect(sellers == (listings.isEmpty ? [] : [listings.count]))
        (search.countsMatches, search.countsFacets) = (true, false)
        #expect(try await client.listings(search).total == listings.count)
        search.includesHidden = true
        #expect(try await client.listings(search).total == 2)
    }
}
