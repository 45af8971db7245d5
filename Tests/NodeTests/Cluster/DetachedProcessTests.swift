import Foundation
import Support
import Testing

@testable import Node

/// The process table is no part of what Node offers, hence the testable import.
struct DetachedProcessTests {
    @Test func `a process is found by its command line, and ended`() async throws {
        let folder = try TemporaryFolder()
        // Other runs of this test may have processes of their own.
        let command = ["sleep", "86399.\(ProcessInfo.processInfo.processIdentifier)"]
        try DetachedProcess.start(command, log: folder.path("log"))

        #expect(DetachedProcess.find(command).count == 1)
        #expect(DetachedProcess.find(["sleep", "86399"]).isEmpty)
        #expect(try await DetachedProcess.end(command, patience: .seconds(5)))
        #expect(DetachedProcess.find(command).isEmpty)
        #expect(try await !DetachedProcess.end(command, patience: .seconds(5)))
    }

    @Test func `a process that will not end is made to`() async throws {
        let folder = try TemporaryFolder()
        let script = "trap '' TERM; echo deaf; while :; do read line < \(folder.path("pipe")); done"
        #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        let command = ["/bin/sh", "-c", script]
        let log = folder.path("log")
        try DetachedProcess.start(command, log: log)
        while FileManager.default.contents(atPath: log)?.isEmpty != false { await Task.yield() }

        #expect(try await DetachedProcess.end(command, patience: .milliseconds(50)))
        #expect(DetachedProcess.find(command).isEmpty)
    }

    @Test func `a program that is not there is said so`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ClusterError.notStarted(command: "/none/such", code: ENOENT)) {
            try DetachedProcess.start(["/none/such"], log: folder.path("log"))
        }
    }
}
