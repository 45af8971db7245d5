/// Rows of words with their columns under each other.
struct TextTable {
    private var rows: [[String]]

    init(_ head: String...) { rows = [head] }

    mutating func add(_ row: String...) { rows.append(row.map(ShownText.line)) }

    /// The table, or `none` where it has no rows but the head.
    func text(orElse none: String) -> String {
        guard rows.count > 1 else { return none }
        let widths = rows[0].indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            zip(row, widths).enumerated().map { place, cell in
                let isLast = place == row.count - 1
                return isLast
                    ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
