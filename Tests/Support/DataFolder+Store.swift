import Foundation
package import Setup
import Storage

extension DataFolder {
    /// Creates an empty store in the folder.
    package func makeStore() throws {
        try FileManager.default.createDirectory(
            atPath: storeFolder,
            withIntermediateDirectories: true
        )
        _ = try Store(folder: storeFolder, mapBytes: 1 << 24)
    }
}
