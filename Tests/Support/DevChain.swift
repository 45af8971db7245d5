package import Ethereum
import Foundation
import Synchronization

/// A development chain in a process of its own, on a port of its own.
package struct DevChain: Sendable {
    package let endpoint: Endpoint
    /// The same chain over a WebSocket.
    package let socket: Endpoint
    /// The same chain with a mempool that passes nothing on; `nil` without `--private-port`.
    package let privatePool: Endpoint?
    package let chainNumber: UInt64
    private let transport: HTTPTransport
    private let child: Child

    /// The process that answers now, and how to start it again.
    private final class Child: Sendable {
        private let arguments: [String]
        private let process = Mutex<Int32?>(nil)

        init(_ arguments: [String]) { self.arguments = arguments }

        /// Starts the chain on a port; 0 takes a free one.
        func start(port: Int) async throws -> Ready {
            let line = try await ChainNursery.shared.start(["--port", "\(port)"] + arguments)
            let prefix = "devchain ready "
            guard line.hasPrefix(prefix) else { throw DevChainError.notStarted(line) }
            let text = Data(line.dropFirst(prefix.count).utf8)
            let ready = try JSONDecoder().decode(Ready.self, from: text)
            process.withLock { $0 = ready.pid }
            return ready
        }

        func end(by signal: Int32) {
            process.withLock { process in
                // A nursery that is gone has taken its chains with it.
                if let process { try? ChainNursery.shared.end(process, by: signal) }
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
        defer { child.end(by: SIGKILL) }
        let ready = try await child.start(port: 0)
        return try await HTTPTransport.scoped { transport in
            let chain = DevChain(
                endpoint: try Endpoint(url: ready.http),
                socket: try Endpoint(url: ready.ws),
                privatePool: try ready.private.map { try Endpoint(url: $0.http) },
                chainNumber: ready.chainId,
                transport: transport,
                child: child
            )
            return try await body(chain, transport)
        }
    }

    /// Kills the chain; its endpoint refuses connections from then on.
    package func kill() { child.end(by: SIGKILL) }

    /// Ends the chain in order; its `--state` file is whole then, with no other file beside it.
    package func stop() { child.end(by: SIGTERM) }

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
    let pid: Int32
    let `private`: Addresses?

    struct Addresses: Decodable { let http: String }
}
