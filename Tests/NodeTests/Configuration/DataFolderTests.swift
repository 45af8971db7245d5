import Client
import Foundation
import Keys
import NIOHTTP1
import Setup
import Storage
import Support
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DataFolderTests {
    private static let now = Date(timeIntervalSince1970: 1_763_700_000)

    @Test func `a secret file is readable only by its owner, even after a crash`() throws {
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

    @Test func `a backup is a data folder with the same accounts and peer id`() async throws {
        let folder = try TemporaryFolder()
        let node = folder.path("node")
        let backup = folder.path("backup")
        try await TestNode.run(in: node) { _ = try await $0.signIn("ana") }
        try "log:\n  level: debug\n".write(
            toFile: node + "/stoa.yaml",
            atomically: true,
            encoding: .utf8
        )

        try DataFolder(path: node).export(to: backup, at: Self.now)

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

    @Test(
        arguments: [
            "chain:\n  # The market.\n  rpc: http://127.0.0.1:1\n  deployment: \"NAMED\" # here\n",
            "chain: {deployment: 'NAMED', rpc: 'http://127.0.0.1:1'}\nnetwork: deployment\n",
            "network: /x\nchain.rpc: http://127.0.0.1:1\nchain.deployment: NAMED\n",
        ],
        ["/MARKET/market.json", "market.json", "x", "net\\u0077ork"]
    )
    func `a backup contains the market file and works in any folder`(
        settings: String,
        named: String
    ) throws {
        let folder = try TemporaryFolder()
        let node = DataFolder(path: folder.path("node"))
        try node.initialise()
        try node.makeStore()
        let name = named.replacing("/MARKET", with: node.path)
        try settings.replacing("NAMED", with: name)
            .write(toFile: node.configurationFile, atomically: true, encoding: .utf8)
        func configuration(_ folder: DataFolder) throws -> Configuration {
            try Configuration(
                ConfigurationSources(flags: [:], environment: [:], file: folder.configurationFile)
            )
        }
        let old = try configuration(node)
        try Data("market".utf8).write(to: URL(filePath: old.chains[0].deployment))

        #expect(try node.export(to: folder.path("backup"), at: Self.now) == nil)
        try DataFolder(path: folder.path("backup")).importing(to: folder.path("new"), at: Self.now)

        let restored = DataFolder(path: folder.path("new"))
        let new = try configuration(restored)
        #expect(new.chains[0].deployment == restored.path + "/deployment.json")
        #expect(try String(contentsOfFile: new.chains[0].deployment, encoding: .utf8) == "market")
        #expect(new.network == old.network && new.chains[0].endpoints == old.chains[0].endpoints)
        #expect(try restored.nodeKey().publicKey == node.nodeKey().publicKey)
        #expect(try restored.operatorToken() != node.operatorToken())
        try FileManager.default.removeItem(atPath: old.chains[0].deployment)
        let unread = try node.export(to: folder.path("without"), at: Self.now)
        #expect(unread == old.chains[0].deployment)
    }

    @Test(arguments: ["2026-11-27 12:00", "", "yesterday"])
    func `accounts in a restored folder get new devices, whatever its mark`(
        mark: String
    ) async throws {
        let folder = try TemporaryFolder()
        func restoredAt() async throws -> [UInt8]? {
            let path = DataFolder(path: folder.path).storeFolder
            try await StoreFolder.untilFree(path)
            let store = try Store(folder: path)
            return try store.read { try $0.get(Settings.self, "restored-at") }
        }
        try await TestNode.run(in: folder.path) { _ in }
        #expect(try await restoredAt() == nil)
        try mark.write(toFile: folder.path("node.copy"), atomically: true, encoding: .utf8)
        try await TestNode.run(in: folder.path) { _ in }
        #expect(try await restoredAt() != nil)
    }

    @Test func `a backup overwrites no file`() throws {
        let folder = try TemporaryFolder()
        let node = DataFolder(path: folder.path("node"))
        try node.initialise()
        let backup = folder.path("backup")
        try "mine".write(toFile: backup, atomically: true, encoding: .utf8)

        #expect(throws: DataFolderError.inTheWay(path: backup)) {
            try node.export(to: backup, at: Self.now)
        }

        #expect(try String(contentsOfFile: backup, encoding: .utf8) == "mine")
    }

    /// - From commands: a backup to a folder whose parent does not exist → exit 4
    @Test func `a backup does not create the parents of its folder`() throws {
        let folder = try TemporaryFolder()
        let node = DataFolder(path: folder.path("node"))
        try node.initialise()
        let (disk, target) = (folder.path("disk"), folder.path("disk") + "/backup")
        #expect(throws: DataFolderError.noParent(path: disk)) {
            try node.export(to: target, at: Self.now)
        }
        #expect(!FileManager.default.fileExists(atPath: disk))
    }

    /// - From commands: `init` with a store but no node.key → exit 4
    /// - From commands: a file of the node that this user may not read → exit 4
    @Test func `creates no new key for a store that has lost its node's key`() throws {
        let folder = try TemporaryFolder()
        let node = DataFolder(path: folder.path("node"))
        try node.initialise()
        try node.makeStore()
        try FileManager.default.removeItem(atPath: node.keyFile)
        #expect(throws: DataFolderError.keyLost(path: node.keyFile)) { try node.initialise() }
        #expect(throws: DataFolderError.missing(path: node.keyFile)) { try node.nodeKey() }
        // There is something, and it cannot be read as a file.
        try FileManager.default.createDirectory(
            atPath: node.keyFile,
            withIntermediateDirectories: false
        )
        #expect(throws: DataFolderError.notReadable(path: node.keyFile)) { try node.nodeKey() }
    }

    @Test func `refuses to back up a folder without a node's data`() throws {
        let folder = try TemporaryFolder()
        let backup = folder.path("backup")

        #expect(throws: DataFolderError.missing(path: folder.path("node.key"))) {
            try DataFolder(path: folder.path).export(to: backup, at: Self.now)
        }

        #expect(!FileManager.default.fileExists(atPath: backup))
    }
}
