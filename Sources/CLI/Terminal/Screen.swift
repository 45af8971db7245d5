import Foundation

/// What a person sees the answers on: how wide it is, and whether it shows colours.
struct Screen: Equatable, Sendable {
    /// Its columns; `nil` for a file, a pipe, or a terminal that does not say.
    let columns: Int?
    let hasColour: Bool

    /// Neither width nor colours: what a program reads.
    static let none = Screen(columns: nil, hasColour: false)

    init(columns: Int?, hasColour: Bool) {
        (self.columns, self.hasColour) = (columns, hasColour)
    }

    /// The screen behind an open file.
    ///
    /// Colours are left out if `NO_COLOR` is set to anything, and on a terminal that knows none.
    ///
    /// Source: https://no-color.org.
    init(
        of file: Int32,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard isatty(file) == 1 else {
            self = .none
            return
        }
        var size = winsize()
        let isKnown = unsafe ioctl(file, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        self.init(
            columns: isKnown ? Int(size.ws_col) : nil,
            hasColour: !isPlain && environment["TERM"] != "dumb"
        )
    }

    /// Where answers go.
    static let output = Screen(of: STDOUT_FILENO)
    /// Where errors and notes go.
    static let words = Screen(of: STDERR_FILENO)
}

extension Screen {
    /// How a few words are set off.
    enum Style: String {
        case bold = "1"
        case red = "1;31"
    }

    /// The text in a style, if there are colours.
    ///
    /// Only for the program's own words, with what others wrote made safe before.
    func styled(_ text: String, _ style: Style) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The text with long lines broken at blanks; what follows a label stays in its column.
    func fitted(_ text: String) -> String {
        guard let columns, columns >= Self.columnsMin else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Self.broken(String($0), at: columns) }.joined(separator: "\n")
    }

    /// On less, lines are left as they are.
    private static let columnsMin = 40
    /// A label with its blanks is no wider.
    private static let labelMax = 18

    private static func broken(_ line: String, at columns: Int) -> String {
        guard DisplayWidth.of(line) > columns else { return line }
        let indent = String(repeating: " ", count: indent(of: line))
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        var lines: [String] = []
        var current = String(words[0])
        for word in words.dropFirst() {
            let longer = current + " " + word
            if DisplayWidth.of(longer) > columns, DisplayWidth.of(current) > indent.count {
                lines.append(current)
                current = indent + word
            } else {
                current = longer
            }
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// Where a line's words begin: behind its blanks, or behind a label and two blanks.
    private static func indent(of line: String) -> Int {
        let start = line.prefix { $0 == " " }.count
        let rest = line.dropFirst(start)
        guard let gap = rest.range(of: "  ") else { return start }
        let label = start + rest.distance(from: rest.startIndex, to: gap.lowerBound)
        let column = label + line.dropFirst(label).prefix { $0 == " " }.count
        return column <= labelMax ? column : start
    }
}
