import Foundation

/// Files and folders that nobody but the user who runs the command, or root, can have written.
///
/// A cluster's folder says what is started, overwritten and ended; one that somebody else made, or
/// can change, would have the user do so in that person's place.
package enum OwnPath {
    /// Checks a folder or file itself; a link is none.
    ///
    /// - Throws: ``ClusterError/notOwn(path:reason:)``
    static func check(_ path: String) throws(ClusterError) {
        let about: About
        do {
            about = try About(path)
        } catch {
            throw .notOwn(path: path, reason: systemWords(error))
        }
        guard [.typeDirectory, .typeRegular].contains(about.type) else {
            throw .notOwn(path: path, reason: "it is no folder or file, but a link or device")
        }
        guard about.owner == geteuid() else {
            throw .notOwn(path: path, reason: "it belongs to another user")
        }
        guard about.mode & 0o022 == 0 else {
            throw .notOwn(path: path, reason: "others may write it; run 'chmod go-w' on it")
        }
    }

    /// Whether a program and each folder from `top` down to it are this user's or root's, and not
    /// for everybody to write; links are followed.
    ///
    /// Of a folder of sources, the user's own group may write, as some systems have it by default.
    package static func isTrusted(_ program: String, from top: String) -> Bool {
        var path = program
        while path.count >= top.count, path != "/" {
            let target = URL(filePath: path).resolvingSymlinksInPath().path
            guard let about = try? About(target), [0, geteuid()].contains(about.owner),
                about.mode & 0o002 == 0
            else { return false }
            path = URL(filePath: path).deletingLastPathComponent().path
        }
        return true
    }

    /// What the system knows of a file, a folder or a link itself.
    private struct About {
        let type: FileAttributeType?
        let owner: uid_t
        let mode: Int

        init(_ path: String) throws {
            let found = try FileManager.default.attributesOfItem(atPath: path)
            type = found[.type] as? FileAttributeType
            owner = (found[.ownerAccountID] as? NSNumber)?.uint32Value ?? .max
            mode = found[.posixPermissions] as? Int ?? 0o777
        }
    }
}
