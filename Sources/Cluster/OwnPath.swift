import Foundation
import Setup

/// Files and folders that only the user who runs the command, or root, can have written.
///
/// A cluster's folder determines which programs and files are started, overwritten and ended. In a
/// folder that somebody else made or can change, the user would act on that person's behalf.
package enum OwnPath {
    /// Checks a folder or file itself; refuses a link.
    ///
    /// - Throws: ``ClusterError/notOwn(path:reason:)``
    static func check(_ path: String) throws(ClusterError) {
        let about: About
        do {
            about = try About(path)
        } catch {
            throw .notOwn(path: path, reason: systemMessage(error))
        }
        guard [.typeDirectory, .typeRegular].contains(about.type) else {
            throw .notOwn(path: path, reason: "it is not a folder or file, but a link or device")
        }
        guard about.owner == geteuid() else {
            throw .notOwn(path: path, reason: "it belongs to another user")
        }
        guard about.mode & 0o022 == 0 else {
            throw .notOwn(path: path, reason: "others can write it; run 'chmod go-w' on it")
        }
    }

    /// Returns whether only this user or root can change a program and the folders above it.
    ///
    /// Checks each folder from `top` down to the program. Follows a link, and then checks all
    /// folders down to its target too. The user's own group can write, as is the default on some
    /// systems.
    package static func isTrusted(_ program: String, from top: String) -> Bool {
        isTrusted(program, below: top, steps: stepsMax)
    }

    /// The maximum number of links and folders on the way to a program, so that circular links end.
    private static let stepsMax = 256

    private static func isTrusted(_ path: String, below top: String, steps: Int) -> Bool {
        guard steps > 0, let about = try? About(path), [0, geteuid()].contains(about.owner) else {
            return false
        }
        let url = URL(filePath: path)
        let folder = url.deletingLastPathComponent().path
        if path != top, path != "/", !isTrusted(folder, below: top, steps: steps - 1) {
            return false
        }
        if about.type == .typeSymbolicLink {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            guard let target else { return false }
            let place = target.hasPrefix("/") ? target : folder + "/" + target
            return isTrusted(URL(filePath: place).standardized.path, below: top, steps: steps / 2)
        }
        return !about.isForOthersToWrite
    }

    /// The system's attributes of a file, a folder or a link itself.
    private struct About {
        let type: FileAttributeType?
        let owner: uid_t
        let mode: Int
        private let group: gid_t

        init(_ path: String) throws {
            let found = try FileManager.default.attributesOfItem(atPath: path)
            type = found[.type] as? FileAttributeType
            owner = (found[.ownerAccountID] as? NSNumber)?.uint32Value ?? .max
            group = (found[.groupOwnerAccountID] as? NSNumber)?.uint32Value ?? .max
            mode = found[.posixPermissions] as? Int ?? 0o777
        }

        /// Whether others can change the file, or replace it.
        ///
        /// In a folder with the sticky bit, a file belongs to the user that made it.
        var isForOthersToWrite: Bool {
            if type == .typeDirectory, mode & 0o1000 != 0 { return false }
            return mode & 0o002 != 0 || mode & 0o020 != 0 && ![0, getegid()].contains(group)
        }
    }
}
