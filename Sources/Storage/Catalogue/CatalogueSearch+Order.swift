import Foundation
import GRDB
import Keys
import Market

/// Pages by price, end, distance or buyers: of the newest ``CatalogueCount/rowsMax`` matches, in
/// memory, or, by price or end and if nothing selects listings, of all by an index.
extension CatalogueSearch {
    /// Whether words or properties select listings.
    var isSelected: Bool {
        query.author != nil || query.category != nil || CatalogueMatch.isNeeded(for: query)
    }

    /// Returns matches by listed price, or by end, the first one first.
    ///
    /// With one price, they are in the order of rows; with one end, or none, the newest first.
    func sorted(in database: Database) throws -> CataloguePage {
        let precedes = order
        var after = query.cursor
        if let cursor = after, !query.order.isByPrice {
            // A cursor's end can be later than all.
            let end = UInt64(Int64(clamping: cursor.number))
            after = CatalogueCursor(rank: end, row: cursor.row)
        }
        var first = FirstInOrder(limit + 1, by: precedes)
        let found = try found(rowsMax: CatalogueCount.rowsMax, in: database)
        for (number, rank) in zip(found.numbers, ranks(of: found.rows)) {
            let place = CatalogueCursor(rank: rank, row: number)
            if let after, !precedes(after, place) { continue }
            first.add(place)
        }
        let places = first.sorted()
        return CataloguePage(
            entries: try entries(at: places.prefix(limit), in: database),
            next: places.count > limit ? places[limit - 1] : nil
        )
    }

    /// The sort key of each row.
    private func ranks(of rows: [CatalogueProperties.Row]) -> [Amount] {
        switch query.order {
        case .nearest:
            guard let point = query.point else { break }
            return rows.map { row in
                Amount(small: row.point.map { UInt64($0.metres(to: point)) } ?? UInt64(Int64.max))
            }
        case .popular:
            guard let buyers = query.buyers else { break }
            return buyers(columns.values.sales(of: rows)).map { Amount(small: $0) }
        case .cheapest, .costliest: return rows.map(\.price)
        case .ending, .relevance, .newest, .oldest: break
        }
        return rows.map { Amount(small: UInt64(clamping: $0.ends)) }
    }

    private var order: (CatalogueCursor, CatalogueCursor) -> Bool {
        switch query.order {
        case .costliest, .popular: { ($0.rank, $0.row) > ($1.rank, $1.row) }
        case .ending, .nearest: { ($0.rank, $1.row) < ($1.rank, $0.row) }
        case .cheapest, .relevance, .newest, .oldest: { ($0.rank, $0.row) < ($1.rank, $1.row) }
        }
    }

    /// All listings by the index of prices.
    var priced: Source {
        let (comparison, direction) = query.order == .costliest ? ("<", "DESC") : (">", "ASC")
        var conditions: [String] = []
        var arguments: [any DatabaseValueConvertible] = []
        if let currency = query.currency {
            conditions.append("currency = ?")
            arguments.append(currency.address.bytes.data)
        }
        if let cursor = query.cursor {
            conditions.append("(price, row) \(comparison) (?, ?)")
            arguments += [cursor.rank.stored, cursor.row] as [any DatabaseValueConvertible]
        }
        if query.movingPrices.isEmpty {
            conditions.append("price BETWEEN ? AND ?")
            arguments += [query.priceMin ?? .zero, query.priceMax ?? .max].map(\.stored)
        }
        return Source(
            sql: """
                SELECT row, price FROM listings \(Self.filter(conditions))
                ORDER BY price \(direction), row \(direction)
                """,
            arguments: arguments
        )
    }

    /// All listings by the index of ends, which has what ends alone; then the others.
    var ending: [Source] {
        let after = query.cursor.map { (end: Int64(clamping: $0.number), row: $0.row) }
        var sources: [Source] = []
        if after?.end != .max {
            let first = max(query.openAt.map { min($0.stored, .max - 1) + 1 } ?? 0, after?.end ?? 0)
            sources.append(
                Source(
                    sql: """
                        SELECT row, ends FROM listings
                        WHERE ends < \(Int64.max) AND ends >= ? AND (ends > ? OR row < ?)
                        ORDER BY ends, row DESC
                        """,
                    arguments: [first, after?.end ?? -1, after?.row ?? 0]
                )
            )
        }
        let row = after?.end == .max ? after?.row ?? .max : .max
        let rest =
            "SELECT row FROM listings WHERE ends = \(Int64.max) AND row < ? ORDER BY row DESC"
        sources.append(Source(sql: rest, arguments: [row], rank: UInt64(Int64.max)))
        return sources
    }
}
