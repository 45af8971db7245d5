import Foundation
import Storage
import Support
import Testing

struct FolderLockTests {
    @Test func `tells a second store which process holds the folder`() throws {
        let folder = try TemporaryFolder()
        let environment = try Sample.environment(folder.path)
        let process = ProcessInfo.processInfo.processIdentifier

        #expect(throws: StorageError.locked(folder: folder.path, process: process)) {
            try Sample.environment(folder.path)
        }

        try environment.write { try $0.put(Words.self, "a", [1]) }
    }

    @Test func `frees the folder when the store closes`() throws {
        let folder = try TemporaryFolder()
        for round in 0..<3 as Range<UInt8> {
            let environment = try Sample.environment(folder.path)
            try environment.write { try $0.put(Words.self, "a", [round]) }
        }
    }
}
