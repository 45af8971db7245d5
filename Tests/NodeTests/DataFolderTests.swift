import Client
import Foundation
import Keys
import NIOHTTP1
import Node
import Support
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DataFolderTests {
    @Test func `what is secret is for its owner alone, whatever a crash left behind`() throws {
        let folder = try TemporaryFolder()
        let data = DataFolder(path: folder.path)
        let left = FileManager.default.createFile(
            atPath: data.keyFile + ".new",
            contents: Data("left".utf8),
            attributes: [.posixPermissions: 0o666]
        )
        #expect(left)
        try data.initialise()
        for file in [data.keyFile, data.tokenFile] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(file)")
            #expect(!FileManager.default.fileExists(atPath: file + ".new"))
        }
        #expect(throws: Never.self) { try data.nodeKey() }
    }

    @Test func `a backup is a data folder with the same accounts and the same peer`() async throws {
        let folder = try TemporaryFolder()
        let node = folder.path("node")
        let backup = folder.path("backup")
        try await TestNode.run(in: node) { _ = try await $0.signIn("ana") }
        try "log:\n  level: debug\n".write(
            toFile: node + "/stoa.yaml",
            atomically: true,
            encoding: .utf8
        )

        try DataFolder(path: node).export(to: backup)

        let key = try DataFolder(path: node).nodeKey().publicKey
        #expect(try DataFolder(path: backup).nodeKey().publicKey == key)
        let settings = try String(contentsOfFile: backup + "/stoa.yaml", encoding: .utf8)
        #expect(settings == "log:\n  level: debug\n")
        for file in ["/node.key", "/stoa.yaml", "/store/data.mdb"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: backup + file)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
        try await TestNode.run(in: backup) { node in
            let answer = try await node.call(
                .POST,
                "sessions",
                body: #"{"account":"ana","password":"correct horse"}"#
            )
            #expect(answer.status == 201)
        }
    }

    @Test func `a backup overwrites nothing`() throws {
        let folder = try TemporaryFolder()
        let node = DataFolder(path: folder.path("node"))
        try node.initialise()
        let backup = folder.path("backup")
        try "mine".write(toFile: backup, atomically: true, encoding: .utf8)

        #expect(throws: DataFolderError.inTheWay(path: backup)) { try node.export(to: backup) }

        #expect(try String(contentsOfFile: backup, encoding: .utf8) == "mine")
    }

    @Test func `what is no data folder is not backed up`() throws {
        let folder = try TemporaryFolder()
        let backup = folder.path("backup")

        #expect(throws: DataFolderError.missing(path: folder.path("node.key"))) {
            try DataFolder(path: folder.path).export(to: backup)
        }

        #expect(!FileManager.default.fileExists(atPath: backup))
    }
}
