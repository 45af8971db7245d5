import AccountAccess
import Answers
import ArgumentParser
import Foundation
import Setup

/// The options for a password, which is typed, or read from standard input or a private file.
///
/// Never an argument: every process of the machine can read those.
struct PasswordOptions: ParsableArguments {
    @Flag(help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    @Option(
        help: ArgumentHelp(
            "Read the password from a file that only its owner may read (mode 0600).",
            valueName: "file"
        ),
        completion: .file()
    )
    var passwordFile: String?

    func validate() throws {
        if passwordStdin, passwordFile != nil {
            throw ValidationError("Give --password-stdin or --password-file, not both.")
        }
    }

    /// Whether the password is typed.
    var isTyped: Bool { passwordFile == nil && !passwordStdin }

    /// Reads the password; a new one must be typed twice.
    func read(isNew: Bool) throws -> String {
        if let passwordFile { return try SecretFile(passwordFile).firstLine() }
        if passwordStdin {
            guard let line = try StandardInput.line("The password"), !line.isEmpty else {
                throw Failure(.usage, "Standard input contains no password.")
            }
            return line
        }
        return try Self.typed(
            "Password: ",
            isNew: isNew,
            otherwise: "Use --password-stdin or --password-file."
        )
    }

    /// Reads a password from the terminal; a new one must be typed twice.
    ///
    /// A new one that the node would refuse, or that is typed in two ways, is asked for again.
    ///
    /// - Parameters:
    ///   - prompt: The text before the input.
    ///   - isNew: Whether it must be typed twice.
    ///   - otherwise: The advice if there is no terminal.
    /// - Returns: The password, as typed.
    /// - Throws: ``Failure`` without a terminal, and at the end of the input.
    static func typed(_ prompt: String, isNew: Bool, otherwise: String) throws -> String {
        while let password = try Terminal.secret(prompt) {
            guard isNew else { return password }
            do { try Password.check(password) } catch {
                Terminal.warn(error.detail)
                continue
            }
            if try Terminal.secret("Again: ") == password { return password }
            Terminal.warn("The two passwords differ. Type it again.")
        }
        throw Failure(
            .usage,
            Terminal.isInteractive
                ? "No password was typed."
                : "There is no terminal to type the password on. \(otherwise)"
        )
    }
}

/// A file with a secret, which only its owner may read.
struct SecretFile {
    let path: String

    init(_ path: String) { self.path = path }

    /// Returns the first line that is not blank; if all are, the first that is not empty.
    ///
    /// - Parameter canBeEmpty: Whether a file without such a line means an empty text.
    /// - Returns: The line, without its end.
    /// - Throws: ``Failure``, also for a file that others can read.
    func firstLine(canBeEmpty: Bool = false) throws -> String {
        let lines = try text(canBeEmpty: canBeEmpty).split(whereSeparator: Self.endsLine)
        return String(lines.first { !$0.allSatisfy(\.isWhitespace) } ?? lines.first ?? "")
    }

    /// Returns the only line that is not blank, for a secret of which a file must not have two.
    ///
    /// - Returns: The line, without its end.
    /// - Throws: As ``firstLine(canBeEmpty:)``, and ``Failure`` for a second line.
    func onlyLine() throws -> String {
        let lines = try text().split(whereSeparator: Self.endsLine)
            .filter { !$0.allSatisfy(\.isWhitespace) }
        guard lines.count < 2 else {
            throw Failure(
                .configuration,
                "\(path.quoted) has \(lines.count) lines with text; a private key is one line. "
                    + "Leave only the key that you want in the file."
            )
        }
        return try lines.first.map(String.init) ?? firstLine()
    }

    /// Returns the whole text.
    ///
    /// - Throws: As ``firstLine(canBeEmpty:)``.
    func text(canBeEmpty: Bool = false) throws -> String {
        let text = try content()
        guard canBeEmpty || !text.allSatisfy(Self.endsLine) else {
            throw Failure(.configuration, "\(path.quoted) is empty.")
        }
        return text
    }

    private static func endsLine(_ character: Character) -> Bool {
        ["\n", "\r", "\r\n"].contains(character)
    }

    private func content() throws -> String {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let attributes else {
            throw Failure(.configuration, "There is no file \(path.quoted).")
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw Failure(.configuration, "\(path.quoted) is not a file.")
        }
        guard let mode = attributes[.posixPermissions] as? Int, mode & 0o077 == 0 else {
            throw Failure(
                .notAllowed,
                "Other users can read \(path.quoted). Run 'chmod 600' on it first."
            )
        }
        do {
            guard let text = try PrivateFile.secretText(in: path) else {
                throw Failure(
                    .configuration,
                    "\(path.quoted) cannot be read, or is too large for a secret."
                )
            }
            return text
        } catch let error as NotUTF8 {
            throw Failure(.configuration, "\(path.quoted) \(error).")
        }
    }
}
