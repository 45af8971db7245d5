import Foundation
import GRDB
import Keys
import Market

/// Runs a query and turns the rows into a page.
///
/// By relevance, listings with all words in their title or identifier come first, then the others;
/// each group is sorted newest first. Every match is in this order, however many there are: SQLite
/// reads the groups from the newest match on, and only as many as the page needs. (A rank
/// by the rarity of words, such as BM25, would have to visit every match of every word.) By price
/// or end, the newest ``CatalogueCount/rowsMax`` matches are sorted.
///
/// SQLite finds rows by words and indexes; the other conditions are checked in memory. A page looks
/// at ``CatalogueCount/rowsMax`` rows at most, and one that found too few among these is short.
///
/// The user's words are always an argument, never part of the statement.
struct CatalogueSearch {
    /// A statement that returns rows in the order of the result, and of each its rank in it.
    struct Source {
        var sql: String
        var arguments: [any DatabaseValueConvertible]
        /// The rank of all rows, if they have one; the statement returns the row alone.
        var rank: UInt64?

        /// Returns a function that reads the next row, and `nil` after the last.
        func rows(
            isByPrice: Bool,
            in database: Database
        ) throws -> () throws -> CatalogueCursor? {
            let statement = try database.cachedStatement(sql: sql)
            let arguments = StatementArguments(arguments)
            if let rank {
                let rows = try Int64.fetchCursor(statement, arguments: arguments)
                return { try rows.next().map { CatalogueCursor(rank: rank, row: $0) } }
            }
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            return {
                try rows.next().map { row in
                    let rank =
                        isByPrice
                        ? Amount(bigEndian: row[1] as Data) ?? .max
                        : Amount(small: UInt64(clamping: row[1] as Int64))
                    return CatalogueCursor(rank: rank, row: row[0])
                }
            }
        }
    }

    let query: CatalogueQuery
    let columns: CatalogueColumns

    init(_ query: CatalogueQuery, _ columns: CatalogueColumns) {
        (self.query, self.columns) = (query, columns)
    }

    /// Returns the page, of at most `rowsMax` rows that are looked at.
    func page(rowsMax: Int, in database: Database) throws -> CataloguePage {
        try found(rowsMax: rowsMax, in: database).with(query.closeness)
    }

    private func found(rowsMax: Int, in database: Database) throws -> CataloguePage {
        switch query.order {
        case .cheapest, .costliest, .ending:
            guard !isSelected else { return try sorted(in: database) }
            return try page(of: query.order == .ending ? ending : [priced], rowsMax, in: database)
        case .nearest, .popular: return try sorted(in: database)
        case .relevance, .newest, .oldest:
            return try page(of: try byTime(in: database), rowsMax, in: database)
        }
    }

    var limit: Int { min(max(query.limit, 1), CatalogueQuery.limitMax) }

    /// How a row is compared with those before it, by time.
    private var isAfter: String { query.order == .oldest ? ">" : "<" }
    private var direction: String { query.order == .oldest ? "ASC" : "DESC" }

    private func byTime(in database: Database) throws -> [Source] {
        guard CatalogueMatch.isNeeded(for: query) else { return unworded }
        guard let match = try CatalogueMatch(query, in: database) else { return [] }
        let groups = query.order == .relevance ? match.groups : [match.all]
        let first = Int(min(query.cursor?.number ?? 0, UInt64(groups.count - 1)))
        return groups.enumerated().dropFirst(first).map { number, group in
            matches(group, UInt64(number), isFirst: number == first)
        }
    }

    /// The rest of the rows with the cursor's time, and then those beyond: by one comparison of
    /// both, SQLite would read all rows of that time from its first on.
    private var unworded: [Source] {
        guard let cursor = query.cursor else { return [unworded("", [])] }
        let time = Int64(clamping: cursor.number)
        return [
            unworded("time = ? AND row \(isAfter) ?", [time, cursor.row]),
            unworded("time \(isAfter) ?", [time]),
        ]
    }

    private func unworded(_ place: String, _ arguments: [Int64]) -> Source {
        var conditions: [String] = []
        var selected: [any DatabaseValueConvertible] = []
        if let author = query.author {
            conditions.append("author = ?")
            selected.append(author.bytes.data)
        }
        if let category = query.category {
            conditions.append("category = ?")
            selected.append(category)
        }
        if !place.isEmpty { conditions.append(place) }
        return Source(
            sql: """
                SELECT row, time FROM listings \(Self.filter(conditions))
                ORDER BY time \(direction), row \(direction)
                """,
            arguments: selected + arguments
        )
    }

    /// The matches of a group by time; of the first one, those after the cursor.
    private func matches(_ match: String, _ group: UInt64, isFirst: Bool) -> Source {
        let start: Int64 = query.order == .oldest ? -1 : .max
        let row = isFirst ? query.cursor?.row ?? start : start
        return Source(
            sql: """
                SELECT rowid FROM texts WHERE texts MATCH ? AND rowid \(isAfter) ?
                ORDER BY rowid \(direction)
                """,
            arguments: [match, row],
            rank: group
        )
    }

    static func filter(_ conditions: [String]) -> String {
        conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    }

    /// Returns the page of the rows that sources return, one after the other.
    private func page(
        of sources: [Source],
        _ rowsMax: Int,
        in database: Database
    ) throws -> CataloguePage {
        var found: [CatalogueCursor] = []
        var rows = rowsMax
        var last: CatalogueCursor?
        for source in sources where found.count <= limit && rows > 0 {
            let next = try source.rows(isByPrice: query.order.isByPrice, in: database)
            // More at a time, the rarer matches are.
            var step = limit + 1
            while found.count <= limit, rows > 0 {
                var places: [CatalogueCursor] = []
                while places.count < min(step, rows), let place = try next() {
                    places.append(place)
                }
                last = places.last ?? last
                found += try matches(among: places, in: database)
                rows -= places.count
                guard places.count == step else { break }
                step *= 2
            }
        }
        let entries = try entries(at: found.prefix(limit), in: database)
        let isMore = found.count > limit
        return CataloguePage(
            entries: entries,
            next: isMore ? found[limit - 1] : rows > 0 ? nil : last
        )
    }

    /// The rows that keep the query's other conditions.
    func matches(
        among places: [CatalogueCursor],
        in database: Database
    ) throws -> [CatalogueCursor] {
        guard CatalogueFilter.isNeeded(for: query) else { return places }
        let rows = try columns.rows(places.map(\.row), in: database)
        guard let filter = CatalogueFilter(query, columns.values) else { return [] }
        return zip(places, rows).filter { filter.matches($1) }.map(\.0)
    }

    /// The entries of rows of this snapshot, without those that a damaged index lacks.
    func entries(
        at places: ArraySlice<CatalogueCursor>,
        in database: Database
    ) throws -> [CataloguePage.Entry] {
        let find = try BoundStatement("SELECT id FROM listings WHERE row = ?", in: database)
        return try places.compactMap { place in
            find.bind(place.row, at: 1)
            return try find.firstBytes().map {
                CataloguePage.Entry(id: RecordID($0), cursor: place)
            }
        }
    }
}

extension CataloguePage {
    /// The page, from whose cursors listings of this closeness are continued.
    fileprivate func with(_ closeness: CatalogueQuery.Closeness) -> Self {
        guard closeness != .whole else { return self }
        func with(_ cursor: CatalogueCursor) -> CatalogueCursor {
            var cursor = cursor
            cursor.closeness = closeness
            return cursor
        }
        return CataloguePage(
            entries: entries.map { Entry(id: $0.id, cursor: with($0.cursor)) },
            next: next.map(with)
        )
    }
}
