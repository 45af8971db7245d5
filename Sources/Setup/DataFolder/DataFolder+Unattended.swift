package import Foundation

/// The sealed keys of accounts that are left alone: a file of mode 0600 for each.
///
/// They are not part of a copy of the folder: a backup has its own node's key in it.
///
/// Source: Docs/operations.md, section 3.6.
extension DataFolder {
    private var unattendedFolder: String { path + "/unattended" }

    /// Writes a file of that folder, whole or not at all; durable when it returns.
    package func keepUnattended(_ content: Data, as name: String) throws(DataFolderError) {
        do { try makePrivate(unattendedFolder) } catch { throw damage(to: name) ?? error }
        let file = unattendedFolder + "/" + name
        do { try PrivateFile.write(content, to: file) } catch {
            throw damage(to: name) ?? .notWritable(path: file, reason: error.reason)
        }
    }

    /// Removes a file of that folder, if it is there; durable when it returns.
    package func removeUnattended(_ name: String) throws(DataFolderError) {
        let file = unattendedFolder + "/" + name
        do { try PrivateFile.remove(file) } catch {
            throw damage(to: name) ?? .notWritable(path: file, reason: error.reason)
        }
    }

    /// Returns the fault if there is a folder in the place of a file, or a file in that of the
    /// folder.
    private func damage(to name: String) -> DataFolderError? {
        func isFolder(_ path: String) -> Bool? {
            let about = try? FileManager.default.attributesOfItem(atPath: path)
            return about.map { $0[.type] as? FileAttributeType == .typeDirectory }
        }
        if isFolder(unattendedFolder) == false { return .damaged(path: unattendedFolder) }
        let file = unattendedFolder + "/" + name
        return [file, file + ".new"].first { isFolder($0) == true }.map { .damaged(path: $0) }
    }

    /// Returns the folder's files by name, and removes unfinished ones that a crash left; one that
    /// cannot be read is empty.
    package func unattended() -> [String: Data] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: unattendedFolder)
        var found: [String: Data] = [:]
        for name in names ?? [] {
            guard name.hasSuffix(".json") else {
                // If it stays, the next start removes it.
                try? removeUnattended(name)
                continue
            }
            let path = unattendedFolder + "/" + name
            found[name] = FileManager.default.contents(atPath: path) ?? Data()
        }
        return found
    }
}
