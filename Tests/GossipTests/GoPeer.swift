import Concurrency
import Foundation
import Market
import Support
import Synchronization

/// A Go libp2p peer in its own process, in the environment that `Scripts/interop` creates.
struct GoPeer {
    /// One line of the peer's output, about itself or others.
    struct Event: Decodable, Sendable {
        let event: String
        var peer: String?
        var addresses: [String]?
        var agentVersion: String?
        var protocols: [String]?
        var microseconds: Int?
        var message: String?
        /// Of a message: its signer, and its bytes in hex.
        var from: String?
        var data: String?
    }

    private static let python = projectRoot.appending(path: ".venv-go/bin/python")
    private static let script = projectRoot.appending(path: "Tests/InteropTests/go/peer.py")

    private let process = Process()
    private let commands = Pipe()
    private let lines = BoundedQueue<Event>(elementsMax: 1_024)

    /// Whether this machine has the environment.
    static var isHere: Bool { FileManager.default.fileExists(atPath: python.path) }

    init(topic: String) throws {
        let output = Pipe()
        let lines = lines
        let rest = Mutex(Data())
        output.fileHandleForReading.readabilityHandler = { handle in
            let bytes = handle.availableData
            if bytes.isEmpty {
                handle.readabilityHandler = nil
                lines.finish()
                return
            }
            rest.withLock { rest in
                rest.append(bytes)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let text = rest[..<end]
                    rest = Data(rest[rest.index(after: end)...])
                    // Lines that are not JSON are the interpreter's own output.
                    guard let line = try? JSONDecoder().decode(Event.self, from: text) else {
                        continue
                    }
                    precondition(lines.offer(line), "a test reads what the peer says")
                }
            }
        }
        process.executableURL = Self.python
        process.arguments = [Self.script.path, "--topic", topic]
        process.standardInput = commands
        process.standardOutput = output
        try process.run()
    }

    func say(_ command: String) throws {
        try commands.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
    }

    /// Waits for the next line about `event`.
    func hear(_ event: String) async throws -> Event {
        while let line = await lines.receive() {
            if line.event == event { return line }
            if line.event == "error" { throw Failure.said(line.message ?? "an error") }
        }
        throw Failure.gone
    }

    func stop() {
        process.terminate()
    }

    enum Failure: Error {
        case said(String)
        case gone
    }
}
