import Market
import Storage
import Support

/// A store with a catalogue beside it.
struct CatalogueHarness {
    let folder: TemporaryFolder
    let store: Store
    var catalogue: Catalogue
    var indexPath: String { folder.path("catalogue.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.path("store"))
        catalogue = try Catalogue(path: folder.path("catalogue.sqlite"), store: store)
    }

    @discardableResult
    func add(_ record: SignedRecord) async throws -> RecordID {
        let time = record.createdAt
        _ = try await store.ingest([RecordEntry(record, lane: .anchored)], at: time)
        try await catalogue.catchUp()
        return record.id
    }

    func find(_ text: String?, _ change: (inout CatalogueQuery) -> Void = { _ in })
        async throws -> [RecordID]
    {
        var query = CatalogueQuery(text: text)
        change(&query)
        return try await catalogue.search(query).ids
    }
}
