import Storage
import Support
import Testing

struct SchemaTests {
    private func open(_ folder: TemporaryFolder, _ number: UInt64, _ oldest: UInt64) throws {
        _ = try Environment(
            folder: folder.path,
            mapBytes: 1 << 20,
            schema: Schema(number: number, oldest: oldest, trees: [.own(Words.self)])
        )
    }

    @Test func `refuses what a newer program wrote`() throws {
        let folder = try TemporaryFolder()
        try open(folder, 3, 1)

        #expect(throws: StorageError.schemaTooNew(found: 3, known: 2)) { try open(folder, 2, 1) }
        try open(folder, 3, 1)
    }

    @Test func `refuses what is too old, and raises the number of what is not`() throws {
        let folder = try TemporaryFolder()
        try open(folder, 1, 1)
        try open(folder, 2, 1)

        #expect(throws: StorageError.schemaTooNew(found: 2, known: 1)) { try open(folder, 1, 1) }
        #expect(throws: StorageError.schemaTooOld(found: 2, oldest: 3)) { try open(folder, 3, 3) }
    }
}
