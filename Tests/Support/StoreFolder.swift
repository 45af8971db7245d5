import Foundation

/// The folder of a store that a node of this process may hold for a moment after it has ended.
package enum StoreFolder {
    /// Returns once nobody holds it.
    package static func untilFree(_ path: String) async throws {
        try await waitUntil {
            guard let lock = FileHandle(forUpdatingAtPath: path + "/stoa.lock") else { return true }
            return flock(lock.fileDescriptor, LOCK_EX | LOCK_NB) == 0
        }
    }
}
