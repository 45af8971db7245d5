import Dispatch
import Foundation
import GRDB
import Keys
import Market
import Synchronization

/// A listing's entry in the search index.
struct CatalogueEntry: Sendable {
    /// The maximum number of threads that prepare entries.
    private static let threadsMax = 4

    private let id: RecordID
    private let slot: Bytes32
    private let author: Address
    private let time: Timestamp
    private let listing: Listing
    /// Its row of the index.
    private let terms: String
    /// The words that can be completed.
    private let words: [String]

    /// Prepares the entries of records, on several processors if there are many.
    static func entries(of records: [StoredRecord]) -> [CatalogueEntry] {
        let parts = min(threadsMax, ProcessInfo.processInfo.activeProcessorCount)
        let prepared = Mutex([[CatalogueEntry]](repeating: [], count: parts))
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let (start, end) = (records.count * part / parts, records.count * (part + 1) / parts)
            let entries = records[start..<end].compactMap { CatalogueEntry($0) }
            prepared.withLock { $0[part] = entries }
        }
        return prepared.withLock { Array($0.joined()) }
    }

    /// Creates an entry; `nil` for a record that is not a listing, such as a withdrawal of one, or
    /// that the present rules refuse.
    init?(_ stored: StoredRecord) {
        guard stored.version.key.kind == .listing, let record = stored.readable(),
            case .listing(let listing) = record.content
        else { return nil }
        self.listing = listing
        id = record.id
        slot = record.slot
        author = record.author
        time = stored.orderTime
        var words: [String] = []
        terms = listing.terms(by: author, words: &words)
        self.words = words
    }

    /// Adds the entry, whose id is not in the index, and its properties.
    func insert(
        into database: Database,
        _ vocabulary: inout CatalogueVocabulary,
        _ columns: CatalogueColumns
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO listings
                    (id, slot, author, category, chain, currency, price, method, delivery, time, ends,
                    contract, sale)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                id.digest.bytes.data, slot.bytes.data, author.bytes.data, listing.category,
                listing.chain.stored,
                listing.terms.currency.address.bytes.data, listing.terms.price.stored,
                listing.terms.kind.rawValue, listing.delivery.method.rawValue, time.stored,
                listing.endsAt?.stored ?? .max, listing.anchor?.contract.bytes.data,
                listing.anchor?.sale.hash.bytes.data,
            ]
        )
        let row = database.lastInsertedRowID
        try vocabulary.add(words, to: database)
        try database.cachedStatement(sql: "INSERT INTO texts (rowid, words) VALUES (?, ?)")
            .execute(arguments: [row, terms])
        columns.keep(columns.values.row(of: listing, by: author), number: row)
    }

    /// Deletes an entry, and returns its row; `nil` if there is none.
    static func delete(_ id: RecordID, from database: Database) throws -> Int64? {
        let find = try database.cachedStatement(sql: "SELECT row FROM listings WHERE id = ?")
        let key = id.digest.bytes.data
        guard let row = try Int64.fetchOne(find, arguments: [key]) else { return nil }
        for statement in [
            "DELETE FROM texts WHERE rowid = ?", "DELETE FROM listings WHERE row = ?",
        ] {
            try database.cachedStatement(sql: statement).execute(arguments: [row])
        }
        return row
    }
}

/// The name of a seller in the search index.
struct CatalogueSeller {
    private let id: RecordID
    private let author: Address
    private let name: String

    /// Creates it; `nil` for a record that is not a profile, or that the present rules refuse.
    init?(_ stored: StoredRecord) {
        guard stored.version.key.kind == .profile, let record = stored.readable(),
            case .profile(let profile) = record.content
        else { return nil }
        (id, author, name) = (record.id, record.author, profile.name)
    }

    func insert(into database: Database) throws {
        for word in Set(CatalogueWords.words(in: name).flatMap(CatalogueWords.spellings)) {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO sellers (word, author, id) VALUES (?, ?, ?)"
            ).execute(arguments: [word, author.bytes.data, id.digest.bytes.data])
        }
    }

    static func delete(_ id: RecordID, from database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM sellers WHERE id = ?")
            .execute(arguments: [id.digest.bytes.data])
    }
}

extension Amount {
    /// The amount as 32 bytes, which SQLite orders like the numbers.
    var stored: Data {
        let bytes = minimalBytes
        return ([UInt8](repeating: 0, count: 32 - bytes.count) + bytes).data
    }
}

extension ChainID {
    /// Reads an id as ``stored`` writes it; `nil` for another number of bytes.
    init?(stored: Data) {
        guard stored.count == UInt64.bitWidth / 8 else { return nil }
        self.init(stored.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The id as bytes, because SQLite's integers are signed.
    var stored: Data { encoded(self).data }
}

extension Timestamp {
    /// The time as SQLite's signed integer; no real time exceeds its range.
    var stored: Int64 { Int64(clamping: milliseconds) }
}

extension [UInt8] {
    var data: Data { Data(self) }
}
