import Foundation

/// Reads from the terminal without echoing.
///
/// Echoing is restored when the reading ends, even if a signal such as Ctrl-C ends the process.
enum HiddenInput {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// The terminal's original settings, which the signal handler restores.
    ///
    /// Allocated once and never freed, because a signal handler must not allocate. Safe: it is
    /// written before a handler is set, and only handlers read it.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>
        .allocate(capacity: 1)

    /// Returns the typed text; `nil` if standard input is not a terminal or has ended.
    ///
    /// - Parameters:
    ///   - prompt: Asks for the input.
    ///   - isWhole: Whether the lines read so far are complete; after the first line, an empty line
    ///     and the end of the input complete them too.
    /// - Returns: The lines, with line ends between them.
    /// - Throws: ``Failure`` for a line that is not UTF-8.
    static func lines(
        _ prompt: () -> Void,
        until isWhole: (String) -> Bool
    ) throws(Failure) -> String? {
        var shown = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else {
            return nil
        }
        unsafe before.initialize(to: shown)
        let others = signals.map { number in
            var old = sigaction()
            var new = sigaction()
            unsafe new.__sigaction_handler.sa_handler = restoreAndEnd
            _ = unsafe sigaction(number, &new, &old)
            return (number, old)
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        prompt()
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            for (number, old) in others {
                var old = old
                _ = unsafe sigaction(number, &old, nil)
            }
        }
        guard var text = try StandardInput.line("What was typed") else { return nil }
        while !isWhole(text), let line = try StandardInput.line("What was typed"), !line.isEmpty {
            text += "\n" + line
        }
        return text
    }

    /// Restores the terminal and raises the signal again with its default action.
    ///
    /// Calls only functions that are allowed in a handler: `tcsetattr`, `write`, `signal` and
    /// `raise`.
    ///
    /// Source: POSIX.1-2017, section 2.4.3.
    private static let restoreAndEnd: @convention(c) (Int32) -> Void = { number in
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, HiddenInput.before)
        // The shell's next output begins on a line of its own.
        var newline = UInt8(ascii: "\n")
        _ = unsafe write(STDERR_FILENO, &newline, 1)
        _ = signal(number, SIG_DFL)
        raise(number)
    }
}
