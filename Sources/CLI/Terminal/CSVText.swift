/// A table as comma-separated values, which a spreadsheet does not take for formulas.
///
/// Every cell is quoted, so that a spreadsheet that separates by semicolons does not split its
/// text. Text from other people that begins like a formula gets an apostrophe in front.
///
/// Source: RFC 4180; OWASP, "CSV Injection".
enum CSVText {
    /// Characters that make a spreadsheet calculate, also in the wide forms that it treats alike.
    private static let formulaMarks: Set<Character> = [
        "=", "+", "-", "@", "|", "%", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    /// Formats rows, each with its end of line.
    static func text(_ rows: [[String]]) -> String {
        rows.map { $0.map(cell).joined(separator: ",") }.joined(separator: "\r\n")
    }

    private static func cell(_ text: String) -> String {
        let line = DisplayText.safe(DisplayText.line(text))
        let isFormula =
            line.first { !$0.isWhitespace && $0 != "\u{FFFD}" && $0 != "\"" }
            .map(formulaMarks.contains) ?? false
        let plain = (isFormula ? "'" : "") + line
        return "\"" + plain.replacing("\"", with: "\"\"") + "\""
    }
}
