import Foundation
import Support
import Testing

@testable import Cluster

/// The process table is no part of what Cluster offers, hence the testable import.
struct DetachedProcessTests {
    @Test func `finds a process by its command line and ends it`() async throws {
        let folder = try TemporaryFolder()
        // Other runs of this test may have processes of their own.
        let command = ["sleep", "86399.\(ProcessInfo.processInfo.processIdentifier)"]
        try DetachedProcess.start(command, log: folder.path("log"))

        let found = DetachedProcess.find(endingWith: command)
        #expect(found.count == 1 && found.allSatisfy(\.isRunning))
        #expect(DetachedProcess.find(endingWith: ["sleep", "86399"]).isEmpty)
        #expect(try await DetachedProcess.end(found, patience: .seconds(5)))
        #expect(DetachedProcess.find(endingWith: command).isEmpty && !found[0].isRunning)
        #expect(try await !DetachedProcess.end([], patience: .seconds(5)))
        reap(found)
    }

    @Test func `kills a process that does not end by itself`() async throws {
        let folder = try TemporaryFolder()
        let script = "trap '' TERM; echo deaf; while :; do read line < \(folder.path("pipe")); done"
        #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        let command = ["/bin/sh", "-c", script]
        let log = folder.path("log")
        try DetachedProcess.start(command, log: log)
        try await waitUntil { FileManager.default.contents(atPath: log)?.isEmpty == false }

        let found = DetachedProcess.find(endingWith: command)
        #expect(try await DetachedProcess.end(found, patience: .milliseconds(50)))
        #expect(DetachedProcess.find(endingWith: command).isEmpty)
        reap(found)
    }

    @Test func `does not end a later process with the same number`() async throws {
        let folder = try TemporaryFolder()
        let command = ["sleep", "86398.\(ProcessInfo.processInfo.processIdentifier)"]
        try DetachedProcess.start(command, log: folder.path("log"))
        let found = try #require(DetachedProcess.find(endingWith: command).first)
        let former = DetachedProcess.Found(number: found.number, startedAt: found.startedAt - 1)
        #expect(!former.isRunning)
        #expect(try await DetachedProcess.end([former], patience: .zero))
        #expect(found.isRunning)
        #expect(found.program(otherThan: "/bin/none")?.hasPrefix("/") == true)
        try await DetachedProcess.end([found], patience: .seconds(5))
        reap([found])
    }

    @Test func `reports a missing program`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ClusterError.notStarted(command: "/none/such", code: ENOENT)) {
            try DetachedProcess.start(["/none/such"], log: folder.path("log"))
        }
    }

    /// Takes the exit status of ended children: one that nothing takes keeps the wait of exit tests
    /// in the same process from seeing theirs.
    private func reap(_ ended: [DetachedProcess.Found]) {
        for process in ended { _ = waitpid(process.number, nil, 0) }
    }
}
