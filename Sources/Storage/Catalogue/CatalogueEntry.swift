import Foundation
import GRDB
import Keys
import Market

/// A listing's entry in the search index: only the written values, because many are made ahead.
struct CatalogueEntry: Sendable {
    let id: Bytes32
    private let slot: Bytes32
    private let author: Address
    private let category: String
    private let chain: ChainID
    private let currency: Address
    private let price: Bytes32
    private let kind: SaleKind
    private let delivery: Delivery.Method
    private let time: Int64
    private let anchor: (contract: Address, sale: Bytes32)?
    private let reach: ShippingReach
    private let properties: CatalogueProperties.Row
    /// Its row of the index.
    private let terms: String
    /// The words that can be completed.
    private let words: [String]

    /// Creates an entry, whose properties are numbered by `values`; `nil` for a record that is not
    /// a listing, such as a withdrawal of one, or that the present rules refuse.
    ///
    /// The first of several pieces stands for all of them.
    init?(_ stored: StoredRecord, _ values: CatalogueValues) {
        guard stored.version.key.kind == .listing, let record = stored.readable(),
            case .listing(let listing) = record.content
        else { return nil }
        if case .further = listing.pieces { return nil }
        (id, slot, author) = (record.id.digest, record.slot, record.author)
        (category, chain) = (listing.category, listing.chain)
        (currency, price) = (listing.terms.currency.address, listing.terms.price.word)
        (kind, delivery) = (listing.terms.kind, listing.delivery.method)
        time = stored.orderTime.stored
        anchor = listing.anchor.map { ($0.contract, $0.sale.hash) }
        reach = ShippingReach(listing.delivery)
        properties = values.row(of: listing, by: author)
        var words: [String] = []
        terms = listing.terms(by: author, words: &words)
        self.words = words
    }

    /// Adds the entry, whose id is not in the index, and its properties.
    func insert(by changes: CatalogueChanges, _ vocabulary: inout CatalogueVocabulary) throws {
        let statement = changes.listings
        statement.bind(id, at: 1)
        statement.bind(slot, at: 2)
        statement.bind(author, at: 3)
        statement.bind(category, at: 4)
        statement.bind(chain, at: 5)
        statement.bind(currency, at: 6)
        statement.bind(price, at: 7)
        statement.bind(kind.rawValue, at: 8)
        statement.bind(delivery.rawValue, at: 9)
        statement.bind(time, at: 10)
        statement.bind(properties.ends, at: 11)
        if let anchor {
            statement.bind(anchor.contract, at: 12)
            statement.bind(anchor.sale, at: 13)
        } else {
            statement.bindNull(at: 12)
            statement.bindNull(at: 13)
        }
        if let point = properties.point {
            statement.bind(Int64(point.latitudeE7), at: 14)
            statement.bind(Int64(point.longitudeE7), at: 15)
        } else {
            statement.bindNull(at: 14)
            statement.bindNull(at: 15)
        }
        statement.bind(reach.text, at: 16)
        statement.bind(properties.hasPieces ? 1 : 0, at: 17)
        try statement.run()
        let row = changes.database.lastInsertedRowID
        try vocabulary.add(words, to: changes.database)
        changes.texts.bind(row, at: 1)
        changes.texts.bind(terms, at: 2)
        try changes.texts.run()
        changes.columns.keep(properties, number: row)
    }
}

/// The statements that change an index, prepared once for a transaction.
struct CatalogueChanges {
    let database: Database
    let columns: CatalogueColumns
    fileprivate let listings: BoundStatement
    fileprivate let texts: BoundStatement
    private let find: BoundStatement
    private let deletions: [BoundStatement]
    private let sellerDeletion: BoundStatement

    init(of database: Database, _ columns: CatalogueColumns) throws {
        (self.database, self.columns) = (database, columns)
        listings = try BoundStatement(
            """
            INSERT INTO listings
                (id, slot, author, category, chain, currency, price, method, delivery, time, ends,
                contract, sale, latitude, longitude, reach, pieces)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            in: database
        )
        texts = try BoundStatement("INSERT INTO texts (rowid, words) VALUES (?, ?)", in: database)
        find = try BoundStatement("SELECT row FROM listings WHERE id = ?", in: database)
        deletions = try [
            "DELETE FROM texts WHERE rowid = ?", "DELETE FROM listings WHERE row = ?",
        ].map { try BoundStatement($0, in: database) }
        sellerDeletion = try BoundStatement("DELETE FROM sellers WHERE id = ?", in: database)
    }

    /// Deletes what the index has of a record, and returns its row; `nil` if it has no listing.
    func delete(_ id: RecordID) throws -> Int64? {
        sellerDeletion.bind(id.digest, at: 1)
        try sellerDeletion.run()
        find.bind(id.digest, at: 1)
        guard let row = try find.firstNumber() else { return nil }
        for deletion in deletions {
            deletion.bind(row, at: 1)
            try deletion.run()
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
}

extension Amount {
    /// The amount as 32 bytes, which SQLite orders like the numbers.
    var stored: Data { word.bytes.data }

    fileprivate var word: Bytes32 {
        let bytes = minimalBytes
        return Bytes32([UInt8](repeating: 0, count: 32 - bytes.count) + bytes) ?? .zero
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
