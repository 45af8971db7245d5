import Foundation
import Setup

/// The program `stoa` in a process of its own, as people run it.
struct Program: Sendable {
    /// What a run came to.
    struct Outcome: Sendable {
        let code: Int32
        /// What it said: the answer, and what it says about it.
        let out: String
        let words: String
    }

    /// The program beside these tests.
    static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "stoa").path

    /// The data folder it is told.
    let folder: String
    var environment: [String: String] = [:]

    /// Runs a command to its end.
    func run(_ arguments: String..., input: String = "") throws -> Outcome {
        try run(all: arguments, input: input)
    }

    func run(all arguments: [String], input: String = "") throws -> Outcome {
        try Self.end(process(arguments + ["--data", folder]), input)
    }

    /// Runs a command on a terminal on which `text` is typed.
    func run(typing text: String, _ arguments: [String]) throws -> Outcome {
        let terminal = try PseudoTerminal()
        try terminal.keyboard.write(contentsOf: Data(text.utf8))
        let process = process(arguments + ["--data", folder])
        process.standardInput = terminal.screen
        // Closed before the program reads, the terminal would hang up on it.
        return try withExtendedLifetime(terminal) { try Self.outcome(of: process) {} }
    }

    /// Runs a command that would not end until it has printed a line, and returns that.
    func firstLine(of arguments: [String]) throws -> String {
        let process = process(arguments + ["--data", folder])
        process.standardInput = FileHandle.nullDevice
        let text = try Self.running(process, until: "\n") { $0 }
        return String(text.prefix { $0 != "\n" })
    }

    /// Runs a process until it has printed `words`, calls `body` with its output, and ends it.
    private static func running<Value>(
        _ process: Process,
        until words: String,
        _ body: (String) throws -> Value
    ) throws -> Value {
        let out = Pipe()
        process.standardOutput = out
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        var said = Data()
        while !said.contains(words) {
            let more = out.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw NotStarted(said: String(decoding: said, as: UTF8.self))
            }
            said += more
        }
        return try body(String(decoding: said, as: UTF8.self))
    }

    /// Runs a command that has no data folder.
    static func plain(_ arguments: [String]) throws -> Outcome {
        try end(Program(folder: "").process(arguments), "")
    }

    /// Runs a shell's script, whose `$0` is the program, for what a `String` cannot hold.
    static func shell(_ script: String, _ arguments: String...) throws -> Outcome {
        let process = Program(folder: "").process(["-c", script, path] + arguments)
        process.executableURL = URL(filePath: "/bin/sh")
        return try end(process, "")
    }

    private static func end(_ process: Process, _ input: String) throws -> Outcome {
        let entry = Pipe()
        process.standardInput = entry
        // Before the start: a program may end without reading, and then the pipe is broken.
        try entry.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        return try outcome(of: process) { try entry.fileHandleForWriting.close() }
    }

    /// Starts a process and waits for its end; `started` is called in between.
    private static func outcome(
        of process: Process,
        _ started: () throws -> Void
    ) throws -> Outcome {
        let (out, words) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = words
        try process.run()
        try started()
        // Neither is longer than a pipe holds.
        let said = try out.fileHandleForReading.readToEnd() ?? Data()
        let warned = try words.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationReason == .exit ? process.terminationStatus : -1,
            out: String(decoding: said, as: UTF8.self),
            words: String(decoding: warned, as: UTF8.self)
        )
    }

    /// Runs a node on free ports while `body` works with it; a new one's folder is made first.
    func withNode(
        _ settings: [String] = [],
        isNew: Bool = true,
        _ body: () throws -> Void
    ) throws {
        var said = ""
        try withNode(settings, isNew: isNew, said: &said, body)
    }

    /// As the other, and gives what the node said until it was ready, or until other words.
    func withNode(
        _ settings: [String] = [],
        isNew: Bool,
        said text: inout String,
        until words: String = "node is ready",
        _ body: () throws -> Void
    ) throws {
        if isNew { _ = try run("init") }
        let process = process(
            ["node", "run", "--data", folder]
                + (Self.settings + settings).flatMap { ["--set", $0] }
        )
        try Self.running(process, until: words) { said in
            text = said
            try body()
        }
    }

    /// Free ports, and keystores that open at once.
    static let settings = [
        "api.port=0", "health.port=0", "listen=/ip4/127.0.0.1/tcp/0", "keystore.scryptCost=1024",
        "store.mapGibibytes=1",
    ]

    /// Where the node of the folder answers.
    func running() throws -> [String: String] {
        let data = try Data(contentsOf: URL(filePath: DataFolder(path: folder).addressFile))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return (object ?? [:]).compactMapValues { $0 as? String }
    }

    private func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = arguments
        var inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("STOA_") }
        inherited.merge(environment) { $1 }
        process.environment = inherited
        // What a command writes into the current folder belongs to the test.
        if !folder.isEmpty {
            process.currentDirectoryURL = URL(filePath: folder).deletingLastPathComponent()
        }
        return process
    }
}

/// A terminal without a screen.
private struct PseudoTerminal {
    /// What is written here is typed.
    let keyboard: FileHandle
    /// What a program on the terminal reads from.
    let screen: FileHandle

    init() throws {
        var (main, end): (Int32, Int32) = (-1, -1)
        guard unsafe openpty(&main, &end, nil, nil, nil) == 0 else { throw POSIXError(.ENODEV) }
        keyboard = FileHandle(fileDescriptor: main, closeOnDealloc: true)
        screen = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    }
}

/// A command that ended before it said what is waited for.
private struct NotStarted: Error {
    let said: String
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
