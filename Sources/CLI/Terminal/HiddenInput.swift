import Foundation

/// Reads from the terminal without echoing.
///
/// Echoing is restored when the reading ends, even if a signal such as Ctrl-C ends the process, and
/// while the process is stopped, as by Ctrl-Z.
enum HiddenInput {
    private static var handlers: [(Int32, @convention(c) (Int32) -> Void)] {
        [
            (SIGINT, restoreAndEnd), (SIGTERM, restoreAndEnd), (SIGHUP, restoreAndEnd),
            (SIGQUIT, restoreAndEnd), (SIGTSTP, restoreAndStop), (SIGCONT, hideAgain),
        ]
    }
    private static let promptBytesMax = 512

    /// The terminal's original settings, which the signal handler restores.
    ///
    /// Allocated once and never freed, because a signal handler must not allocate. Safe: it is
    /// written before a handler is set, and only handlers read it.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>
        .allocate(capacity: 1)
    /// The settings without echoing, under the same rules as ``before``.
    private nonisolated(unsafe) static let hidden = UnsafeMutablePointer<termios>
        .allocate(capacity: 1)
    /// The prompt, which the handler repeats, and its length, under the same rules.
    private nonisolated(unsafe) static let prompt = UnsafeMutablePointer<UInt8>
        .allocate(capacity: promptBytesMax)
    private nonisolated(unsafe) static let promptBytes = UnsafeMutablePointer<Int>
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
        _ prompt: String,
        until isWhole: (String) -> Bool
    ) throws(Failure) -> String? {
        var shown = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else {
            return nil
        }
        prepare(prompt, shown)
        let others = handlers.map { number, handler in
            var old = sigaction()
            var new = sigaction()
            unsafe new.__sigaction_handler.sa_handler = handler
            // The reading goes on after a stop.
            new.sa_flags = SA_RESTART
            _ = unsafe sigaction(number, &new, &old)
            return (number, old)
        }
        ask()
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

    /// Stores what the handlers need.
    private static func prepare(_ words: String, _ shown: termios) {
        var silent = shown
        silent.c_lflag &= ~tcflag_t(ECHO)
        unsafe before.initialize(to: shown)
        unsafe hidden.initialize(to: silent)
        let bytes = Array(words.utf8.prefix(promptBytesMax))
        unsafe prompt.initialize(from: bytes, count: bytes.count)
        unsafe promptBytes.initialize(to: bytes.count)
    }

    /// Writes the prompt and hides what is typed from now on; it is called by a handler too.
    private static func ask() {
        _ = unsafe write(STDERR_FILENO, prompt, promptBytes.pointee)
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, hidden)
    }

    /// Hides what is typed after a stop: the shell has set the terminal to its own settings.
    private static let hideAgain: @convention(c) (Int32) -> Void = { _ in HiddenInput.ask() }

    /// Restores the terminal and stops the process.
    ///
    /// When it goes on, ``hideAgain`` is called. `SIGSTOP` stops it also in a handler of `SIGTSTP`,
    /// which is blocked until the handler returns.
    private static let restoreAndStop: @convention(c) (Int32) -> Void = { _ in
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, HiddenInput.before)
        var newline = UInt8(ascii: "\n")
        _ = unsafe write(STDERR_FILENO, &newline, 1)
        raise(SIGSTOP)
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
