/// A table of text with aligned columns, fitted to the screen.
struct TextTable {
    /// Marks a line as the table's head, which ``Terminal/print(_:)`` shows in bold.
    ///
    /// ``add(_:)`` removes it from cells, so that text from other people cannot use it.
    static let headMark: Character = "\u{E000}"

    /// The heads of the columns whose texts continue on further lines: people know things by them.
    private static let titles: Set = [
        "title", "name", "about", "looks for", "calls itself", "hides",
    ]

    /// The heads of the columns that can be cut: other texts that people wrote, without numbers and
    /// ids.
    private static let freeTexts: Set = ["last", "meaning", "step", "note", "agent", "place"]

    /// The smallest width to which a column of texts is narrowed.
    private static let columnMin = 20
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
        rows.append(row.map { DisplayText.cell($0).filter { $0 != Self.headMark } })
    }

    /// Removes the columns that no row fills.
    mutating func dropEmptyColumns() {
        guard rows.count > 1, let head = rows.first else { return }
        let filled = head.indices.filter { column in
            rows.dropFirst().contains { !$0[column].isEmpty }
        }
        rows = rows.map { row in filled.map { row[$0] } }
    }

    /// Adds a line of the program's own words between the rows.
    mutating func divide(_ line: String) { dividers[rows.count] = line }

    /// Formats the table; returns `none` if it has no row but the head.
    ///
    /// On a narrow screen texts get narrower columns first, in which titles continue on further
    /// lines and others are cut; then the last columns move to lines of their own below each row,
    /// so that numbers, times, addresses and ids are always whole.
    func text(orElse none: String) -> String {
        guard rows.count > 1 else { return none }
        var widths = narrowed()
        let parts = parts(widths)
        for columns in parts { widen(columns, &widths) }
        let shown = rows.enumerated().flatMap { number, row in
            let lines = parts.enumerated().flatMap { place, columns in
                self.lines(of: row, columns, widths, indent: place == 0 ? 0 : Self.gap)
            }
            return [dividers[number]].compactMap(\.self) + lines
        }
        return (screen.hasColour ? String(Self.headMark) : "") + shown.joined(separator: "\n")
    }

    /// Formats some columns of a row; there are as many lines as its longest title needs.
    private func lines(
        of row: [String],
        _ columns: [Int],
        _ widths: [Int],
        indent: Int
    ) -> [String] {
        let cells = columns.map { column in
            Self.titles.contains(rows[0][column])
                ? DisplayWidth.lines(row[column], of: widths[column])
                : [DisplayWidth.cut(row[column], to: widths[column])]
        }
        let start = String(repeating: " ", count: indent)
        let gap = String(repeating: " ", count: Self.gap)
        return (0..<(cells.map(\.count).max() ?? 0)).map { line in
            let texts = cells.map { line < $0.count ? $0[line] : "" }
            let last = line == 0 ? texts.count - 1 : texts.lastIndex { !$0.isEmpty } ?? 0
            let padded = zip(texts, columns).prefix(last)
                .map { DisplayWidth.pad($0, to: widths[$1]) }
            return start + (padded + [texts[last]]).joined(separator: gap)
        }
    }

    /// The width that a column needs for its longest text.
    private func natural(_ column: Int) -> Int {
        rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }

    /// Computes the widths of the columns; the widest ones with texts shrink until a row fits the
    /// screen.
    private func narrowed() -> [Int] {
        var widths = rows[0].indices.map(natural)
        guard let columns = screen.columns else { return widths }
        let free = widths.indices.filter {
            Self.titles.contains(rows[0][$0]) || Self.freeTexts.contains(rows[0][$0])
        }
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - columns
        while excess > 0, let place = free.max(by: { widths[$0] < widths[$1] }),
            widths[place] > min(Self.columnMin, columns)
        {
            widths[place] -= 1
            excess -= 1
        }
        return widths
    }

    /// Gives the columns of a line what the screen has left since others moved to further lines.
    private func widen(_ columns: [Int], _ widths: inout [Int]) {
        guard let all = screen.columns else { return }
        let isFirst = columns.first == 0
        var spare = all - (isFirst ? 0 : Self.gap) - Self.gap * (columns.count - 1)
        spare -= columns.reduce(0) { $0 + widths[$1] }
        for column in columns where spare > 0 {
            let more = min(spare, natural(column) - widths[column])
            widths[column] += more
            spare -= more
        }
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
