import Foundation

/// A folder for one piece of work, which only this user can enter.
///
/// It is removed, with its content, when the work releases it.
final class PrivateFolder: Sendable {
    /// The bytes that an ended program may have failed to write, with some to spare.
    private static let roomBytes = 1 << 20

    let path: String

    /// Creates a folder with a new name below `parent`, which is created if it is missing.
    init(in parent: String) throws(MediaWorkFault) {
        path = parent + "/" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch { throw MediaWorkFault(error) }
    }

    deinit {
        // Files that cannot be removed now are removed at the next start.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Whether the disk has room for another file here, which a quota can deny too.
    var hasRoom: Bool {
        defer { try? FileManager.default.removeItem(atPath: file("room")) }
        do { try write([UInt8](repeating: 1, count: Self.roomBytes), to: "room") } catch {
            return error != .diskFull
        }
        return true
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// Replaces a file.
    func write(_ bytes: [UInt8], to name: String) throws(MediaWorkFault) {
        do { try Data(bytes).write(to: URL(filePath: file(name))) } catch {
            throw MediaWorkFault(error)
        }
    }

    func contents(of name: String) throws(MediaWorkFault) -> [UInt8] {
        do { return [UInt8](try Data(contentsOf: URL(filePath: file(name)))) } catch {
            throw MediaWorkFault(error)
        }
    }
}
