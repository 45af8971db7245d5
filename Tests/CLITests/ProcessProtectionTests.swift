import Foundation
import Support
import Testing

/// What the system lets others see of a running command that may hold secrets.
@Suite(.timeLimit(.minutes(1)))
struct ProcessProtectionTests {
    /// A user without rights, for a run by root, whose own processes hide nothing from it.
    private static let nobody: uid_t = 65_534

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test
    func `a command that waits for a password protects its memory`() throws {
        let arguments = [
            "account", "create", "ana", "--password-stdin", "--data", folder.path("x"),
        ]
        let waiting = try Waiting(Program.path, arguments)
        defer { waiting.end() }
        while waiting.limit("Max core file size") != ["0", "0", "bytes"], waiting.isRunning {}
        #expect(waiting.isRunning)
        // The files of a process whose memory is its own belong to root, whoever runs it.
        while waiting.owner != 0, waiting.isRunning {}
        #expect(waiting.isRunning && waiting.owner == 0)
        #expect(try !waiting.isReadableByItsUser())
    }

    @Test func `a command without a password leaves its memory readable`() throws {
        // Without this, the test above could not fail.
        let waiting = try Waiting("/bin/cat", [])
        defer { waiting.end() }
        while waiting.name != "cat", waiting.isRunning {}
        #expect(waiting.owner != 0 || geteuid() != 0)
    }

    /// A program that waits for its standard input, run by a user who is not root.
    private struct Waiting {
        private let process = Process()
        private let input = Pipe()
        private let user: uid_t

        init(_ program: String, _ arguments: [String]) throws {
            let isRoot = geteuid() == 0
            user = isRoot ? ProcessProtectionTests.nobody : geteuid()
            process.executableURL = URL(filePath: isRoot ? Self.changeUser : program)
            let prefix = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", program]
            process.arguments = (isRoot ? prefix : []) + arguments
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            try process.run()
        }

        private static let changeUser = "/usr/bin/setpriv"

        var isRunning: Bool { process.isRunning }
        var owner: uid_t? {
            var about = stat()
            guard unsafe stat(path("status"), &about) == 0 else { return nil }
            return about.st_uid
        }
        var name: String? {
            text("comm")?.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// The words of a line of `limits` behind its name.
        func limit(_ name: String) -> [String] {
            let line = text("limits")?.split(separator: "\n").first { $0.hasPrefix(name) }
            return line?.dropFirst(name.count).split(separator: " ").map(String.init) ?? []
        }

        /// Whether a process of the same user may open the memory.
        func isReadableByItsUser() throws -> Bool {
            let reader = Process()
            let isRoot = geteuid() == 0
            let command = ["/bin/sh", "-c", "exec 3<\(path("mem"))"]
            reader.executableURL = URL(filePath: isRoot ? Self.changeUser : command[0])
            let prefix = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
            reader.arguments = isRoot ? prefix + command : Array(command.dropFirst())
            reader.standardError = FileHandle.nullDevice
            try reader.run()
            reader.waitUntilExit()
            return reader.terminationStatus == 0
        }

        func end() {
            // Not asked to end: what a test's thread starts may have other signals blocked.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        private func path(_ file: String) -> String {
            "/proc/\(process.processIdentifier)/\(file)"
        }

        private func text(_ file: String) -> String? {
            FileManager.default.contents(atPath: path(file)).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}
