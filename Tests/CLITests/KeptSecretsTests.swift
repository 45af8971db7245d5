import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Keys, phrases and passwords as people keep them.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct KeptSecretsTests {
    private static let words = Array(repeating: "abandon", count: 11) + ["about"]
    /// The first account of the words.
    private static let address = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
    /// An own key that was sealed with the empty password.
    private static let unprotected = """
        {"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"2519a3c60284020d74241c669f8b1461"},
        "ciphertext":"913bf00d44dc49ecca95820c3c918e97de98801cd2e5724258e827266c8cb0ab",
        "kdf":"scrypt",
        "kdfparams":{"dklen":32,"n":1024,"p":1,"r":8,
        "salt":"5606aa775cade01108ec2bb2cdab581c64ec76a432cebd259ec2c92cda0ab6c7"},
        "mac":"0d5e6491b40ca275bc8f0b2b4e48c77db8263ff818382dc82781a0aeb8778099"},
        "version":3,"address":"02aae7d943c86a8e27f96b67965bdbd02a00dc82"}
        """

    private let folder: TemporaryFolder
    private let stoa: Program

    init() throws {
        folder = try TemporaryFolder()
        stoa = Program(folder: folder.path("data"))
    }

    private func secret(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let path = folder.path(name)
        #expect(
            FileManager.default.createFile(
                atPath: path,
                contents: Data(bytes),
                attributes: [.posixPermissions: 0o600]
            )
        )
        return path
    }

    @Test func `reads a secret without the byte order mark of some editors`() throws {
        let text = "pässwörd 12"
        let units = Array(text.utf16)
        let forms: [(String, [UInt8])] = [
            ("utf8", [0xEF, 0xBB, 0xBF] + Array(text.utf8) + [0x0D, 0x0A]),
            ("big", [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
            (
                "little",
                [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + [0x0A, 0]
            ),
            ("plain", Array("\n  \n\(text)\nmore".utf8)),
        ]
        for (name, bytes) in forms {
            let line = try SecretFile(try secret(name, bytes)).firstLine()
            #expect(line.utf8.elementsEqual(text.utf8), "\(name)")
        }
        let blank = try SecretFile(try secret("blank", "    \n".utf8)).firstLine()
        #expect(blank == "    ")
        for bytes in [[], [0xEF, 0xBB, 0xBF], [0x0D, 0x0A]] as [[UInt8]] {
            let file = SecretFile(try secret("empty", bytes))
            #expect(try file.firstLine(canBeEmpty: true).isEmpty)
            let failure = #expect(throws: Failure.self) { try file.firstLine() }
            #expect(failure?.message.hasSuffix("is empty.") == true)
            try FileManager.default.removeItem(atPath: file.path)
        }
        let odd = SecretFile(try secret("odd", [0xFF, 0xFE, 0x61]))
        #expect(throws: Failure.self) { try odd.firstLine() }
    }

    @Test func `refuses a file with two private keys`() throws {
        let two = SecretFile(try secret("two", Array("46ab\n\n 46ac\n".utf8)))
        let failure = #expect(throws: Failure.self) { try two.onlyLine() }
        #expect(failure?.message.contains("2 lines with text") == true)
        let one = SecretFile(try secret("one", Array("\n 46ab \n\n".utf8)))
        #expect(try one.onlyLine() == " 46ab ")
        let empty = SecretFile(try secret("none", Array("\n".utf8)))
        #expect(throws: Failure.self) { try empty.onlyLine() }
    }

    @Test func `a node accepts secrets in the forms in which people store them`() throws {
        let password = try secret("password", Array("\u{FEFF}correct horse\n".utf8))
        let column = Self.words.enumerated().map { "\($0 + 1). \($1)\r\n" }.joined()
        let phrase = try secret("phrase", Array("\u{FEFF}\(column)".utf8))
        let digits = String(repeating: "46", count: 32)
        let key = try secret("key", Array("\u{FEFF}\n  0x\(digits)  \n".utf8))
        let keystore = try secret("keystore", Array("\u{FEFF}\(Self.unprotected)".utf8))
        let none = try secret("none", [])
        try stoa.withNode {
            for (name, arguments, address) in [
                ("ana", ["recover", "ana", "--phrase-file", phrase], Self.address),
                (
                    "bo", ["import", "bo", "--private-key-file", key],
                    "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"
                ),
                (
                    "cy",
                    ["import", "cy", "--keystore", keystore, "--keystore-password-file", none],
                    "0x02AAE7D943C86A8e27f96b67965bdbd02A00Dc82"
                ),
            ] {
                let made = try stoa.run(
                    all: ["account"] + arguments + ["--password-file", password]
                )
                #expect(made.code == 0 && made.out.contains(address), "\(made.words)")
                let signedIn = try stoa.run(
                    "account",
                    "sign-in",
                    name,
                    "--password-stdin",
                    input: "\u{FEFF}correct horse\r\n"
                )
                #expect(signedIn.code == 0, "\(signedIn.words)")
            }
        }
    }

    @Test(arguments: [
        words.joined(separator: " ") + "\n", words.joined(separator: "\n") + "\n\n",
        words[..<6].joined(separator: " ") + "\n" + words[6...].joined(separator: " ") + "\n\n",
    ])
    func `accepts a phrase typed or pasted on one line or several`(text: String) async throws {
        let password = try secret("password", Array("correct horse".utf8))
        try await ScriptedServer.scoped(answer: { _, _ in .json(200, "[]") }) { node, server in
            let terminal = TestTerminal()
            let process = try terminal.start([
                "account", "password", "ana", "--with-phrase", "--new-password-file", password,
                "--data", folder.path("data"), "--node", node.description,
            ])
            try await waitUntil { !terminal.echoes || !process.isRunning }
            try terminal.type(text)
            process.waitUntilExit()
            #expect(terminal.echoes)
            let sent = server.requests.first { $0.uri == "/v1/accounts/ana/password" }
            let change = try JSONDecoder().decode(
                [String: String].self,
                from: Data((sent?.body ?? "").utf8)
            )
            let words = change["phrase"]?.split { $0.isWhitespace }.map(String.init)
            #expect(words == Self.words)
        }
    }
}
