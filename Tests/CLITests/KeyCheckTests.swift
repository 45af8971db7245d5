import Client
import Foundation
import Support
import Testing

@testable import CLI

/// What is checked before a person types a new password.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct KeyCheckTests {
    private static let words = Array(repeating: "abandon", count: 11)

    /// - From commands: a wrong recovery phrase, private key or keystore password that is typed →
    ///   exit 2 or 9, before a new password is asked for
    @Test func `refuses a wrong phrase or key before it asks for a password`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(answer: document.good) { node, server in
            for (command, typed, reason) in [
                ("recover", (Self.words + ["abandon"]).joined(separator: " ") + "\n", "phrase"),
                ("import", "12\n", "This is not a private key"),
            ] {
                let words = ["account", command, "ana", "--node", node.description]
                let said = try await Self.said(by: words + ["--data", folder.path("data")], typed)
                #expect(said.code == 2, "\(said.words)")
                #expect(said.words.contains(reason), "\(said.words)")
                #expect(!said.words.contains("Password"), "\(said.words)")
            }
            #expect(server.requests.allSatisfy { $0.method == "GET" })
        }
    }

    /// - From commands: a file that is no keystore → exit 2, before any password is asked for
    @Test(arguments: [
        ("A song", "it is not JSON"), ("{}", "keystore"),
        (String(repeating: "11", count: 32), "plain private key"),
    ])
    func `refuses a file that is no keystore before it asks`(text: String, words: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.path("file")
        try Data(text.utf8).write(to: URL(filePath: file))
        let stoa = Program(folder: folder.path("data"))
        let ended = try stoa.run("account", "import", "ana", "--keystore", file)
        #expect(ended.code == 2, "\(ended.words)")
        #expect(ended.words.contains(words) && !ended.words.contains("terminal"), "\(ended.words)")
    }

    /// Runs a command that asks for a secret, and types it once it does.
    private static func said(
        by arguments: [String],
        _ typed: String
    ) async throws -> (code: Int32, words: String) {
        let terminal = TestTerminal()
        let (process, words) = (Process(), Pipe())
        process.executableURL = URL(filePath: Program.path)
        process.arguments = arguments
        process.standardInput = FileHandle(fileDescriptor: terminal.slave)
        process.standardError = words
        try process.run()
        try await waitUntil { !terminal.echoes || !process.isRunning }
        try terminal.type(typed)
        process.waitUntilExit()
        let text = String(decoding: words.fileHandleForReading.availableData, as: UTF8.self)
        return (process.terminationStatus, text)
    }

    @Test func `checks a phrase, a key and the password of a keystore`() throws {
        #expect(throws: Never.self) {
            try KeyCheck.phrase((Self.words + ["about"]).joined(separator: " "))
        }
        var request = AccountImport(name: "ana", password: "")
        request.privateKey = "0x" + String(repeating: "11", count: 32)
        #expect(throws: Never.self) { try KeyCheck.key(of: request) }
        request.privateKey = nil
        request.keystore = """
            {"version":3,"crypto":{"cipher":"aes-128-ctr",\
            "cipherparams":{"iv":"83dbcc02d8ccb40e466191a123791e0e"},\
            "ciphertext":"d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",\
            "kdf":"pbkdf2","kdfparams":{"c":1,"dklen":32,"prf":"hmac-sha256",\
            "salt":"ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19"},\
            "mac":"\(String(repeating: "ab", count: 32))"}}
            """
        request.keystorePassword = "wrong"
        let error = #expect(throws: Failure.self) { try KeyCheck.key(of: request) }
        #expect(error?.code == .notAllowed)
        #expect(throws: Never.self) { try KeyCheck.keystore(request.keystore ?? "") }
    }
}
