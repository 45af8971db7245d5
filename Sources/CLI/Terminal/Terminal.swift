import ArgumentParser
import Foundation

/// Writes to standard output and standard error, and asks questions.
enum Terminal {
    /// Prints an answer for people, fitted to the screen.
    static func print(_ text: String) {
        let screen = Screen.output
        let lines = DisplayText.safe(text).split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.map { line in
            guard line.first == TextTable.headMark else { return screen.fitted(String(line)) }
            return screen.styled(String(line.dropFirst()), .bold)
        }
        write(shown.joined(separator: "\n"), to: STDOUT_FILENO)
    }

    /// Prints an answer for programs.
    static func print(json: String) {
        write(json, to: STDOUT_FILENO)
    }

    /// Prints the lines of a picture unchanged, with their colours.
    static func print(picture lines: [String]) {
        write(lines.joined(separator: "\n"), to: STDOUT_FILENO)
    }

    /// Prints a list for a spreadsheet unchanged; its lines end as RFC 4180 says.
    static func print(csv: String) {
        write(csv, to: STDOUT_FILENO, end: "\r\n")
    }

    /// Replaces the last line of a terminal, on standard error; an empty text removes it.
    ///
    /// Nothing is written to a file or a pipe.
    static func show(status: String) {
        guard let columns = Screen.words.columns else { return }
        let line = DisplayWidth.cut(DisplayText.safe(status), to: columns - 1)
        write("\r\u{1B}[2K" + line, to: STDERR_FILENO, end: "")
    }

    /// Prints a shell script unchanged.
    static func print(script: String) {
        write(script, to: STDOUT_FILENO, end: "")
    }

    /// Prints a note or a warning to standard error.
    static func warn(_ text: String) {
        write(Screen.words.fitted(DisplayText.safe(text)), to: STDERR_FILENO)
    }

    /// Prints to standard error why a command failed.
    static func fail(_ text: String) {
        let words = Screen.words.fitted(DisplayText.safe("stoa: " + text))
        let name = Screen.words.styled("stoa:", .red)
        write(name + words.dropFirst("stoa:".count), to: STDERR_FILENO)
    }

    /// Prints an error for programs to standard error.
    static func warn(json: String) {
        write(json, to: STDERR_FILENO)
    }

    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 }

    /// - Throws: ``Failure`` if there is no terminal to confirm on.
    static func requireInteractive() throws {
        guard !isInteractive else { return }
        throw Failure(.usage, "There is no terminal to answer on. Add --yes to confirm.")
    }

    /// - Throws: ``Failure``, with the text `refusal` if the answer is no.
    static func confirm(_ question: String, orElse refusal: String) throws {
        try requireInteractive()
        guard confirms(question) else { throw Failure(.usage, refusal) }
    }

    /// Asks a question; any answer other than `y` or `yes` means no.
    ///
    /// The question goes to standard error: standard output holds the command's answer only.
    static func confirms(_ question: String) -> Bool {
        write(DisplayText.safe(question) + " [y/N] ", to: STDERR_FILENO, end: "")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Asks for a line of text; `nil` at the end of the input.
    ///
    /// The question goes to standard error, as in ``confirms(_:)``.
    static func answer(_ question: String) -> String? {
        write(question, to: STDERR_FILENO, end: "")
        return readLine()
    }

    /// Asks for a line of text until `read` takes the answer; `nil` at the end of the input.
    ///
    /// The reason of each refusal is shown before the question is asked again.
    ///
    /// - Throws: The errors of `read`, except for refusals of the answer: `ValidationError`, and
    ///   ``Failure`` with the exit code for usage.
    static func answer<Value>(
        _ question: String,
        _ read: (String) async throws -> Value
    ) async throws -> Value? {
        while let text = answer(question) {
            do { return try await read(text) } catch let error as ValidationError {
                warn(error.message)
            } catch let failure as Failure where failure.code == .usage {
                warn(failure.message)
            }
        }
        return nil
    }

    /// Asks for a line that is not shown while it is typed; `nil` without a terminal.
    ///
    /// `isWhole` says whether the text read so far is complete; otherwise lines are read up to an
    /// empty one.
    ///
    /// - Throws: ``Failure`` for a line that is not UTF-8.
    static func secret(
        _ prompt: String,
        until isWhole: (String) -> Bool = { _ in true }
    ) throws -> String? {
        let line = try HiddenInput.lines(prompt, until: isWhole)
        if isInteractive { write("", to: STDERR_FILENO) }
        return line
    }

    private static func write(_ text: String, to file: Int32, end: String = "\n") {
        var rest = Array((text + end).utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Foundation.write(file, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                if file == STDOUT_FILENO { OutputFailure.note(errno) }
                return
            }
        }
    }
}
