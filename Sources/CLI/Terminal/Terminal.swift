import Foundation

/// Where a command's words go.
enum Terminal {
    /// What was asked for, for people.
    static func print(_ text: String) {
        write(ShownText.safe(text), to: .standardOutput)
    }

    /// What was asked for, for programs.
    static func print(json: String) {
        write(json, to: .standardOutput)
    }

    /// What is said about it: errors and notes.
    static func warn(_ text: String) {
        write(ShownText.safe(text), to: .standardError)
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
    static func secret(_ prompt: String) -> String? {
        var shown = termios()
        guard isInteractive, unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else { return nil }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        write(prompt, to: .standardError, end: "")
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            warn("")
        }
        return readLine()
    }

    private static func write(_ text: String, to file: FileHandle, end: String = "\n") {
        // A reader that went away, such as `head`, ends the output and nothing else.
        try? file.write(contentsOf: Data((text + end).utf8))
    }
}
