import Foundation

/// Where a command's words go.
enum Terminal {
    /// What was asked for, for people.
    static func print(_ text: String) {
        let screen = Screen.output
        let lines = ShownText.safe(text).split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.map { line in
            guard line.first == TextTable.headMark else { return screen.fitted(String(line)) }
            return screen.styled(String(line.dropFirst()), .bold)
        }
        write(shown.joined(separator: "\n"), to: .standardOutput)
    }

    /// What was asked for, for programs.
    static func print(json: String) {
        write(json, to: .standardOutput)
    }

    /// A script for a shell, as it is.
    static func print(script: String) {
        write(script, to: .standardOutput, end: "")
    }

    /// What is said about it: errors and notes.
    static func warn(_ text: String) {
        write(Screen.words.fitted(ShownText.safe(text)), to: .standardError)
    }

    /// Why a command failed.
    static func fail(_ text: String) {
        let words = Screen.words.fitted(ShownText.safe("stoa: " + text))
        let name = Screen.words.styled("stoa:", .red)
        write(name + words.dropFirst("stoa:".count), to: .standardError)
    }

    /// An error, for programs.
    static func warn(json: String) {
        write(json, to: .standardError)
    }

    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 }

    /// Asks a question; anything but yes is no.
    ///
    /// It is asked on standard error, so that standard output holds the answer of the command alone.
    static func confirms(_ question: String) -> Bool {
        write(ShownText.safe(question) + " [y/N] ", to: .standardError, end: "")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Asks for a line.
    static func answer(_ question: String) -> String? {
        write(question, to: .standardOutput, end: "")
        return readLine()
    }

    /// Asks for a line that is not shown while it is typed.
    ///
    /// - Throws: ``Failure`` for a line that is not UTF-8.
    static func secret(_ prompt: String) throws -> String? {
        let line = try HiddenInput.line { write(prompt, to: .standardError, end: "") }
        if isInteractive { write("", to: .standardError) }
        return line
    }

    private static func write(_ text: String, to file: FileHandle, end: String = "\n") {
        // A reader that went away, such as `head`, ends the output and nothing else.
        try? file.write(contentsOf: Data((text + end).utf8))
    }
}
