import Client
import Foundation
import Support
import Testing

@testable import CLI

struct SessionFolderTests {
    private let folder = try? TemporaryFolder()

    @Test func `stores a session for its owner only; finds it by name and address`() throws {
        let sessions = try sessions()
        try sessions.keep(entry("ana", "0xAa"))
        try sessions.keep(entry("bo/../x", "0xBb"))

        #expect(try sessions.session(of: "ANA").session.token == "token of ana")
        #expect(try sessions.session(of: "0xbb").session.account.name == "bo/../x")
        let file = sessions.path + "/ana.json"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    /// - From commands: a folder in which a session cannot be kept → exit 4
    @Test func `reports a folder that is not writable as a settings error`() throws {
        let path = try #require(folder).path("file")
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        let error = #expect(throws: Failure.self) {
            try SessionFolder(data: path).keep(entry("ana", "0xAa"))
        }
        #expect(error?.code == .configuration)
        #expect(error?.message.hasPrefix("\(path)/sessions cannot be written: ") == true)
        #expect(error?.message.contains("--data") == true)
    }

    @Test func `keeps sessions and the chosen account apart`() throws {
        let sessions = try sessions()
        #expect(try sessions.all().isEmpty && sessions.standard == nil)
        try sessions.keep(entry("ana", "0xAa"))
        try sessions.keep(entry("bo", "0xBb"))
        #expect(try sessions.all().map(\.session.account.name) == ["ana", "bo"])
        try sessions.choose("bo")
        #expect(sessions.standard == "bo")
        #expect(try sessions.all().count == 2)
        sessions.forget("bo")
        #expect(try sessions.all().map(\.session.account.name) == ["ana"])
        #expect(sessions.standard == "bo")
        try sessions.choose(nil)
        #expect(sessions.standard == nil)
    }

    @Test func `refuses a name without a session`() throws {
        let error = #expect(throws: Failure.self) { try sessions().session(of: "cy") }
        #expect(error?.code == .notAllowed)
    }

    /// - From commands: a password or key file that other users may read → exit 9
    @Test func `refuses to read a secret that others may read`() throws {
        let path = try #require(folder).path("secret")
        let data = Data("open sesame\n".utf8)
        for (mode, isGood) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
            try? FileManager.default.removeItem(atPath: path)
            let isMade = FileManager.default.createFile(
                atPath: path,
                contents: data,
                attributes: [.posixPermissions: mode]
            )
            #expect(isMade)
            if isGood {
                #expect(try SecretFile(path).firstLine() == "open sesame")
            } else {
                #expect(throws: Failure.self) { try SecretFile(path).firstLine() }
            }
        }
    }

    @Test func `reads only the first line of a secret and refuses an overlong one`() throws {
        let path = try #require(folder).path("secret")
        for (text, line) in [("\r\n\none\ntwo", "one"), ("", nil), (secretTooLong, nil)] {
            try? FileManager.default.removeItem(atPath: path)
            let isMade = FileManager.default.createFile(
                atPath: path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
            #expect(isMade)
            if let line {
                #expect(try SecretFile(path).firstLine() == line)
            } else {
                #expect(throws: Failure.self) { try SecretFile(path).firstLine() }
            }
        }
    }

    private let secretTooLong = "one\n" + String(repeating: "x", count: 5_000)

    private func sessions() throws -> SessionFolder {
        SessionFolder(data: try #require(folder).path)
    }

    private func entry(_ name: String, _ address: String) -> SessionFolder.Entry {
        let time = Date(timeIntervalSince1970: 1_000)
        let account = Account(name: name, address: address, createdAt: time, isUnlocked: true)
        let session = Session(
            token: "token of \(name)",
            account: account,
            idleUntil: time,
            expiresAt: time
        )
        return SessionFolder.Entry(node: "http://a:1", session: session)
    }
}
