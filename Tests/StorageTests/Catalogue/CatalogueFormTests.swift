import GRDB
import Market
import Storage
import Support
import Testing

/// The search index finds a file that it did not make as it is.
struct CatalogueFormTests {
    @Test(
        arguments: [
            "ALTER TABLE listings RENAME COLUMN category TO kind",
            "ALTER TABLE listings ADD COLUMN other TEXT NOT NULL DEFAULT ''",
            "DROP INDEX listings_by_slot", "DROP TABLE texts; CREATE TABLE texts (words TEXT)",
        ]
    )
    func `rebuilds a file with other columns`(change: String) async throws {
        var harness = try CatalogueHarness()
        let listing = try await harness.add(SampleListings.record(1))
        harness.catalogue = try Catalogue(
            path: harness.folder.path("other.sqlite"),
            store: harness.store
        )
        try await DatabaseQueue(path: harness.indexPath).write { try $0.execute(sql: change) }
        harness.catalogue = try Catalogue(path: harness.indexPath, store: harness.store)
        try await harness.catalogue.catchUp()
        #expect(try await harness.find("thing") == [listing])
        try await harness.add(SampleListings.record(2))
        #expect(try await harness.catalogue.count() == 2)
    }

    @Test func `keeps a file of its own form`() async throws {
        var harness = try CatalogueHarness()
        try await harness.add(SampleListings.record(1))
        harness.catalogue = try Catalogue(
            path: harness.folder.path("other.sqlite"),
            store: harness.store
        )
        harness.catalogue = try Catalogue(path: harness.indexPath, store: harness.store)
        #expect(try await harness.catalogue.count() == 1)
    }
}
