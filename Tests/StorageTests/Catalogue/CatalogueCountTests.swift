import Foundation
import Keys
import Market
import Storage
import Support
import Testing

struct CatalogueCountTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let catalogue: Catalogue

    /// A store with twelve listings: three categories of four, a third of all with another author.
    init() async throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.path("store"))
        catalogue = try Catalogue(path: folder.path("catalogue.sqlite"), store: store)
        for slot in 1...12 as ClosedRange<UInt8> {
            let record = try SampleListings.record(
                slot,
                title: slot.isMultiple(of: 2) ? "Red thing" : "Blue thing",
                price: String(10_000 * Int(slot)),
                category: ["vehicle", "tools", "toys"][Int(slot % 3)],
                author: slot.isMultiple(of: 3) ? 2 : 1
            )
            _ = try await store.ingest(
                [RecordEntry(record, lane: .anchored)],
                at: record.createdAt
            )
        }
        try await catalogue.catchUp()
    }

    private func count(
        _ text: String?,
        rowsMax: Int = 100,
        _ change: (inout CatalogueQuery) -> Void = { _ in }
    ) async throws -> String {
        var query = CatalogueQuery(text: text)
        query.limit = 1
        change(&query)
        let found = try await catalogue.count(query, rowsMax: rowsMax)
        return "\(found.sales.count)" + (found.isComplete ? "" : "+")
    }

    @Test func `several pieces of one thing count as one`() async throws {
        let first = Bytes32(repeating: 13)
        let records =
            [try SampleListings.record(13, title: "Green thing", pieces: .first(count: 3))]
            + (try (1..<3).map { number in
                try SampleListings.record(
                    13,
                    title: "Green thing",
                    pieces: .further(of: first),
                    in: PieceRole.slot(number, of: first)
                )
            })
        for record in records {
            let entry = RecordEntry(record, lane: .anchored)
            _ = try await store.ingest([entry], at: record.createdAt)
        }
        try await catalogue.catchUp()
        #expect(try await count("green") == "1")
        let page = try await catalogue.search(CatalogueQuery(text: "green"))
        #expect(page.ids == [records[0].id])
        // In memory, and as another run reads the table.
        let reader = try Catalogue(path: folder.path("catalogue.sqlite"), store: store)
        for index in [catalogue, reader] {
            let found = try await index.properties(CatalogueQuery(text: nil))
            #expect(found.rows.count == 13 && found.placesOfPieces == [0])
            #expect(found.rows.allSatisfy { found.delivery($0.delivery) == "shipping" })
            let counted = try await index.count(CatalogueQuery(text: nil))
            #expect(counted.placesOfPieces == [0])
        }
    }

    @Test func `counts all results of a search on every page`() async throws {
        #expect(try await count(nil) == "12")
        #expect(try await count("thing") == "12")
        #expect(try await count("red") == "6")
        #expect(try await count("green") == "0")
        #expect(try await count("!") == "0")
        #expect(try await count(nil) { $0.category = "tools" } == "4")
        #expect(try await count("red") { $0.category = "tools" } == "2")
        #expect(try await count(nil) { $0.author = SampleRecords.key(2).address } == "4")
        #expect(
            try await count(nil) {
                $0.author = SampleRecords.key(2).address
                $0.category = "tools"
            } == "0"
        )
        #expect(try await count("thing") { $0.priceMax = Amount(small: 50_000) } == "5")
    }

    @Test(arguments: [nil, "thing"])
    func `checks a limited number and says that more may match`(text: String?) async throws {
        #expect(try await count(text, rowsMax: 12) == "12")
        #expect(try await count(text, rowsMax: 11) == "11+")
        // The newest five are looked at; their prices are 80,000 to 120,000.
        #expect(try await count(text, rowsMax: 5) { $0.priceMin = Amount(small: 110_000) } == "2+")
        #expect(try await count(text, rowsMax: 5) { $0.priceMax = Amount(small: 70_000) } == "0+")
    }

    @Test(arguments: [nil, "thing"])
    func `ends a page after checking the allowed number of listings`(text: String?) async throws {
        var query = CatalogueQuery(text: text)
        query.priceMax = Amount(small: 20_000)
        // The newest five cost 80,000 to 120,000, the next five 30,000 to 70,000.
        for _ in 0..<2 {
            let page = try await catalogue.search(query, rowsMax: 5)
            #expect(page.ids.isEmpty)
            let next: CatalogueCursor = try #require(page.next)
            query.cursor = next
        }
        let last = try await catalogue.search(query, rowsMax: 5)
        #expect(last.ids.count == 2 && last.next == nil)
        query.cursor = nil
        #expect(try await catalogue.search(query).ids == last.ids)
    }
}
