import Foundation

/// The width and the colours of the terminal that shows the output.
struct Screen: Equatable, Sendable {
    /// The number of columns; `nil` for a file, a pipe, or a terminal that does not report it.
    let columns: Int?
    let hasColour: Bool

    /// No width and no colours, for output that a program reads.
    static let none = Screen(columns: nil, hasColour: false)

    init(columns: Int?, hasColour: Bool) {
        (self.columns, self.hasColour) = (columns, hasColour)
    }

    /// Reads the screen of an open file from the system.
    ///
    /// It has no colours if `NO_COLOR` is set and not empty, or `TERM` is `dumb`.
    ///
    /// Source: https://no-color.org.
    init(of file: Int32, environment: [String: String] = ProcessInfo.processInfo.environment) {
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

    /// The screen of standard output, for answers.
    static let output = Screen(of: STDOUT_FILENO)
    /// The screen of standard error, for errors and notes.
    static let words = Screen(of: STDERR_FILENO)
}

extension Screen {
    /// The styles, as the parameters of their escape sequence.
    enum Style: String {
        case bold = "1"
        case red = "1;31"
    }

    /// Returns the text in a style, if the screen has colours.
    ///
    /// Text from other people must have been through ``DisplayText/safe(_:)``.
    func styled(_ text: String, _ style: Style) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Breaks long lines at spaces; text behind a label stays in its column.
    ///
    /// Each further line is indented, so that a stranger's text cannot look like a line of the
    /// program. A longer word is broken, unless it is one that people copy.
    func fitted(_ text: String) -> String {
        guard let columns, columns >= Self.columnsMin else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Self.broken(String($0), at: columns) }.joined(separator: "\n")
    }

    /// On a narrower screen, lines are not broken.
    private static let columnsMin = 40
    /// The largest width of a label with the spaces before and after it.
    private static let labelMax = 18
    /// The least indent of a further line, as of ``DisplayText/setIn(_:)``.
    private static let indentMin = 4

    private static func broken(_ line: String, at columns: Int) -> String {
        guard DisplayWidth.most(of: line) > columns else { return line }
        let indent = String(repeating: " ", count: max(indent(of: line), indentMin))
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        var lines: [String] = []
        var current = String(words[0])
        for (place, word) in words.enumerated() {
            let longer = place == 0 ? current : current + " " + word
            if place > 0, DisplayWidth.most(of: longer) > columns,
                DisplayWidth.most(of: current) > indent.count
            {
                lines.append(current)
                current = indent + word
            } else {
                current = longer
            }
            guard !isCopied(word) else { continue }
            while DisplayWidth.most(of: current) > columns {
                let head = beginning(of: current, atMost: columns, beyond: indent.count)
                lines.append(head)
                current = indent + current.dropFirst(head.count)
            }
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// Returns the characters that fit, but at least one more than `count`.
    private static func beginning(
        of text: String,
        atMost columns: Int,
        beyond count: Int
    ) -> String {
        var beginning = ""
        var width = 0
        for character in text {
            width += DisplayWidth.most(of: String(character))
            if width > columns, beginning.count > count { break }
            beginning.append(character)
        }
        return beginning
    }

    /// Whether a word looks as an id, an address or a path, which a terminal copies whole.
    private static func isCopied(_ word: Substring) -> Bool {
        word.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || ".:/@?=&%-_#+,'".contains($0))
        }
    }

    /// Returns the column at which a line's text begins: after its leading spaces, or after a label
    /// and at least two spaces.
    private static func indent(of line: String) -> Int {
        let start = line.prefix { $0 == " " }.count
        let rest = line.dropFirst(start)
        guard let gap = rest.range(of: "  ") else { return start }
        let label = start + rest.distance(from: rest.startIndex, to: gap.lowerBound)
        let column = label + line.dropFirst(label).prefix { $0 == " " }.count
        return column <= labelMax ? column : start
    }
}
