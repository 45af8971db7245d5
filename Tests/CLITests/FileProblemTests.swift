import Foundation
import Support
import Testing

@testable import CLI

struct FileProblemTests {
    @Test func `what cannot be written is said in plain words`() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path("none/file.png")
        for (path, words) in [
            (missing, "there is no such file or folder."), (folder.path, "it may be a folder"),
        ] {
            do {
                try WalletReceive.write(Data([1]), to: path, option: "--png")
                Issue.record("\(path) was written")
            } catch let failure as Failure {
                #expect(failure.message.contains(words), "\(failure.message)")
                #expect(failure.message.contains("--png"))
                #expect(!failure.message.contains("Cocoa"))
            }
        }
        let permission = FileProblem.reason(CocoaError(.fileWriteNoPermission))
        #expect(permission == "you have no permission for it.")
    }
}
