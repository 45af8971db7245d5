import Foundation
import Setup
import Support
import Testing

struct PrivateFileTests {
    @Test func `leaves no temporary file if a rename fails`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("taken")
        try FileManager.default.createDirectory(
            atPath: path + "/inside",
            withIntermediateDirectories: true
        )
        let error = #expect(throws: PrivateFileError.self) {
            try PrivateFile.write("secret".utf8, to: path)
        }
        #expect(error?.path == path && error?.reason == "Is a directory")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken"])
    }
}
