package import Foundation

/// An empty folder for one test, removed with all it holds when the test lets it go.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "stoa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // A test that made its folder unreadable leaves it behind; nothing depends on it.
        try? FileManager.default.removeItem(at: url)
    }

    package var path: String { url.path }

    /// The path of something in the folder.
    package func path(_ name: String) -> String { url.appending(path: name).path }
}
