import ArgumentParser
import Foundation
import Support
import Testing

@testable import CLI

struct FileProblemTests {
    @Test func `says in plain words why a file cannot be written`() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path("none/file.png")
        for (path, words) in [
            (missing, "there is no such file or folder."), (folder.path, "is a folder."),
        ] {
            do {
                try LocalFile.write([1], to: path, isForced: false, option: "--png")
                Issue.record("\(path) was written")
            } catch let failure as Failure {
                #expect(failure.message.contains(words), "\(failure.message)")
                #expect(failure.message.contains("--png"))
                #expect(!failure.message.contains("Cocoa"))
            }
        }
        let permission = FileProblem.reason(CocoaError(.fileWriteNoPermission))
        #expect(permission == "you have no permission for it.")
    }

    /// - From commands: a password, key or keystore file that is missing, not a file, empty or too
    ///   long → exit 4
    @Test func `a missing or unusable secret file exits with 4`() throws {
        let folder = try TemporaryFolder()
        let empty = folder.path("empty")
        _ = FileManager.default.createFile(
            atPath: empty,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        for (path, words) in [
            (folder.path("none"), "There is no file"), (folder.path, "is not a file"),
            (empty, "is empty"),
        ] {
            let failure = #expect(throws: Failure.self) { try SecretFile(path).firstLine() }
            #expect(failure?.code == .configuration && failure?.message.contains(words) == true)
        }
        let long = folder.path("long")
        try Data(repeating: 0x20, count: 70_000).write(to: URL(filePath: long))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: long)
        let failure = #expect(throws: Failure.self) { try SecretFile(long).firstLine() }
        #expect(failure?.code == .configuration)
        for (path, words) in [
            (folder.path("none"), "there is no such file"), (folder.path, "is a folder"),
            (long, "is not a keystore file: it is longer"),
            (empty, "is not a keystore file: it is empty"),
        ] {
            let refused = try Program.plain([
                "account", "import", "ana", "--keystore", path, "--password-file", empty,
            ])
            #expect(refused.code == 4 && refused.words.contains(words), "\(refused.words)")
        }
    }

    /// - From commands: writing a QR code to an existing file, or both images to one file →
    ///   exit 4, 2
    @Test func `a QR code replaces a file only with --force`() throws {
        let folder = try TemporaryFolder()
        let (png, svg) = (folder.path("code.png"), folder.path("code.svg"))
        let code = try QRCode("stoa:listing/1")
        var files = try CodeFiles.parse(["--png", png, "--svg", svg])
        try files.check()
        try files.write(code)
        #expect(FileManager.default.contents(atPath: svg) == Data(code.svg.utf8))
        try Data("mine".utf8).write(to: URL(filePath: svg))
        for refused in [{ try files.check() }, { try files.write(code) }] {
            let failure = #expect(throws: Failure.self) { try refused() }
            #expect(failure?.code == .configuration)
            #expect(failure?.message.contains("--png, or replace it with --force") == true)
        }
        #expect(FileManager.default.contents(atPath: svg) == Data("mine".utf8))
        files.isForced = true
        try files.check()
        try files.write(code)
        #expect(FileManager.default.contents(atPath: svg) == Data(code.svg.utf8))
        let twice = folder.path("./code.png")
        let both = try Program.plain(["listing", "share", "1", "--png", png, "--svg", twice])
        #expect(both.code == 2 && both.words.contains("name the same file"), "\(both.words)")
    }
}
