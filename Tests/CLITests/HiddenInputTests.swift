import Client
import Foundation
import Support
import Testing

/// A password typed at a terminal.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HiddenInputTests {
    /// Asks for the password before it asks the node, of which there is none.
    private static func reveal(in folder: TemporaryFolder) -> [String] {
        ["account", "reveal", "anna", "--yes", "--data", folder.path("data")]
            + ["--node", "http://127.0.0.1:1"]
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a password prompt that a signal ends leaves the terminal as it was`(
        signal: Int32
    ) async throws {
        let terminal = TestTerminal()
        let folder = try TemporaryFolder()
        #expect(terminal.echoes)
        let process = try terminal.start(Self.reveal(in: folder))
        try await waitUntil { !terminal.echoes || !process.isRunning }
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
        let process = try terminal.start(Self.reveal(in: folder))
        try await waitUntil { !terminal.echoes || !process.isRunning }
        try terminal.type("correct horse\n")
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 7)
        #expect(terminal.echoes)
    }

    @Test func `a password prompt that was stopped is repeated and hides again`() async throws {
        let terminal = TestTerminal()
        let folder = try TemporaryFolder()
        let process = try terminal.start(Self.reveal(in: folder))
        let stat = "/proc/\(process.processIdentifier)/stat"
        func isStopped() -> Bool {
            (try? String(contentsOfFile: stat, encoding: .utf8))?.contains(") T ") == true
        }
        for _ in 0..<2 {
            _ = try terminal.printed(until: "Password: ")
            try await waitUntil { !terminal.echoes || !process.isRunning }
            kill(process.processIdentifier, SIGTSTP)
            try await waitUntil { isStopped() || !process.isRunning }
            #expect(terminal.echoes)
            kill(process.processIdentifier, SIGCONT)
        }
        _ = try terminal.printed(until: "Password: ")
        try await waitUntil { !terminal.echoes || !process.isRunning }
        #expect(!terminal.echoes)
        try terminal.type("correct horse\n")
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 7)
        #expect(terminal.echoes)
    }

    @Test func `moves for the node alone are explained and checked before the password`()
        async throws
    {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(answer: document.good) { node, server in
            let terminal = TestTerminal()
            let arguments = ["account", "unattended", "on", "anna", "--data", folder.path("data")]
            let process = try terminal.start(arguments + ["--node", node.description])
            var words = ""
            for (prompt, answer) in [
                ("Moves, ", "everything"), ("Moves, ", "end, deliver"), ("For how long", "9000d"),
                ("For how long", "30d"), ("Password: ", "correct horse"),
            ] {
                words += try terminal.printed(until: prompt)
                if prompt == "Password: " { try await waitUntil { !terminal.echoes } }
                try terminal.type(answer + "\n")
            }
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(words)")
            for part in [
                "deliver  send the key of a digital work", "'everything' is not such a move.",
                "The time must be at most 365d",
            ] {
                #expect(words.contains(part), "\(words)")
            }
            let sent = server.requests.last { $0.method == "PUT" }?.body ?? ""
            #expect(sent.contains(#""moves":["deliver","end"]"#), "\(sent)")
            #expect(sent.contains(#""seconds":2592000"#), "\(sent)")
        }
    }

    @Test func `asks again for a new password that is weak or typed in two ways`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(answer: document.good) { node, server in
            let terminal = TestTerminal()
            let arguments = ["account", "create", "anna", "--data", folder.path("data")]
            let process = try terminal.start(arguments + ["--node", node.description])
            var words = ""
            for (prompt, answer) in [
                ("Password: ", "short"), ("Password: ", "correct horse"),
                ("Again: ", "correct house"), ("Password: ", "correct horse"),
                ("Again: ", "correct horse"),
            ] {
                words += try terminal.printed(until: prompt)
                try await waitUntil { !terminal.echoes }
                try terminal.type(answer + "\n")
            }
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(words.contains("A password must have at least 8 characters."), "\(words)")
            #expect(words.contains("The two passwords differ."), "\(words)")
            let created = server.requests.first { $0.method == "POST" }
            #expect(created?.body.contains("correct horse") == true, "\(server.requests)")
        }
    }

    /// - From commands: a new account with a name that cannot be one, or that is taken → exit 2, 10,
    ///   before it asks for a password
    @Test func `asks for no password of an account that cannot be made`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(answer: document.good) { node, server in
            let stoa = Program(folder: folder.path("data"))
            for name in ["Ana Maria", "ANA"] {
                let command = ["account", "create", name, "--node", node.description]
                let end = try stoa.run(typing: "correct horse\n", command)
                #expect(end.code != 0 && !end.words.contains("Password: "), "\(end.words)")
                #expect(!server.requests.contains { $0.method == "POST" })
            }
        }
    }

    /// - From commands: a node that is not running, for a command that asks for a password → exit
    ///   7, before it asks
    @Test func `asks for no password if no node answers`() throws {
        let folder = try TemporaryFolder()
        let stoa = Program(folder: folder.path("data"))
        for command in [["sign-in", "anna"], ["create", "anna"], ["recover", "anna"]] {
            let arguments = ["account"] + command + ["--node", "http://127.0.0.1:1"]
            let away = try stoa.run(typing: "correct horse\n", arguments)
            #expect(away.code == 7 && !away.words.contains("assword"), "\(away.words)")
        }
    }
}
