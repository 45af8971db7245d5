import AsyncHTTPClient
import Client
import Concurrency
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Node
import Setup
import Support
import Synchronization
import Testing

/// A whole node in this process, and a caller of its API.
struct TestNode: Sendable {
    /// What the API answered.
    struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let body: Data

        func read<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try WireCoding.decoder().decode(Value.self, from: body)
        }

        var code: String? { try? read(Problem.self).code }
    }

    let running: RunningNode
    let folder: String

    /// Runs a node in a folder of its own, on free ports, while `body` works with it.
    static func run(
        _ body: @escaping @Sendable (TestNode) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try await run(in: folder.path, body)
    }

    /// Runs a node on free ports while `body` works with it.
    static func run(
        in folder: String,
        flags: [String: String] = [:],
        clock: any WallClock = SystemWallClock(),
        _ body: @escaping @Sendable (TestNode) async throws -> Void
    ) async throws {
        let data = DataFolder(path: folder)
        try data.initialise()
        var settings = [
            "api.port": "0", "health.port": "0", "listen": "/ip4/127.0.0.1/tcp/0",
            "keystore.scryptCost": "1024", "store.mapGibibytes": "1",
            "records.stampTries": "16",
        ]
        settings.merge(flags) { $1 }
        let sources = try ConfigurationSources(
            flags: settings,
            environment: [:],
            file: data.configurationFile
        )
        try await StoreFolder.untilFree(data.storeFolder)
        var logger = Logger(label: "test")
        logger.logLevel = .error
        let node = NodeProcess(
            folder: data,
            configuration: try Configuration(sources),
            logger: logger,
            clock: clock
        )
        try await withThrowingTaskGroup { group in
            let (ready, entry) = AsyncStream.makeStream(
                of: RunningNode.self,
                bufferingPolicy: .bufferingOldest(1)
            )
            let (stop, stopping) = AsyncStream.makeStream(
                of: Void.self,
                bufferingPolicy: .bufferingOldest(1)
            )
            group.addTask {
                defer { entry.finish() }
                try await node.run(signals: [], until: stop) { entry.yield($0) }
            }
            group.addTask {
                defer { stopping.finish() }
                for await running in ready {
                    try await body(TestNode(running: running, folder: folder))
                    return
                }
                throw StreamEnded()
            }
            try await group.waitForAll()
        }
    }

    func call(
        _ method: HTTPMethod,
        _ path: String,
        body: String? = nil,
        token: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        try await send(method, path, body.map { Array($0.utf8) }, token: token, headers: headers)
    }

    /// Calls with a body that need not be text.
    func send(
        _ method: HTTPMethod,
        _ path: String,
        _ body: [UInt8]?,
        token: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: running.api + "/v1/" + path)
        request.method = method
        if let body {
            request.body = .bytes(ByteBuffer(bytes: body))
            request.headers.add(name: "content-type", value: "application/json")
        }
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let bytes = try await response.body.collect(upTo: 4 << 20)
        return Answer(
            status: Int(response.status.code),
            headers: response.headers,
            body: Data(bytes.readableBytesView)
        )
    }

    /// Asks at the port for health and metrics.
    func get(
        _ path: String,
        _ headers: [String: String] = [:]
    ) async throws -> (status: Int, body: String) {
        var request = HTTPClientRequest(url: running.health + "/" + path)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let bytes = try await response.body.collect(upTo: 4 << 20)
        return (Int(response.status.code), String(buffer: bytes))
    }

    /// Makes an account and signs in.
    func signIn(_ name: String) async throws -> Session {
        let credentials = #"{"name":"\#(name)","password":"correct horse"}"#
        _ = try await call(.POST, "accounts", body: credentials)
        let body = #"{"account":"\#(name)","password":"correct horse"}"#
        return try await call(.POST, "sessions", body: body).read()
    }

    /// Lends a client that asks in someone's name.
    func asking<Value: Sendable>(
        _ session: Session,
        _ body: (StoaClient) async throws -> Value
    ) async throws -> Value {
        try await asking(token: session.token, body)
    }

    /// Lends a client that asks as the node's operator.
    func asOperator<Value: Sendable>(
        _ body: (StoaClient) async throws -> Value
    ) async throws -> Value {
        try await asking(token: try DataFolder(path: folder).operatorToken(), body)
    }

    private func asking<Value: Sendable>(
        token: String,
        _ body: (StoaClient) async throws -> Value
    ) async throws -> Value {
        try await StoaClient.scoped(try NodeAddress(text: running.api), token: token, body)
    }
}
