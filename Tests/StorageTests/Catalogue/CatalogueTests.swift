import Foundation
import GRDB
import Keys
import Market
import Storage
import Support
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CatalogueTests {
    @Test func `finds listings by all words in any field, the last one as a prefix`() async throws {
        let harness = try CatalogueHarness()
        let bicycle = try await harness.add(SampleListings.record(1, title: "Red bicycle"))
        let lamp = try await harness.add(
            SampleListings.record(2, title: "Lamp", description: "A red lamp for a bicycle")
        )

        #expect(try await harness.find("bicycle") == [bicycle, lamp])
        #expect(try await harness.find("RED bicy") == [bicycle, lamp])
        #expect(try await harness.find("lamp") == [lamp])
        #expect(try await harness.find("lamp boat").isEmpty)
        #expect(try await harness.find("icycle").isEmpty)
        #expect(try await harness.find(nil) == [lamp, bicycle])
    }

    @Test func `finds plain words equally well beside words in other scripts`() async throws {
        let harness = try CatalogueHarness()
        let plain = try await harness.add(
            SampleListings.record(1, title: "Lamp-12, RED/green_blue")
        )
        let mixed = try await harness.add(
            SampleListings.record(2, title: "Lamp-12, RED/green_blue ü")
        )
        for text in ["lamp", "12", "red", "GREEN", "blue", "lamp-12", "green_blue"] {
            #expect(try await harness.find(text) == [mixed, plain], "\(text)")
        }
    }

    @Test func `skips a record that the index refuses, without delaying others`() async throws {
        let harness = try CatalogueHarness()
        let before = try await harness.add(SampleListings.record(1, title: "Red bicycle"))
        try await DatabaseQueue(path: harness.indexPath).write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER refused BEFORE INSERT ON listings WHEN NEW.category = 'cursed'
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """
            )
        }
        let refused = try SampleListings.record(2, title: "Red lamp", category: "cursed")
        _ = try await harness.store.ingest(
            [RecordEntry(refused, lane: .anchored)],
            at: refused.createdAt
        )
        let after = try await harness.add(SampleListings.record(3, title: "Red boat"))
        #expect(try await harness.find("red") == [after, before])
        #expect(try await harness.catalogue.count() == 2)
    }

    @Test func `a full disk stops the index, but not the node`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path("store"))
        let path = folder.path("catalogue.sqlite")
        let catalogue = try Catalogue(path: path, store: store, pagesMax: 40)
        try await withThrowingTaskGroup { group in
            group.addTask { try await catalogue.run() }
            var isFull = false
            for number in 1...200 as ClosedRange<UInt8> where !isFull {
                let record = try SampleListings.record(number, title: "Bicycle \(number)")
                let entry = RecordEntry(record, lane: .anchored)
                _ = try await store.ingest([entry], at: record.createdAt)
                do { try await catalogue.catchUp() } catch { isFull = true }
            }
            #expect(isFull)
            #expect(try await catalogue.search(CatalogueQuery(text: "bicycle")).ids.count > 0)
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }

        let roomy = try Catalogue(path: path, store: store)
        try await roomy.catchUp()
        #expect(try await roomy.count() == store.read { try $0.recordCount() })
    }

    @Test func `finds words whatever Unicode form their letters have`() async throws {
        let harness = try CatalogueHarness()
        let street = try await harness.add(
            SampleListings.record(1, title: "Straßenrad", description: "Von Müller, Größe 54.")
        )
        let boat = try await harness.add(
            SampleListings.record(2, title: "Færøsk båd", description: "Łódź, Señor Ångström")
        )
        for words in [
            "Strasse", "straße", "STRASSENRAD", "Straßenrad", "strassen mueller", "muller strass",
            "Müller", "MÜLLER", "mu\u{308}ller", "groesse", "grosse", "Größe", "gross 54",
        ] {
            #expect(try await harness.find(words) == [street], "\(words)")
        }
        for words in [
            "faerosk", "faeroesk", "Færøsk", "baad", "bad", "båd", "lodz", "senor angstrom",
        ] {
            #expect(try await harness.find(words) == [boat], "\(words)")
        }
        #expect(try await harness.find("muellner").isEmpty)
        // Marks that make another letter stay.
        let tea = try await harness.add(SampleListings.record(3, title: "Чай и हिंदी"))
        for words in ["чай", "हिंदी"] { #expect(try await harness.find(words) == [tea], "\(words)") }
        #expect(try await harness.find("चाय").isEmpty)
    }

    @Test func `treats long words as prefixes and short ones as whole words`() async throws {
        let harness = try CatalogueHarness()
        let bicycle = try await harness.add(SampleListings.record(1, title: "Red bicycle on offer"))

        #expect(try await harness.find("bicy re") == [bicycle])
        #expect(try await harness.find("bicy off") == [bicycle])
        #expect(try await harness.find("re bicycle").isEmpty)
        #expect(try await harness.find("on bicycle") == [bicycle])
    }

    @Test func `finds an identifier with blanks or hyphens, or by its prefix`() async throws {
        let harness = try CatalogueHarness()
        let other = try await harness.add(
            SampleListings.record(8, title: "Bicycle, like frame 777")
        )
        let bicycle = try await harness.add(SampleListings.record(77, title: "Bicycle"))
        for words in ["frame77", "FRAME-77", "frame 77", "Frame.77", "fr ame 77"] {
            #expect(try await harness.find(words).contains(bicycle), "\(words)")
        }
        #expect(try await harness.find("frame 77") == [bicycle, other])
        #expect(try await harness.find("fra me").contains(bicycle))
        // The other has the word and the number behind it in its title.
        #expect(try await harness.find("bicycle frame77") == [bicycle, other])
        #expect(try await harness.find("rame 77").isEmpty)
    }

    @Test(arguments: [
        "\"", "\"\"", "*", "a*b", "^red", "title:red", "red AND", "NOT red", "NEAR(red", "(red",
        "red)", "red OR OR", "-red", "+", "{a b} : c", "'; DROP TABLE listings; --", "\0", "red\0",
        "%", "_", "\\", "🚲", "\u{301}", "a\u{301}\u{301}", "  ", "", "red\"bicycle", "AND",
    ])
    func `treats no word as an operator or an error`(text: String) async throws {
        let harness = try CatalogueHarness()
        let bicycle = try await harness.add(SampleListings.record(1, title: "Red bicycle"))

        let found = try await harness.find(text)

        #expect(found.isEmpty || found == [bicycle])
        #expect(try await harness.find("red") == [bicycle])
    }

    @Test func `truncates an overlong query instead of refusing it`() async throws {
        let harness = try CatalogueHarness()
        #expect(try await harness.find(String(repeating: "word ", count: 1_000)).isEmpty)
        #expect(try await harness.find(String(repeating: "w", count: 100_000)).isEmpty)
    }

    @Test func `filters by category, price, delivery, place, author and end`() async throws {
        let harness = try CatalogueHarness()
        let cheap = try await harness.add(
            SampleListings.record(1, price: "90000", category: "vehicle")
        )
        let dear = try await harness.add(
            SampleListings.record(2, price: "100000000000000000000", category: "vehicle")
        )
        let near = try await harness.add(
            SampleListings.record(
                3,
                price: "500000",
                category: "tool",
                delivery: .pickup(place: "berlin germany"),
                endsAt: .sample(5_000),
                author: 2
            )
        )

        #expect(try await harness.find(nil) { $0.category = "vehicle" } == [dear, cheap])
        let (nine, fifty) = (Amount(small: 90_000), Amount(small: 500_000))
        #expect(
            try await harness.find(nil) {
                $0.priceMin = nine; $0.priceMax = fifty
            } == [near, cheap]
        )
        #expect(try await harness.find(nil) { $0.priceMin = Amount(small: 500_001) } == [dear])
        #expect(try await harness.find(nil) { $0.delivery = .pickup } == [near])
        #expect(try await harness.find(nil) { $0.method = .escrow } == [near, dear, cheap])
        #expect(try await harness.find(nil) { $0.method = .auction }.isEmpty)
        #expect(try await harness.find(nil) { $0.place = "germany" } == [dear, cheap])
        #expect(try await harness.find("thing") { $0.place = "berlin germany" } == [near])
        #expect(try await harness.find(nil) { $0.author = SampleRecords.key(2).address } == [near])
        #expect(try await harness.find(nil) { $0.openAt = .sample(5_000) } == [dear, cheap])
        #expect(try await harness.find(nil) { $0.openAt = .sample(4_999) } == [near, dear, cheap])
        #expect(try await harness.find(nil) { $0.chain = ChainID(1) }.isEmpty)
        #expect(try await harness.find(nil) { $0.currency = .native }.count == 3)
    }

    @Test func `finds whole tags only, with words or without`() async throws {
        let harness = try CatalogueHarness()
        let red = try await harness.add(SampleListings.record(1, tags: ["für frauen", "flowers"]))
        let blue = try await harness.add(SampleListings.record(2, tags: ["frauen", "für"]))
        #expect(try await harness.find(nil) { $0.tag = "für frauen" } == [red])
        #expect(try await harness.find("thing") { $0.tag = "frauen" } == [blue])
        #expect(try await harness.find(nil) { $0.tag = "flower" }.isEmpty)
        #expect(try await harness.find(nil) { ($0.tag, $0.category) = ("flowers", "x") }.isEmpty)
        #expect(try await harness.find(nil) { $0.tag = "\" OR thing OR \"" }.isEmpty)
    }

    @Test func `finds words with a category; the category's marker is no word`() async throws {
        let harness = try CatalogueHarness()
        let home = try await harness.add(SampleListings.record(1, category: "home-garden"))
        let garden = try await harness.add(SampleListings.record(2, category: "home"))

        #expect(try await harness.find("thing") { $0.category = "home-garden" } == [home])
        #expect(try await harness.find("frame") { $0.category = "home" } == [garden])
        #expect(try await harness.find("garden") == [home])
        #expect(try await harness.find("thing") { $0.category = "garden" }.isEmpty)
        #expect(try await harness.find("thing") { $0.category = "\" OR thing OR \"" }.isEmpty)
        #expect(try await harness.find("_home") == [garden, home])
        #expect(try await harness.find("_home_garden") == [home])
        #expect(try await harness.find("homegarden").isEmpty)
    }

    @Test func `lists matches in the title first, however many matches there are`() async throws {
        let harness = try CatalogueHarness()
        let titled = try await harness.add(SampleListings.record(1, title: "Lamp"))
        let begun = try await harness.add(SampleListings.record(2, title: "Lampshade"))
        for slot in 3...90 as ClosedRange<UInt8> {
            try await harness.add(SampleListings.record(slot, description: "Not a lamp."))
        }
        let found = try await harness.find("lamp") { $0.limit = 100 }
        #expect(found.count == 90)
        #expect(found.prefix(2) == [begun, titled])
    }

    @Test(arguments: [nil, "thing"])
    func `pages follow each other without gaps or repeats`(text: String?) async throws {
        let harness = try CatalogueHarness()
        for slot in 1...11 as ClosedRange<UInt8> {
            let title = slot.isMultiple(of: 3) ? "A thing, a thing" : "Another thing \(slot)"
            try await harness.add(SampleListings.record(slot, title: title))
        }
        let all = try await harness.find(text) { $0.limit = 100 }
        #expect(all.count == 11)

        var found: [RecordID] = []
        var query = CatalogueQuery(text: text)
        query.limit = 3
        repeat {
            let page = try await harness.catalogue.search(query)
            found += page.ids
            query.cursor = page.next.flatMap { CatalogueCursor(text: $0.text) }
        } while query.cursor != nil
        #expect(found == all)
    }

    @Test func `an edit replaces a listing, and a withdrawal removes it`() async throws {
        let harness = try CatalogueHarness()
        try await harness.add(SampleListings.record(1, title: "Old name", at: .sample(1)))
        let edited = try await harness.add(
            SampleListings.record(1, title: "New name", at: .sample(2))
        )
        #expect(try await harness.find("name") == [edited])
        #expect(try await harness.find("old").isEmpty)

        try await harness.add(SampleRecords.record(.listing, slot: 1, at: .sample(3)))
        #expect(try await harness.find(nil).isEmpty)
    }

    @Test(arguments: ["missing", "garbage", "other form", "no tables"])
    func `rebuilds a damaged file`(fault: String) async throws {
        var harness = try CatalogueHarness()
        let first = try await harness.add(SampleListings.record(1))
        let second = try await harness.add(SampleListings.record(2))
        let other = TemporaryFolderPath(harness.folder)

        harness.catalogue = try Catalogue(path: other.fresh, store: harness.store)
        let file = URL(filePath: harness.indexPath)
        let header = [UInt8](try Data(contentsOf: file).prefix(100))
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: harness.indexPath + suffix)
        }
        switch fault {
        case "garbage": try Data(repeating: 0x41, count: 20_000).write(to: file)
        case "other form":
            // A valid empty SQLite file: its user_version is 0.
            try Data().write(to: file)
        case "no tables":
            // One page, the root of an empty schema; its user_version is the present one.
            #expect(header[63] > 0)
            var page = header + [UInt8](repeating: 0, count: 3_996)
            page.replaceSubrange(28..<40, with: [0, 0, 0, 1] + [UInt8](repeating: 0, count: 8))
            page.replaceSubrange(100..<108, with: [0x0D, 0, 0, 0, 0, 0x10, 0, 0])
            try Data(page).write(to: file)
        default: break
        }
        harness.catalogue = try Catalogue(path: harness.indexPath, store: harness.store)
        try await harness.catalogue.catchUp()

        #expect(try await harness.find("thing") == [second, first])
        #expect(try await harness.catalogue.count() == 2)
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `says that a folder is in the place of its file`(suffix: String) throws {
        let harness = try CatalogueHarness()
        let path = harness.folder.path("folder.sqlite")
        let name = path + suffix
        try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false)
        #expect(throws: StorageError.notAFile(path: name)) {
            try Catalogue(path: path, store: harness.store)
        }
    }

    @Test func `detects a page damaged while running, and rebuilds`() async throws {
        var harness = try CatalogueHarness()
        for slot in 1...60 as ClosedRange<UInt8> {
            let text = String(repeating: "word\(slot) ", count: 100) + "end"
            try await harness.add(SampleListings.record(slot, description: text))
        }
        harness.catalogue = try Catalogue(
            path: harness.folder.path("other.sqlite"),
            store: harness.store
        )
        try harness.damage()

        harness.catalogue = try Catalogue(path: harness.indexPath, store: harness.store)
        try await harness.catalogue.catchUp()
        #expect(try await harness.find("thing") { $0.limit = 100 }.count == 60)
    }

    @Test func `concurrent searches that meet damage still find everything`() async throws {
        var harness = try CatalogueHarness()
        for slot in 1...60 as ClosedRange<UInt8> {
            let text = String(repeating: "word\(slot) ", count: 100) + "end"
            try await harness.add(SampleListings.record(slot, description: text))
        }
        try await harness.catalogue.catchUp()
        harness.catalogue = try Catalogue(
            path: harness.folder.path("other.sqlite"),
            store: harness.store
        )
        try harness.damage()

        let catalogue = try Catalogue(path: harness.indexPath, store: harness.store)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var query = CatalogueQuery(text: "thing")
                    query.limit = 100
                    return try await catalogue.search(query).ids.count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 60, count: 16))
    }

    @Test func `completes a rebuild after a search finds damage`() async throws {
        var harness = try CatalogueHarness()
        for slot in 1...60 as ClosedRange<UInt8> {
            let text = String(repeating: "word\(slot) ", count: 100) + "end"
            try await harness.add(SampleListings.record(slot, description: text))
        }
        harness.catalogue = try Catalogue(
            path: harness.folder.path("other.sqlite"),
            store: harness.store
        )
        // The pages that tell how far the index is stay whole.
        try harness.damage(from: 12 * 4_096)

        let catalogue = try Catalogue(
            path: harness.indexPath,
            store: harness.store,
            rebuildStep: 10
        )
        try await catalogue.catchUp()
        var query = CatalogueQuery(text: "thing")
        query.limit = 100
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await catalogue.run() }
            try await waitUntil { try await !catalogue.search(query).isPartial }
            #expect(try await catalogue.search(query).ids.count == 60)
            group.cancelAll()
        }
    }

    @Test func `indexes records that arrive while it runs`() async throws {
        let harness = try CatalogueHarness()
        let catalogue = harness.catalogue
        let store = harness.store
        let record = try SampleListings.record(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await catalogue.run() }
            _ = try await store.ingest([RecordEntry(record, lane: .open)], at: .sample())
            try await waitUntil {
                try await catalogue.search(CatalogueQuery(text: "thing")).ids == [record.id]
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

/// Another file in a test's folder, to which a catalogue can move.
private struct TemporaryFolderPath {
    let fresh: String

    init(_ folder: TemporaryFolder) { fresh = folder.path("fresh.sqlite") }
}

extension CatalogueHarness {
    /// Overwrites every seventh byte of the index's pages from one on, which must not be open.
    func damage(from start: Int = 4_096) throws {
        let file = URL(filePath: indexPath)
        var bytes = try Data(contentsOf: file)
        #expect(bytes.count > 20_000)
        for index in stride(from: start, to: bytes.count, by: 7) { bytes[index] = 0xEE }
        try? FileManager.default.removeItem(atPath: indexPath + "-wal")
        try bytes.write(to: file)
    }
}
