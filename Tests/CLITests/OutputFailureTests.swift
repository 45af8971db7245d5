import Foundation
import Support
import Testing

@testable import CLI

/// Answers that cannot be shown: a full disk, and a reader that has gone.
@Suite(.timeLimit(.minutes(2)))
struct OutputFailureTests {
    private let folder = try? TemporaryFolder()

    /// - From commands: a new account's recovery phrase that cannot be written to standard output →
    ///   exit 1; the account is removed
    @Test func `removes an account whose phrase could not be shown`() throws {
        let folder = try #require(folder)
        let password = folder.path("password")
        let isMade = FileManager.default.createFile(
            atPath: password,
            contents: Data("correct horse".utf8),
            attributes: [.posixPermissions: 0o600]
        )
        #expect(isMade)
        let stoa = Program(folder: folder.path("data"))
        try stoa.withNode {
            let create = """
                "$0" account create eve --password-file "$1" --data "$2" >/dev/full
                """
            let full = try Program.shell(create, password, stoa.folder)
            #expect(full.code == 1, "\(full.words)")
            #expect(full.words.contains("could not be shown: No space left on device"))
            #expect(full.words.contains("The account was removed"))
            let gone = "{ \(create.replacing(">/dev/full", with: "")); echo $? >&2; } | true"
            #expect(try Program.shell(gone, password, stoa.folder).words.contains("Broken pipe"))
            #expect(try !stoa.run("account", "list").out.contains("eve"))
        }
    }

    /// - From commands: standard output that cannot be written, for example on a full disk → exit 1
    @Test(arguments: ["--help", "config show", "completion bash"])
    func `fails if the command's answer cannot be shown`(command: String) throws {
        let folder = try #require(folder)
        let end = try Program.shell("STOA_DATA=\"$1\" \"$0\" \(command) >/dev/full", folder.path)
        #expect(end.code == 1)
        #expect(end.words.contains("Not all output could be written: No space left on device."))
        // Who stops reading, as 'head' does, has what was wanted.
        let script = "STOA_DATA=\"$1\" \"$0\" \(command) | true"
        #expect(try Program.shell(script, folder.path).words.isEmpty)
    }
}
