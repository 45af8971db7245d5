package import Concurrency
import Foundation
import GRDB
import Keys
package import Logging
package import Market
import Metrics
import Synchronization

/// A search index of listings, by words and properties, that follows the store.
///
/// The index is derived from the store. The number of the last change in it is written in the same
/// transaction as the entries. If the file is missing, damaged, of another schema, or too old for
/// the store's feed of changes, the index is rebuilt from the store.
package actor Catalogue {
    /// The number of the last change in the index.
    private static let change = Gauge(label: "stoa_catalogue_change")
    private static let roomInterval = Duration.seconds(1)

    /// How many profiles are read at a time.
    private static let profilesMax = 1_000
    /// How many changes are applied at a time.
    private static let changesMax = 5_000
    /// How many listings are prepared at a time.
    private static let batchMax = 500

    private let path: String
    private let pagesMax: Int?
    /// How many listings are added in one step of a rebuild.
    private let rebuildStep: Int
    private let store: Store
    private nonisolated let clock: any MonotonicClock
    private let errors: LoopErrors
    private nonisolated let executor = StoreExecutor(label: "catalogue")
    private nonisolated let open: Mutex<CatalogueDatabase>
    /// The number of the last change in the index; `nil` until it was read.
    private nonisolated let applied = Mutex<UInt64?>(nil)

    /// Whether a rebuild has more to add, so that searches miss listings.
    private nonisolated let isPartial = Mutex(false)
    /// Signals that an index was replaced, which ``run()`` builds again.
    private nonisolated let replaced = Broadcast<Void>()
    /// The same, for those who change the index; `nil` if the file must be asked.
    private var number: UInt64?
    /// The rebuild under way.
    private var rebuild: Rebuild?
    private var vocabulary = CatalogueVocabulary()

    /// How far a rebuild is.
    private struct Rebuild {
        /// The number of the last change when it began.
        let number: UInt64
        /// The last listing that it added.
        var place: RecordOrderKey?
        /// Reads the listings beyond; `nil` if none has begun, or the last step failed.
        var entries: CatalogueEntryReader?
    }

    /// The index that is open now; another one once a damaged one was replaced.
    nonisolated var database: CatalogueDatabase { open.withLock { $0 } }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Opens or creates the index in the file at `path`, which may have at most `pagesMax` pages.
    ///
    /// A rebuild adds `rebuildStep` listings in each step; `logger` gets what cannot be indexed.
    package init(
        path: String,
        store: Store,
        pagesMax: Int? = nil,
        rebuildStep: Int = 10_000,
        clock: any MonotonicClock = .system,
        logger: Logger = Logger(label: "stoa.catalogue")
    ) throws {
        errors = LoopErrors("catalogue", logger: logger, clock: clock)
        self.clock = clock
        self.path = path
        self.rebuildStep = rebuildStep
        self.pagesMax = pagesMax
        self.store = store
        open = Mutex(try CatalogueDatabase(path: path, pagesMax: pagesMax))
    }

    /// Follows the store until cancelled.
    ///
    /// If the disk is full, or the index fails as a whole, it tries again each second; missing
    /// entries can be added at any time.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [store] in
                var isFilled = false
                for await _ in store.changeNumbers() {
                    try await self.waitUntilCaughtUp()
                    if !isFilled { await self.fillColumns() }
                    isFilled = true
                }
            }
            group.addTask { [replaced] in
                for await _ in replaced.values() { try await self.waitUntilCaughtUp() }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Reads the properties of all listings into memory, the newest ones first.
    private nonisolated func fillColumns() async {
        let found = database
        var below: Int64? = .max
        while let number = below, !Task.isCancelled {
            // A search that meets the same damage replaces the file.
            below = try? await found.readElsewhere { try found.columns.fill(below: number, in: $0) }
        }
    }

    private func waitUntilCaughtUp() async throws {
        while await !errors.item("the index", { try await self.catchUp() }) {
            try await clock.wait(Self.roomInterval)
        }
    }

    /// Applies all changes up to now.
    package func catchUp() async throws {
        // Searches are answered between the steps of a rebuild.
        while try !advance() { await Task.yield() }
    }

    /// Applies all changes up to now, unless that takes a long rebuild: then, one step of it.
    private func prepare() throws {
        guard !isPartial.withLock({ $0 }) else { return }
        do {
            while try !advance() {
                guard !isPartial.withLock({ $0 }) else { return }
            }
        } catch let error as DatabaseError where error.isLackOfRoom {
            return
        }
    }

    /// Does one step of the missing work; returns whether there was nothing left.
    private func advance() throws -> Bool {
        let found = database
        do {
            return try step()
        } catch let error as DatabaseError where error.isDamage || error.isClosed {
            try replace(found)
            return try step()
        }
    }

    /// Returns one page of the listings that match `query`, in its order.
    ///
    /// The result includes all changes of the store; if the disk is full, it may be older, and
    /// while a large index is rebuilt, it lacks listings and says so. Pages are exact as long as
    /// the index does not change; if it does, a later page can repeat or miss a listing. A page for
    /// which `rowsMax` listings were looked at can be short before the last one.
    package nonisolated func search(
        _ query: CatalogueQuery,
        rowsMax: Int = CatalogueCount.rowsMax
    ) async throws -> CataloguePage {
        if applied.withLock({ $0 }) != store.newestChange, !isPartial.withLock({ $0 }) {
            try await prepare()
        }
        let wasPartial = isPartial.withLock { $0 }
        let found = database
        var page: CataloguePage
        do {
            page = try await found.read(query) { try $0.page(rowsMax: rowsMax, in: $1) }
        } catch let error as DatabaseError where error.isDamage || error.isClosed {
            try await replace(found)
            try await prepare()
            page = try await database.read(query) { try $0.page(rowsMax: rowsMax, in: $1) }
        }
        page.isPartial = wasPartial || isPartial.withLock { $0 }
        return page
    }

    /// Returns those of some listings that match a query, in the order given; `nil` while the index
    /// is being rebuilt.
    ///
    /// Order, limit and cursor of the query have no effect. If there are more than
    /// ``CatalogueSearch/matchedMax`` listings, the last ones are ignored.
    package nonisolated func matching(
        _ query: CatalogueQuery,
        among ids: [RecordID]
    ) async throws -> [RecordID]? {
        if applied.withLock({ $0 }) != store.newestChange, !isPartial.withLock({ $0 }) {
            try await prepare()
        }
        guard !isPartial.withLock({ $0 }) else { return nil }
        let asked = Array(ids.prefix(CatalogueSearch.matchedMax))
        let found = database
        do {
            return try await found.read(query) { try $0.matching(asked, in: $1) }
        } catch let error as DatabaseError where error.isDamage || error.isClosed {
            try await replace(found)
            return nil
        }
    }

    /// Returns the text with its mistyped words replaced; `nil` if no word is mistyped, or no
    /// similar word exists.
    ///
    /// A word of at least four letters that no listing has, also not as a part of a word, is
    /// replaced by the most frequent word within one edit.
    package nonisolated func correction(of text: String) async throws -> String? {
        try await database.readElsewhere { try CatalogueCorrection.correction(of: text, in: $0) }
    }

    /// Counts the listings that match `query`, wherever its page begins.
    ///
    /// Looks at the newest `rowsMax` listings, at most, with the words, or of the author or
    /// category. The index is that of the last ``search(_:)``.
    package nonisolated func count(
        _ query: CatalogueQuery,
        rowsMax: Int = CatalogueCount.rowsMax
    ) async throws -> CatalogueCount {
        try await database.read(query) { try $0.count(rowsMax: rowsMax, in: $1) }
    }

    /// Returns the properties of the listings that ``count(_:rowsMax:)`` counts.
    package nonisolated func properties(
        _ query: CatalogueQuery,
        rowsMax: Int = CatalogueCount.rowsMax
    ) async throws -> CatalogueProperties {
        try await database.read(query) { try $0.properties(rowsMax: rowsMax, in: $1) }
    }

    /// Replaces a damaged index by an empty one, unless another caller has done so.
    private func replace(_ damaged: CatalogueDatabase) throws {
        guard database.isSame(as: damaged) else { return }
        // A record that is not in the index must not count as applied.
        applied.withLock { $0 = nil }
        (number, rebuild) = (nil, nil)
        vocabulary.forget()
        // Closing a damaged file can fail; the file is still removed.
        try? damaged.close()
        try CatalogueDatabase.remove(path)
        let new = try CatalogueDatabase(path: path, pagesMax: pagesMax)
        open.withLock { $0 = new }
        replaced.send()
    }

    private func step() throws -> Bool {
        if let rebuild {
            try continueRebuild(rebuild)
            return false
        }
        number = try number ?? readNumber()
        guard let after = number else {
            try beginRebuild()
            return false
        }
        Self.change.record(after)
        let page = try store.changes(after: after, limit: Self.changesMax)
        if page.isGap {
            try beginRebuild()
            return false
        }
        guard let last = page.changes.last else {
            applied.withLock { $0 = after }
            return true
        }
        try apply(page.changes.map(\.record), upTo: last.number)
        number = last.number
        return false
    }

    /// Reads the number of the last change in the file; `nil` if it has none yet.
    private func readNumber() throws -> UInt64? {
        try database.read { try Int64.fetchOne($0, sql: "SELECT number FROM state") }
            .flatMap { UInt64(exactly: $0) }
    }

    private func apply(_ ids: [RecordID], upTo number: UInt64) throws {
        let columns = database.columns
        let values = columns.values
        let records = try store.read { transaction in try ids.map { try transaction.record($0) } }
        let entries = zip(ids, records).map { id, record in
            (
                id, record.flatMap { CatalogueEntry($0, values) },
                record.flatMap { CatalogueSeller($0) }
            )
        }
        let deleted = try write(isLarge: ids.count > Self.batchMax) { database, vocabulary in
            let changes = try CatalogueChanges(of: database, columns)
            var deleted: [Int64] = []
            for (id, entry, seller) in entries {
                try indexing(id, by: changes) {
                    if let row = try changes.delete(id) { deleted.append(row) }
                    try entry?.insert(by: changes, &vocabulary)
                    try seller?.insert(into: database)
                }
            }
            try Self.keep(number, in: database)
            return deleted
        }
        columns.remove(deleted)
    }

    /// Indexes one record; a record that SQLite refuses is left out, so that it does not delay
    /// others.
    private func indexing(
        _ id: RecordID,
        by changes: CatalogueChanges,
        _ body: () throws -> Void
    ) throws {
        do { try body() } catch let error as DatabaseError where error.isOfOneRow {
            errors.note(error, of: "record \(id)")
            _ = try changes.delete(id)
        }
    }

    /// Empties the index and adds the names of sellers; the listings follow, the oldest first, as
    /// the feed would add them.
    ///
    /// Changes made in the meantime are applied afterwards from the feed.
    private func beginRebuild() throws {
        let newest = try store.read { try $0.newestChange() }
        try database.empty()
        number = nil
        vocabulary.forget()
        var place: RecordOrderKey?
        while true {
            let page = try store.read {
                try $0.records(of: .profile, beyond: place, .ascending, limit: Self.profilesMax)
            }
            guard let last = page.last else { break }
            place = RecordOrderKey(kind: .profile, time: last.orderTime, id: last.version.id)
            try database.write { [columns = database.columns] database in
                let changes = try CatalogueChanges(of: database, columns)
                for record in page {
                    try indexing(record.version.id, by: changes) {
                        try CatalogueSeller(record)?.insert(into: database)
                    }
                }
            }
        }
        rebuild = Rebuild(number: newest)
    }

    private func continueRebuild(_ rebuild: Rebuild) throws {
        // If this fails, the next step repeats the part that was not committed.
        self.rebuild?.entries = nil
        let columns = database.columns
        let limit = min(rebuildStep, Self.batchMax)
        let entries =
            rebuild.entries
            ?? CatalogueEntryReader(store, columns.values, rebuild.place, limit: limit)
        let place = try write(isLarge: true) { database, vocabulary -> RecordOrderKey? in
            let changes = try CatalogueChanges(of: database, columns)
            var missing = rebuildStep
            while true {
                let batch = try entries.next()
                missing -= batch.records
                for entry in batch.entries {
                    try indexing(RecordID(entry.id), by: changes) {
                        try entry.insert(by: changes, &vocabulary)
                    }
                }
                if batch.last == nil { try Self.keep(rebuild.number, in: database) }
                guard batch.last != nil, missing > 0 else { return batch.last }
            }
        }
        self.rebuild = place.map {
            Rebuild(number: rebuild.number, place: $0, entries: entries)
        }
        isPartial.withLock { $0 = place != nil }
    }

    /// Writes; if that fails, no word counts as known that was not written.
    private func write<Value>(
        isLarge: Bool = false,
        _ body: (Database, inout CatalogueVocabulary) throws -> Value
    ) throws -> Value {
        do {
            return isLarge
                ? try database.writeMany { try body($0, &vocabulary) }
                : try database.write { try body($0, &vocabulary) }
        } catch {
            vocabulary.forget()
            throw error
        }
    }

    private static func keep(_ number: UInt64, in database: Database) throws {
        let stored = Int64(clamping: number)
        try database.execute(sql: "UPDATE state SET number = ?", arguments: [stored])
    }
}
