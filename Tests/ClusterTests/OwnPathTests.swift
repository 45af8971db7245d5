import Cluster
import Foundation
import Support
import Testing

struct OwnPathTests {
    private let files = FileManager.default

    private func make(_ path: String, mode: Int, isFolder: Bool = false) throws {
        if isFolder {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        } else {
            #expect(files.createFile(atPath: path, contents: Data()))
        }
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func give(_ path: String, to group: gid_t) throws {
        try files.setAttributes([.groupOwnerAccountID: NSNumber(value: group)], ofItemAtPath: path)
    }

    @Test func `runs a program only if nobody else can write to it or its folders`() throws {
        let folder = try TemporaryFolder()
        let top = folder.path
        try make(top + "/bin", mode: 0o755, isFolder: true)
        try make(top + "/bin/run", mode: 0o755)
        #expect(OwnPath.isTrusted(top + "/bin/run", from: top))
        for (path, mode) in [("/bin/run", 0o757), ("/bin", 0o757)] {
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: top + path)
            #expect(!OwnPath.isTrusted(top + "/bin/run", from: top))
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: top + path)
        }
        #expect(!OwnPath.isTrusted(top + "/bin/none", from: top))
    }

    @Test func `allows only the user's own group to write`() throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/run"
        try make(program, mode: 0o775)
        try give(program, to: getegid())
        #expect(OwnPath.isTrusted(program, from: folder.path))
        // Root alone can give a file to any group.
        guard geteuid() == 0 else { return }
        try give(program, to: 54_321)
        #expect(!OwnPath.isTrusted(program, from: folder.path))
    }

    @Test func `checks all folders of a link's target`() throws {
        let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
        let place = elsewhere.path + "/open"
        try make(place, mode: 0o755, isFolder: true)
        try make(place + "/run", mode: 0o755)
        let link = folder.path + "/run"
        try files.createSymbolicLink(atPath: link, withDestinationPath: place + "/run")
        #expect(OwnPath.isTrusted(link, from: folder.path))
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place)
        #expect(!OwnPath.isTrusted(link, from: folder.path))
    }

    @Test func `finds no program through circular links`() throws {
        let folder = try TemporaryFolder()
        let (one, other) = (folder.path + "/one", folder.path + "/other")
        try files.createSymbolicLink(atPath: one, withDestinationPath: other)
        try files.createSymbolicLink(atPath: other, withDestinationPath: one)
        #expect(!OwnPath.isTrusted(one, from: folder.path))
    }
}
