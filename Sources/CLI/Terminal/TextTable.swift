/// A table of text with aligned columns, fitted to the screen.
struct TextTable {
    /// Marks a line as the table's head, which ``Terminal/print(_:)`` shows in bold.
    ///
    /// ``add(_:)`` removes it from cells, so that text from other people cannot use it.
    static let headMark: Character = "\u{E000}"

    /// The smallest width that a column is cut to.
    private static let columnMin = 10
    private static let gap = 2

    private var rows: [[String]]
    private let screen: Screen

    init(_ head: String..., screen: Screen = .output) { self.init(head, screen: screen) }

    init(_ head: [String], screen: Screen = .output) {
        rows = [head]
        self.screen = screen
    }

    mutating func add(_ row: String...) { add(row) }

    mutating func add(_ row: [String]) {
        rows.append(row.map { DisplayText.line($0).filter { $0 != Self.headMark } })
    }

    /// Formats the table; returns `none` if it has no row but the head.
    func text(orElse none: String) -> String {
        guard rows.count > 1 else { return none }
        let widths = widths()
        let lines = rows.map { row in
            let cells = zip(row, widths).map { DisplayWidth.cut($0, to: $1) }
            let padded = zip(cells.dropLast(), widths).map { DisplayWidth.pad($0, to: $1) }
            return (padded + cells.suffix(1)).joined(separator: String(repeating: " ", count: 2))
        }
        return (screen.hasColour ? String(Self.headMark) : "") + lines.joined(separator: "\n")
    }

    /// Computes the widths of the columns; the widest ones shrink until a row fits the screen.
    private func widths() -> [Int] {
        var widths = rows[0].indices.map { column in
            rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        guard let columns = screen.columns else { return widths }
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - columns
        while excess > 0, let widest = widths.max(), widest > Self.columnMin,
            let place = widths.firstIndex(of: widest)
        {
            widths[place] -= 1
            excess -= 1
        }
        return widths
    }
}
