import Foundation
import Synchronization

/// The process that forks the development chains of this test process.
///
/// It has imported all that a chain needs, which is nearly all that a start costs. It ends when
/// its standard input ends, hence with this process, and its chains end with it.
///
/// Source: Scripts/devchain/README.md, "Many chains".
final class ChainNursery: Sendable {
    static let shared = ChainNursery()

    /// What the nursery is asked for: a chain with these arguments, or the end of a process.
    private struct Request: Encodable {
        var start: [String]?
        var wait: Int32?
    }

    /// The nursery's standard input and output.
    private struct Pipes {
        let requests = Pipe()
        let answers = Pipe()
    }

    /// Held for a whole request: answers come in the order of the requests.
    private let pipes = Mutex<Pipes?>(nil)

    /// Starts a chain, and the nursery before the first one.
    ///
    /// - Returns: The chain's ready line, or another line if it did not start.
    func start(_ arguments: [String]) async throws -> String {
        let line: Result<String, any Error> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { try self.ask(Request(start: arguments)) })
            }
        }
        return try line.get()
    }

    /// Sends a signal to a chain and returns once its process has ended.
    func end(_ process: Int32, by signal: Int32) throws {
        kill(process, signal)
        _ = try ask(Request(wait: process))
    }

    private func ask(_ request: Request) throws -> String {
        try pipes.withLock { held in
            let pipes = try held ?? Self.started()
            held = pipes
            let line = try JSONEncoder().encode(request) + Data("\n".utf8)
            try pipes.requests.fileHandleForWriting.write(contentsOf: line)
            var text = ""
            while !text.hasSuffix("\n") {
                let data = pipes.answers.fileHandleForReading.availableData
                guard !data.isEmpty else { throw DevChainError.notStarted(text) }
                text += String(decoding: data, as: UTF8.self)
            }
            return text
        }
    }

    private static func started() throws -> Pipes {
        let pipes = Pipes()
        let process = Process()
        process.executableURL = projectRoot.appending(path: ".venv/bin/python")
        process.arguments = [
            projectRoot.appending(path: "Scripts/devchain/main.py").path, "--nursery",
        ]
        process.standardInput = pipes.requests
        process.standardOutput = pipes.answers
        try process.run()
        return pipes
    }
}
