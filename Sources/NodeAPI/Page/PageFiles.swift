import Foundation
import NIOCore

/// Finds the files of the page by the paths of requests.
package struct PageFiles: Sendable {
    private enum Origin: Sendable {
        case archive(PageArchive)
        case folder(URL)
    }

    /// The page itself, which is also sent for each of its routes.
    private static let index = "index.html"

    /// The first parts of paths that are not the page's: the API, and what monitors ask at the port
    /// for health, which must not look healthy at this one.
    private static let reserved: Set<Substring> = ["v1", "livez", "readyz", "healthz", "metrics"]

    private let origin: Origin

    /// - Parameter folder: A folder, which is read again for each request; empty for the archive in
    ///   the program.
    /// - Throws: ``DamagedPageArchive``
    package init(folder: String) throws(DamagedPageArchive) {
        origin = folder.isEmpty ? .archive(try .embedded()) : .folder(URL(filePath: folder))
    }

    init(_ archive: PageArchive) { origin = .archive(archive) }

    /// Returns the file at a path of a URL; `nil` if there is none, or the path is not the page's.
    func file(at path: String) -> PageFile? {
        guard let name = Self.name(at: path) else { return nil }
        switch origin {
        case .archive(let archive): return archive[name]
        case .folder(let folder):
            guard let content = try? Data(contentsOf: folder.appending(path: name)) else {
                return nil
            }
            return PageFile(
                path: name,
                bytes: ByteBuffer(bytes: content),
                isGzip: false,
                isImmutable: false
            )
        }
    }

    /// Whether the path is that of a screen, which a link of another site can open.
    static func isRoute(_ path: String) -> Bool { name(at: path) == index }

    /// Returns the name of the file at a path; `nil` if the path is not the page's.
    ///
    /// A file is below `assets`, or is one part with a dot; all else is a screen, such as that of a
    /// listing, whose id has a dot. No part of a file's name begins with a dot, so none leads out of
    /// a folder.
    private static func name(at path: String) -> String? {
        let parts = path.split(separator: "/")
        guard let first = parts.first else { return index }
        guard !reserved.contains(first) else { return nil }
        guard first == "assets" || parts.count == 1 && first.contains(".") else { return index }
        return parts.contains { $0.hasPrefix(".") } ? nil : parts.joined(separator: "/")
    }
}
