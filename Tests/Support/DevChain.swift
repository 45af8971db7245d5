package import Contracts
import Foundation
import Synchronization

/// A development chain in a process of its own, on a port of its own.
package struct DevChain: Sendable {
    package let endpoint: Endpoint
    /// The same chain over a WebSocket.
    package let socket: Endpoint
    package let chainNumber: UInt64
    private let transport: HTTPTransport
    private let child: Child

    /// The process that answers now, and how to start it again.
    private final class Child: Sendable {
        private let arguments: [String]
        private let process = Mutex<Process?>(nil)

        init(_ arguments: [String]) { self.arguments = arguments }

        /// Starts the chain on a port; 0 takes a free one.
        func start(port: Int) async throws -> Ready {
            let process = Process()
            let output = Pipe()
            process.executableURL = projectRoot.appending(path: ".venv/bin/python")
            process.arguments =
                [
                    projectRoot.appending(path: "Scripts/devchain/main.py").path, "--port",
                    "\(port)",
                ] + arguments
            process.standardOutput = output
            try process.run()
            self.process.withLock { $0 = process }
            return try await DevChain.readyLine(from: output.fileHandleForReading)
        }

        /// Threads of the pool block SIGTERM, and a child inherits that; the chain survives any end.
        func kill() {
            self.process.withLock { process in
                guard let running = process else { return }
                Foundation.kill(running.processIdentifier, SIGKILL)
                running.waitUntilExit()
                process = nil
            }
        }
    }

    /// Runs a chain for as long as `body` does.
    ///
    /// The arguments are those of `Scripts/devchain/main.py`, beside the port.
    package static func scoped<Value: Sendable>(
        _ arguments: [String] = [],
        _ body: (DevChain, HTTPTransport) async throws -> Value
    ) async throws -> Value {
        let child = Child(arguments)
        defer { child.kill() }
        let ready = try await child.start(port: 0)
        return try await HTTPTransport.scoped { transport in
            let chain = DevChain(
                endpoint: try Endpoint(url: ready.http),
                socket: try Endpoint(url: ready.ws),
                chainNumber: ready.chainId,
                transport: transport,
                child: child
            )
            return try await body(chain, transport)
        }
    }

    /// Kills the chain; its endpoint refuses connections from then on.
    package func kill() { child.kill() }

    /// Starts a killed chain again at its port, from its `--state` file.
    package func restart() async throws {
        let port = Int(endpoint.url.split(separator: ":").last ?? "") ?? 0
        _ = try await child.start(port: port)
    }

    /// Calls one of the chain's own methods with parameters written as a JSON list.
    ///
    /// - Returns: The whole answer, as text.
    @discardableResult
    package func control(_ method: String, _ parameters: String = "[]") async throws -> String {
        let body = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
        let answer = try await transport.post(
            [UInt8](body.utf8),
            to: endpoint,
            bytesMax: 1 << 20,
            timeout: .seconds(30)
        )
        let text = String(decoding: answer, as: UTF8.self)
        guard !text.contains(#""error""#) else { throw DevChainError.refused(text) }
        return text
    }

    /// Moves the chain's clock on and mines a block at the new time.
    package func pass(seconds: UInt64) async throws {
        try await control("evm_increaseTime", "[\(seconds)]")
        try await control("evm_mine")
    }

    private static func readyLine(from handle: FileHandle) async throws -> Ready {
        let line: String = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                var text = ""
                while !text.hasSuffix("\n") {
                    let data = handle.availableData
                    guard !data.isEmpty else {
                        return continuation.resume(throwing: DevChainError.notStarted(text))
                    }
                    text += String(decoding: data, as: UTF8.self)
                }
                continuation.resume(returning: text)
            }
        }
        let prefix = "devchain ready "
        guard line.hasPrefix(prefix) else { throw DevChainError.notStarted(line) }
        return try JSONDecoder().decode(Ready.self, from: Data(line.dropFirst(prefix.count).utf8))
    }
}

/// Why the development chain is of no use.
package enum DevChainError: Error {
    /// It ended or said something else; `Scripts/venv` makes what it needs.
    case notStarted(String)
    case refused(String)
}

private struct Ready: Decodable {
    let http: String
    let ws: String
    let chainId: UInt64
}
