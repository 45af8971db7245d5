import GRDB
import Keys
import Market
import Synchronization

/// The properties of listings in memory, by the numbers of their rows in the index.
///
/// Counts and sorting look at 10,000 rows, which takes 6 ms in the table and less than one here. A
/// row of the table never changes, and its number is never used again while the file is open. So
/// the values cached here are right for every snapshot of the file, and the snapshot has the
/// missing ones.
final class CatalogueColumns: Sendable {
    /// The rows that are stored together.
    private static let blockRows: Int64 = 1_024
    /// How many rows are read in one step by ``fill(below:in:)``.
    private static let stepRows = 2_048
    /// One row after another is read from the table, unless at least every second one is missing.
    private static let gapsMax: Int64 = 2

    private typealias Blocks = [Int64: [CatalogueProperties.Row]]

    /// The values that the rows name by numbers.
    let values = CatalogueValues()
    private let blocks = Mutex(Blocks())
    /// The maximum number of blocks; the oldest is removed first.
    private let blocksMax: Int

    /// Keeps at most about `rowsMax` rows, of 104 bytes each.
    init(rowsMax: Int = 1_500_000) {
        blocksMax = max(rowsMax / Int(Self.blockRows), 1)
    }

    /// The number of rows that are kept.
    var count: Int {
        blocks.withLock { $0.values.reduce(0) { $0 + $1.count { !$0.isMissing } } }
    }

    /// Keeps a row, which must be in the table before anybody can read it there.
    func keep(_ row: CatalogueProperties.Row, number: Int64) {
        blocks.withLock { put(row, number, in: &$0) }
    }

    /// Removes rows that are no longer in the table.
    func remove(_ numbers: [Int64]) {
        blocks.withLock { blocks in
            for number in numbers { remove(number, from: &blocks) }
        }
    }

    /// Forgets all rows.
    func removeAll() { blocks.withLock { $0.removeAll() } }

    /// Returns the rows with these numbers, in their order; reads those that are not kept.
    ///
    /// A row that the table does not have is ``CatalogueProperties/Row/isMissing``.
    func rows(_ numbers: [Int64], in database: Database) throws -> [CatalogueProperties.Row] {
        var (rows, places) = kept(numbers)
        let missing = places.map { numbers[$0] }
        guard let first = missing.min(), let last = missing.max() else { return rows }
        var found: [Int64: CatalogueProperties.Row] = [:]
        if last - first < Self.gapsMax * Int64(missing.count) {
            try read("BETWEEN ? AND ?", [first, last], in: database) { found[$0] = $1 }
        } else {
            for number in missing { try read("= ?", [number], in: database) { found[$0] = $1 } }
        }
        blocks.withLock { blocks in
            for (number, row) in found { put(row, number, in: &blocks) }
        }
        for place in places { rows[place] = found[numbers[place]] ?? .missing }
        return rows
    }

    /// Reads the newest rows of the table below a number, unless they are kept already.
    ///
    /// - Returns: The next number to continue below; `nil` at the end, or if there is no room for
    ///   more.
    func fill(below number: Int64, in database: Database) throws -> Int64? {
        let numbers = try Int64.fetchAll(
            try database.cachedStatement(
                sql: "SELECT row FROM listings WHERE row < ? ORDER BY row DESC LIMIT ?"
            ),
            arguments: [number, Self.stepRows]
        )
        guard let last = numbers.last, blocks.withLock({ $0.count < blocksMax })
        else { return nil }
        _ = try rows(numbers, in: database)
        return numbers.count < Self.stepRows ? nil : last
    }

    /// Returns the rows that are kept, and the positions of those that are not.
    private func kept(_ numbers: [Int64]) -> (rows: [CatalogueProperties.Row], missing: [Int]) {
        var rows: [CatalogueProperties.Row] = []
        rows.reserveCapacity(numbers.count)
        var missing: [Int] = []
        blocks.withLock { blocks in
            var key = Int64.min
            var block: [CatalogueProperties.Row] = []
            for (place, number) in numbers.enumerated() {
                if number / Self.blockRows != key {
                    key = number / Self.blockRows
                    block = blocks[key] ?? []
                }
                let row = block.isEmpty ? .missing : block[Int(number % Self.blockRows)]
                if row.isMissing { missing.append(place) }
                rows.append(row)
            }
        }
        return (rows, missing)
    }

    private func read(
        _ condition: String,
        _ arguments: StatementArguments,
        in database: Database,
        _ body: (Int64, CatalogueProperties.Row) -> Void
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT row, category, method, delivery, currency, author, chain, contract, sale,
                price, ends, latitude, longitude, reach, pieces FROM listings WHERE row \(condition)
                """
        )
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            guard let read = try values.row(from: row) else { continue }
            body(row[0], read)
        }
    }

    private func put(
        _ row: CatalogueProperties.Row,
        _ number: Int64,
        in blocks: inout Blocks
    ) {
        let key = number / Self.blockRows
        if blocks[key] == nil {
            if blocks.count >= blocksMax, let oldest = blocks.keys.min() {
                guard oldest < key else { return }
                blocks[oldest] = nil
            }
            blocks[key] = Array(repeating: .missing, count: Int(Self.blockRows))
        }
        blocks[key]?[Int(number % Self.blockRows)] = row
    }

    private func remove(_ number: Int64, from blocks: inout Blocks) {
        let key = number / Self.blockRows
        blocks[key]?[Int(number % Self.blockRows)] = .missing
        if blocks[key]?.allSatisfy(\.isMissing) == true { blocks[key] = nil }
    }
}
