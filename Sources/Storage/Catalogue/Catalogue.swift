import Concurrency
import Foundation
import GRDB
package import Keys
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

    private let path: String
    private let pagesMax: Int?
    private let store: Store
    private nonisolated let executor = StoreExecutor(label: "catalogue")
    private nonisolated let open: Mutex<CatalogueDatabase>
    /// The number of the last change in the index; `nil` until it was read.
    private nonisolated let applied = Mutex<UInt64?>(nil)

    /// The index that is open now; another one once a damaged one was replaced.
    private nonisolated var database: CatalogueDatabase { open.withLock { $0 } }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Opens or creates the index in the file at `path`, which may have at most `pagesMax` pages.
    package init(path: String, store: Store, pagesMax: Int? = nil) throws {
        self.path = path
        self.pagesMax = pagesMax
        self.store = store
        open = Mutex(try CatalogueDatabase(path: path, pagesMax: pagesMax))
    }

    /// Follows the store until cancelled.
    ///
    /// If the disk is full, it waits for room; missing entries can be added at any time.
    package func run() async throws {
        for await _ in store.changeNumbers() {
            while try !caughtUp() { try await SystemMonotonicClock().wait(Self.roomInterval) }
        }
    }

    private func caughtUp() throws -> Bool {
        do {
            try catchUp()
            return true
        } catch let error as DatabaseError where error.isLackOfRoom {
            return false
        }
    }

    /// Applies all changes up to now.
    package func catchUp() throws {
        let found = database
        do {
            try follow()
        } catch let error as DatabaseError where error.isDamage || error.isClosed {
            try replace(found)
            try follow()
        }
    }

    /// Returns one page of the listings that match `query`, the best first; without words, the
    /// newest first.
    ///
    /// The result includes all changes of the store; if the disk is full, it may be older. Pages are
    /// exact as long as the index does not change; if it does, a later page can repeat or miss a
    /// listing.
    package nonisolated func search(_ query: CatalogueQuery) async throws -> CataloguePage {
        if applied.withLock({ $0 }) != store.newestChange { _ = try await caughtUp() }
        let found = database
        do {
            return try await found.readElsewhere { try CatalogueSearch(query).page(in: $0) }
        } catch let error as DatabaseError where error.isDamage || error.isClosed {
            try await replace(found)
            _ = try await caughtUp()
            return try await database.readElsewhere { try CatalogueSearch(query).page(in: $0) }
        }
    }

    /// Counts the listings that match `query`, wherever its page begins.
    ///
    /// Looks at no more than the newest `rowsMax` listings with the words, or of the author or
    /// category. The index is the one of the last ``search(_:)``.
    package nonisolated func count(
        _ query: CatalogueQuery,
        rowsMax: Int = CatalogueCount.rowsMax
    ) async throws -> CatalogueCount {
        try await database.readElsewhere {
            try CatalogueSearch(query).count(rowsMax: rowsMax, in: $0)
        }
    }

    /// Returns at most `limit` listings with slots from `first` through `last`, in order.
    package func listings(
        from first: Bytes32,
        through last: Bytes32,
        limit: Int
    ) throws -> [RecordID] {
        try database.read { database in
            try Data.fetchAll(
                database,
                sql: "SELECT id FROM listings WHERE slot BETWEEN ? AND ? ORDER BY slot LIMIT ?",
                arguments: [first.bytes.data, last.bytes.data, limit]
            )
        }.compactMap { Bytes32($0).map(RecordID.init) }
    }

    /// Returns at most `limit` authors with addresses from `first` through `last`, in order.
    package func authors(
        from first: Address,
        through last: Address,
        limit: Int
    ) throws -> [Address] {
        try database.read { database in
            try Data.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT author FROM listings WHERE author BETWEEN ? AND ?
                    ORDER BY author LIMIT ?
                    """,
                arguments: [first.bytes.data, last.bytes.data, limit]
            )
        }.compactMap { Address([UInt8]($0)) }
    }

    /// Returns the number of listings in the index.
    package func count() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM listings") ?? 0 }
    }

    /// Replaces a damaged index by an empty one, unless another caller has done so.
    private func replace(_ damaged: CatalogueDatabase) throws {
        guard database.isSame(as: damaged) else { return }
        // What is not in the index must not count as applied.
        applied.withLock { $0 = nil }
        // Closing a damaged file can fail; the file is removed all the same.
        try? damaged.close()
        try CatalogueDatabase.remove(path)
        let new = try CatalogueDatabase(path: path, pagesMax: pagesMax)
        open.withLock { $0 = new }
    }

    private func follow() throws {
        while true {
            let number = try database.read {
                try Int64.fetchOne($0, sql: "SELECT number FROM state")
            }
            guard let number, let after = UInt64(exactly: number) else {
                try rebuild()
                continue
            }
            Self.change.record(number)
            let page = try store.changes(after: after)
            if page.isGap {
                try rebuild()
                continue
            }
            guard let last = page.changes.last else {
                applied.withLock { $0 = after }
                return
            }
            try apply(page.changes.map(\.record), upTo: last.number)
        }
    }

    private func apply(_ ids: [RecordID], upTo number: UInt64) throws {
        let entries = try store.read { transaction in
            try ids.map { id in
                (id, try transaction.record(id).flatMap { CatalogueEntry($0) })
            }
        }
        try database.write { database in
            for (id, entry) in entries {
                try CatalogueEntry.delete(id, from: database)
                try entry?.insert(into: database)
            }
            try Self.keep(number, in: database)
        }
    }

    /// Adds every listing of the store, the oldest first, as the feed would.
    ///
    /// Changes made in the meantime are applied afterwards from the feed.
    private func rebuild() throws {
        let number = try store.read { try $0.newestChange() }
        try database.writeMany { database in
            for table in ["titles", "texts", "places", "listings"] {
                try database.execute(sql: "DELETE FROM \(table)")
            }
            var place: RecordOrderKey?
            while true {
                let page = try store.read {
                    try $0.records(of: .listing, beyond: place, .ascending, limit: 1_000)
                }
                guard let last = page.last else { break }
                place = RecordOrderKey(
                    kind: .listing,
                    time: last.orderTime,
                    id: last.version.id
                )
                for record in page { try CatalogueEntry(record)?.insert(into: database) }
            }
            try Self.keep(number, in: database)
        }
    }

    private static func keep(_ number: UInt64, in database: Database) throws {
        let stored = Int64(clamping: number)
        try database.execute(sql: "UPDATE state SET number = ?", arguments: [stored])
    }
}
