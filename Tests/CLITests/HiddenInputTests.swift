import Foundation
import Support
import Testing

/// A password typed at a terminal.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HiddenInputTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a password prompt that a signal ends leaves the terminal as it was`(
        signal: Int32
    ) async throws {
        let terminal = TestTerminal()
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = ["account", "sign-in", "anna", "--data", folder.path("data")]
        process.standardInput = FileHandle(fileDescriptor: terminal.slave)
        process.standardError = FileHandle(fileDescriptor: terminal.slave)
        #expect(terminal.echoes)
        try process.run()
        while terminal.echoes, process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        #expect(!terminal.echoes)
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == signal)
        #expect(terminal.echoes)
    }

    @Test func `a password that was typed leaves the terminal as it was`() async throws {
        let terminal = TestTerminal()
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        let arguments = ["account", "sign-in", "anna", "--data", folder.path("data")]
        process.arguments = arguments + ["--node", "http://127.0.0.1:1"]
        process.standardInput = FileHandle(fileDescriptor: terminal.slave)
        process.standardError = FileHandle(fileDescriptor: terminal.slave)
        try process.run()
        while terminal.echoes, process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        try terminal.type("correct horse\n")
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 7)
        #expect(terminal.echoes)
    }
}
