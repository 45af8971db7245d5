import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Ctrl-C while a command waits.
@Suite(.timeLimit(.minutes(2)))
struct InterruptionTests {
    /// - From commands: a node that stops while a command waits → exit 7
    @Test func `loses no operation if the node stops while a command waits`() async throws {
        let folder = try TemporaryFolder()
        try await ScriptedServer.scoped(
            answer: { _, number in number < 2 ? .json(200, Self.running) : .hangUp }
        ) { node, _ in
            try Self.signIn(folder, node)
            let (process, words) = try Self.wait(folder, node)
            process.waitUntilExit()
            #expect(process.terminationStatus == 7)
            let said = try words.fileHandleForReading.readToEnd() ?? Data()
            let text = String(decoding: said, as: UTF8.self)
            #expect(text.contains("The operation is not lost, so do not start it again"))
            #expect(text.contains("stoa operation wait 0x5d21ee07"), "\(text)")
        }
    }

    /// - From commands: Ctrl-C while a command waits for an operation → exit 130
    @Test func `Ctrl-C ends the command and says that the operation continues`() async throws {
        let folder = try TemporaryFolder()
        try await ScriptedServer.scoped(answer: { _, _ in .json(200, Self.running) }) {
            node,
            server in
            try Self.signIn(folder, node)
            let (process, words) = try Self.wait(folder, node)
            // The second look is made while it waits.
            try await waitUntil { server.requests.count >= 3 || !process.isRunning }
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 130)
            let said = try words.fileHandleForReading.readToEnd() ?? Data()
            let text = String(decoding: said, as: UTF8.self)
            #expect(text.contains("continues without this command"))
            #expect(text.contains("stoa operation wait 0x5d21ee07"))
        }
    }

    private static let running = """
        {"id":"0x5d21ee07","kind":"buy","state":"running","account":"0x1","phases":[],\
        "createdAt":"2026-01-31T12:00:00.000Z"}
        """

    private static func signIn(_ folder: TemporaryFolder, _ node: NodeAddress) throws {
        let time = Date(timeIntervalSince1970: 1_000)
        let account = Account(name: "ana", address: "0x1", createdAt: time, isUnlocked: true)
        let session = Session(token: "token", account: account, idleUntil: time, expiresAt: time)
        try SessionFolder(data: folder.path).keep(
            SessionFolder.Entry(node: node.description, session: session)
        )
    }

    /// Starts a command that waits for an operation.
    private static func wait(
        _ folder: TemporaryFolder,
        _ node: NodeAddress
    ) throws -> (Process, words: Pipe) {
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = [
            "operation", "wait", "5d21ee07", "--data", folder.path, "--node", node.description,
        ]
        let words = Pipe()
        process.standardError = words
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return (process, words)
    }
}
