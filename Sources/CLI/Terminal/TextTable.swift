/// A table of text with aligned columns, fitted to the screen.
struct TextTable {
    /// Marks a line as the table's head, which ``Terminal/print(_:)`` shows in bold.
    ///
    /// ``add(_:)`` removes it from cells, so that text from other people cannot use it.
    static let headMark: Character = "\u{E000}"

    /// The heads of the columns that can be cut: texts that people wrote, without numbers and ids.
    private static let freeTexts: Set = [
        "title", "name", "about", "last", "meaning", "step", "looks for", "calls itself",
        "note", "hides", "agent", "place",
    ]

    /// The smallest width that a column is cut to.
    private static let columnMin = 10
    private static let gap = 2

    private var rows: [[String]]
    /// Lines between rows, each by the number of the row below it.
    private var dividers: [Int: String] = [:]
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

    /// Adds a line of the program's own words between the rows.
    mutating func divide(_ line: String) { dividers[rows.count] = line }

    /// Formats the table; returns `none` if it has no row but the head.
    ///
    /// On a narrow screen free text is cut first; then the last columns move to lines of their own
    /// below each row, so that numbers, times, addresses and ids are always whole.
    func text(orElse none: String) -> String {
        guard rows.count > 1 else { return none }
        let widths = widths()
        let parts = parts(widths)
        let lines = rows.enumerated().map { number, row in
            let lines = parts.enumerated().map { place, columns in
                let cells = columns.map { DisplayWidth.cut(row[$0], to: widths[$0]) }
                let padded = zip(cells, columns).dropLast()
                    .map { DisplayWidth.pad($0, to: widths[$1]) }
                let gap = String(repeating: " ", count: Self.gap)
                let line = (padded + cells.suffix(1)).joined(separator: gap)
                return place == 0 ? line : gap + line
            }
            return ([dividers[number]].compactMap(\.self) + lines).joined(separator: "\n")
        }
        return (screen.hasColour ? String(Self.headMark) : "") + lines.joined(separator: "\n")
    }

    /// Computes the widths of the columns; the widest ones with free text shrink until a row fits
    /// the screen.
    private func widths() -> [Int] {
        var widths = rows[0].indices.map { column in
            rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        guard let columns = screen.columns else { return widths }
        let free = widths.indices.filter { Self.freeTexts.contains(rows[0][$0]) }
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - columns
        while excess > 0, let place = free.max(by: { widths[$0] < widths[$1] }),
            widths[place] > Self.columnMin
        {
            widths[place] -= 1
            excess -= 1
        }
        return widths
    }

    /// Divides the columns into lines that fit the screen; a wider column has a line to itself.
    private func parts(_ widths: [Int]) -> [[Int]] {
        guard let columns = screen.columns else { return [Array(widths.indices)] }
        var parts: [[Int]] = [[]]
        var used = 0
        for (column, width) in widths.enumerated() {
            let isFirst = parts[parts.count - 1].isEmpty
            if !isFirst, used + Self.gap + width > columns {
                parts.append([column])
                used = Self.gap + width
            } else {
                parts[parts.count - 1].append(column)
                used += (isFirst ? 0 : Self.gap) + width
            }
        }
        return parts
    }
}
