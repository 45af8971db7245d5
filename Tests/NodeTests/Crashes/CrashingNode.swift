import Client
import Concurrency
import Contracts
import Ethereum
import Foundation
import Market
import Setup
import Support
import Testing
import Trade
import TradeSupport

/// The program `stoa` running one node, in a process of its own that is killed and started again
/// over the same folder.
struct CrashingNode: Sendable {
    /// The program ended by itself; its log tells why.
    struct Ended: Error {
        let log: String
    }

    let data: DataFolder
    private var log: String { data.path + ".log" }

    /// Prepares a folder for a node of the rig's market.
    init(in folder: TemporaryFolder, on harness: MarketHarness) throws {
        data = DataFolder(path: folder.path("node"))
        try data.initialise()
        let deployment = folder.path("deployment.json")
        try Data(harness.market.json).write(to: URL(filePath: deployment))
        let settings = """
            network: crash
            listen: ["/ip4/127.0.0.1/tcp/0"]
            api: {port: 0}
            health: {port: 0}
            chain:
              id: \(harness.market.chain.number)
              rpc: ["\(harness.dev.endpoint.url)"]
              deployment: "\(deployment)"
              confirmations: \(CrashHarness.confirmations)
              pollMilliseconds: 50
              staleSeconds: 86400
            keystore: {scryptCost: 1024}
            store: {mapGibibytes: 1}
            """
        try Data(settings.utf8).write(to: URL(filePath: data.configurationFile))
        _ = FileManager.default.createFile(atPath: log, contents: nil)
    }

    /// Runs the node while `body` asks it, then kills it.
    func run(_ body: (StoaClient) async throws -> Void) async throws {
        let (process, _) = try start(stoppingAfter: nil)
        defer { end(process) }
        try await ask(process, body)
    }

    /// Runs the node until it has stopped itself after a step of its journal.
    ///
    /// - Parameters:
    ///   - step: The step that is named in `STOA_STOP_AFTER`.
    ///   - body: What makes it come to that step; an answer that is missing because the node has
    ///     stopped is no error.
    /// - Throws: ``Ended`` where it ended in another way, and what `body` throws.
    func runs(
        until step: JournalStep,
        _ body: (StoaClient) async throws -> Void
    ) async throws {
        let (process, ends) = try start(stoppingAfter: step)
        defer { end(process) }
        do {
            try await ask(process, body)
        } catch ClientError.unreachable {
            // It was faster than its answer.
        }
        try await check(process, ends, step)
    }

    /// As ``runs(until:_:)``, for a step that it comes to by itself.
    func runs(until step: JournalStep) async throws {
        let (process, ends) = try start(stoppingAfter: step)
        defer { end(process) }
        try await check(process, ends, step)
    }

    private func check(
        _ process: Process,
        _ ends: AsyncStream<Void>,
        _ step: JournalStep
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { for await _ in ends {} }
            group.addTask {
                try await SystemMonotonicClock().wait(.seconds(60))
                throw CrashHarness.NotFulfilled(wish: "the node stops itself after \(step)")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL
        else { throw Ended(log: tail) }
    }

    private func ask(
        _ process: Process,
        _ body: (StoaClient) async throws -> Void
    ) async throws {
        let running = try await running(process)
        try await StoaClient.scoped(NodeAddress(text: running.api)) { node in
            try await CrashHarness.until("the node follows its chain") {
                let node = node.with(token: try data.operatorToken())
                return try await node.status().chains.first?.health == "ready"
            }
            try await body(node)
        }
    }

    /// Where the process answers, once it does.
    private func running(_ process: Process) async throws -> RunningNode {
        var found: RunningNode?
        try await CrashHarness.until("the node is ready") {
            guard process.isRunning else { throw Ended(log: tail) }
            guard let bytes = FileManager.default.contents(atPath: data.addressFile) else {
                return false
            }
            let running = try WireCoding.decoder().decode(RunningNode.self, from: bytes)
            // A node that was killed has left its own.
            guard running.process == process.processIdentifier else { return false }
            found = running
            return true
        }
        return try #require(found)
    }

    private func start(
        stoppingAfter step: JournalStep?
    ) throws -> (Process, AsyncStream<Void>) {
        let process = Process()
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        try output.seekToEnd()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "stoa")
        process.arguments = ["node", "run", "--data", data.path]
        process.environment = step.map { ["STOA_STOP_AFTER": $0.rawValue] } ?? [:]
        process.standardOutput = output
        process.standardError = output
        let (ends, ended) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        process.terminationHandler = { _ in ended.finish() }
        try process.run()
        return (process, ends)
    }

    private func end(_ process: Process) {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    private var tail: String {
        let text = FileManager.default.contents(atPath: log) ?? Data()
        return String(decoding: text.suffix(2_000), as: UTF8.self)
    }
}
