import Foundation
import GRDB
import Keys
import Market

/// A listing's entry in the search index.
struct CatalogueEntry {
    private let id: RecordID
    private let slot: Bytes32
    private let author: Address
    private let time: Timestamp
    private let listing: Listing

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
    }

    /// Adds the entry; its id is not in the index.
    func insert(into database: Database) throws {
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
        for place in places {
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO places (place, row) VALUES (?, ?)"
            ).execute(arguments: [place, row])
        }
        try insertWords(into: database, row)
    }

    private func insertWords(into database: Database, _ row: Int64) throws {
        let category = CatalogueWords.mark(ofCategory: listing.category)
        let title = CatalogueWords.indexed([listing.title])
        let rest = CatalogueWords.indexed(
            [listing.title, listing.description, listing.category] + listing.tags
        )
        let more = [listing.identifier.text, category]
        for (table, words) in [("titles", title), ("texts", rest)] {
            try database.cachedStatement(sql: "INSERT INTO \(table) (rowid, words) VALUES (?, ?)")
                .execute(arguments: [row, (words + more).joined(separator: " ")])
        }
    }

    static func delete(_ id: RecordID, from database: Database) throws {
        let find = try database.cachedStatement(sql: "SELECT row FROM listings WHERE id = ?")
        let key = id.digest.bytes.data
        guard let row = try Int64.fetchOne(find, arguments: [key]) else { return }
        for statement in [
            "DELETE FROM titles WHERE rowid = ?", "DELETE FROM texts WHERE rowid = ?",
            "DELETE FROM places WHERE row = ?",
            "DELETE FROM listings WHERE row = ?",
        ] {
            try database.cachedStatement(sql: statement).execute(arguments: [row])
        }
    }

    private var places: [String] {
        switch listing.delivery {
        case .online: []
        case .pickup(let place): [place]
        case .shipping(let limits):
            switch limits.area {
            case .places(_, let places): places
            case .distance(_, _, let place): [place]
            }
        }
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
