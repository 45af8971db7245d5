import Foundation
import Support
import Testing

/// A backup as a person makes and restores it.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct BackupTests {
    private let folder: TemporaryFolder
    private let stoa: Program

    init() throws {
        folder = try TemporaryFolder()
        stoa = Program(folder: folder.path("data"))
    }

    /// A folder with the node's account, made while it ran.
    private func backup() throws -> Program {
        let backup = Program(folder: folder.path("backup"))
        try stoa.withNode {
            let create = ["account", "create", "ana", "--password-stdin"]
            #expect(try stoa.run(all: create, input: "correct horse\n").code == 0)
            let made = try stoa.run("store", "export", backup.folder)
            #expect(made.code == 0 && made.words.contains("never run this copy"), "\(made.words)")
            #expect(made.out.contains("stoa node run --data \(backup.folder)"))
            #expect(made.out.contains("stoa store import \(backup.folder) --data"))
        }
        return backup
    }

    private func signsIn(_ node: Program) throws {
        let signIn = ["account", "sign-in", "ana", "--password-stdin"]
        let outcome = try node.run(all: signIn, input: "correct horse\n")
        #expect(outcome.code == 0, "\(outcome.words)")
    }

    @Test func `a backup runs when announced; the node warns until the first one`() throws {
        let backup = try backup()
        let marker = backup.folder + "/node.copy"
        #expect(FileManager.default.fileExists(atPath: marker))
        var said = ""
        try backup.withNode(isNew: false, said: &said) { try signsIn(backup) }
        #expect(said.contains("the node it was copied from must not run again"), "\(said)")
        #expect(!FileManager.default.fileExists(atPath: marker))
        try backup.withNode(isNew: false, said: &said) {}
        #expect(!said.contains("copied"), "\(said)")
    }

    /// - From commands: a backup to a folder that exists, or restoring to one that is not empty →
    ///   exit 4
    /// - From commands: restoring from a folder that is not a backup → exit 4
    @Test func `restores a backup only to an empty folder`() throws {
        let backup = try backup()
        let new = Program(folder: folder.path("new"))
        try FileManager.default.createDirectory(
            atPath: new.folder,
            withIntermediateDirectories: false
        )
        // Somebody's folder with the name of a draft is left alone.
        let draft = new.folder + ".part"
        try FileManager.default.createDirectory(
            atPath: draft + "/own",
            withIntermediateDirectories: true
        )
        let done = try new.run("store", "import", backup.folder)
        #expect(FileManager.default.fileExists(atPath: draft + "/own"))
        #expect(done.code == 0 && done.words.contains("never run this copy"), "\(done.words)")
        #expect(done.out.contains("stoa node run --data \(new.folder)"))
        try new.withNode(isNew: false) { try signsIn(new) }

        let again = try new.run("store", "import", backup.folder)
        #expect(again.code == 4, "\(again.words)")
        #expect(again.words.contains("is the data folder of a node"), "\(again.words)")
        let over = try stoa.run("store", "export", backup.folder)
        #expect(over.code == 4 && over.words.contains("exists already"), "\(over.words)")
        let other = Program(folder: folder.path("other"))
        for none in [folder.path(""), "/none"] {
            let refused = try other.run("store", "import", none)
            #expect(refused.code == 4 && refused.words.contains("is not a backup"))
        }
        let data = URL(filePath: backup.folder + "/store/data.mdb")
        try Data(try Data(contentsOf: data).prefix(10_000)).write(to: data)
        let cut = try other.run("store", "import", backup.folder)
        #expect(cut.code == 1 && cut.words.contains("restore a backup"), "\(cut.words)")
        #expect(!FileManager.default.fileExists(atPath: other.folder))
        #expect(!FileManager.default.fileExists(atPath: other.folder + ".part"))
    }

    /// - From commands: a backup into the node's own data folder → exit 4
    @Test func `refuses to write a backup into the folder that it copies`() throws {
        _ = try backup()
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: stoa.folder
        )
        for target in [stoa.folder + "/backup", link + "/backup"] {
            let refused = try stoa.run("store", "export", target)
            #expect(refused.code == 4, "\(refused.words)")
            #expect(refused.words.contains("is in the node's own data folder"), "\(refused.words)")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
        // A folder beside it with a name that begins alike is another one.
        let beside = stoa.folder + "-backup"
        #expect(try stoa.run("store", "export", beside).code == 0)
    }

    /// - From commands: restoring into the data folder of a node, running or not → exit 4
    @Test func `restores nothing into the folder of a running node`() throws {
        let backup = try backup()
        try stoa.withNode(isNew: false) {
            let refused = try stoa.run("store", "import", backup.folder)
            #expect(refused.code == 4, "\(refused.words)")
            #expect(refused.words.contains("the data folder of a node, running or not"))
        }
    }
}
