import Foundation

/// A folder for one piece of work, which only this user can enter.
///
/// It is removed, with its content, when the work releases it.
final class PrivateFolder: Sendable {
    let path: String

    /// Creates a folder with a new name below `parent`, which is created if it is missing.
    init(in parent: String) throws {
        path = parent + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        // Files that cannot be removed now are removed at the next start.
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }
}
