import Foundation
import Keys

/// Smaller versions of pictures, as files that can be made again.
///
/// The files last written stay; once there are too many bytes, those written first are removed.
actor ThumbnailCache {
    private let folder: String
    private let bytesMax: Int
    private var bytesCount: Int?

    /// - Parameters:
    ///   - folder: Its own folder; it is created if it is missing.
    ///   - bytesMax: The maximum number of bytes of all files together.
    init(folder: String, bytesMax: Int = 64 << 20) {
        (self.folder, self.bytesMax) = (folder, bytesMax)
    }

    /// Returns a version by the picture's id and its longer side; `nil` if it is not there.
    func thumbnail(of id: Bytes32, side: Int) -> [UInt8]? {
        FileManager.default.contents(atPath: path(id, side)).map { [UInt8]($0) }
    }

    /// Stores the versions of a picture; a full disk loses nothing else.
    func keep(_ thumbnails: [Int: [UInt8]], of id: Bytes32) {
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        var count = bytesCount ?? files().reduce(0) { $0 + $1.byteCount }
        for (side, bytes) in thumbnails {
            // Whole or not at all, so that a crash leaves no half of one.
            guard
                (try? Data(bytes).write(to: URL(filePath: path(id, side)), options: .atomic)) != nil
            else { continue }
            count += bytes.count
        }
        if count > bytesMax { count = shrink() }
        bytesCount = count
    }

    /// Removes the oldest files until the rest is three quarters of the limit.
    ///
    /// - Returns: The bytes that are left.
    private func shrink() -> Int {
        var files = files().sorted { $0.writtenAt > $1.writtenAt }
        var count = files.reduce(0) { $0 + $1.byteCount }
        while count > bytesMax / 4 * 3, let oldest = files.popLast() {
            try? FileManager.default.removeItem(atPath: folder + "/" + oldest.name)
            count -= oldest.byteCount
        }
        return count
    }

    private func files() -> [(name: String, byteCount: Int, writtenAt: Date)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            let about = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            guard let size = about?[.size] as? Int, let time = about?[.modificationDate] as? Date
            else { return nil }
            return (name, size, time)
        }
    }

    private func path(_ id: Bytes32, _ side: Int) -> String {
        "\(folder)/\(id.hex.dropFirst(2))-\(side).webp"
    }
}
