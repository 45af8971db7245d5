import ArgumentParser
import Client
import Concurrency
import Foundation
import Synchronization

/// Prints answers, as text for people or as JSON for programs.
struct Output: Sendable {
    let isJSON: Bool

    /// Prints an answer as JSON, or as the text that `text` makes of it.
    func show<Value: Encodable>(_ value: Value, _ text: (Value) -> String) throws {
        if isJSON {
            Terminal.print(json: try Self.json(value))
        } else {
            Terminal.print(text(value))
        }
    }

    /// Prints a text, unless the output is JSON.
    func note(_ text: String) {
        if !isJSON { Terminal.print(text) }
    }

    static func json(_ value: some Encodable) throws -> String {
        try DisplayText.json(value)
    }

    /// Follows an operation to its end, and prints a line for each change of a phase.
    ///
    /// - Throws: The ``Problem`` that the operation failed with; ``Failure`` if the person
    ///   interrupts the command or the node stops answering.
    func finish(_ operation: Client.Operation, _ client: StoaClient) async throws
        -> Client.Operation
    {
        let wait = "stoa operation wait \(IDText.short(operation.id))"
        note("operation  \(operation.id)")
        let ended = try await Interruption.telling(
            "Interrupted. The operation continues without this command; follow it with '\(wait)'."
        ) {
            do {
                return try await follow(operation, client)
            } catch let error as ClientError {
                throw Failure(
                    ExitReport(error).code,
                    "\(error) The operation is not lost, so do not start it again: it continues "
                        + "when the node runs and you are signed in. Follow it with '\(wait)'."
                )
            }
        }
        if let problem = ended.problem { throw problem }
        guard ended.state == .done else {
            throw Failure(.failed, "The operation failed without a reason. See the node's log.")
        }
        return ended
    }

    private func follow(_ operation: Client.Operation, _ client: StoaClient) async throws
        -> Client.Operation
    {
        let line = StatusLine(isShown: !isJSON)
        defer { line.above {} }
        return try await withThrowingTaskGroup(of: Client.Operation?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var lines = PhaseLines()
                return try await client.follow(operation) { now in
                    let news = lines.news(of: now)
                    line.wait(for: lines.waiting)
                    for text in news { line.above { note(text) } }
                }
            }
            if !isJSON {
                group.addTask {
                    try await tellChains(client, above: line)
                    return nil
                }
                group.addTask {
                    try await showElapsed(of: operation, on: line)
                    return nil
                }
            }
            while let ended = try await group.next() {
                if let ended { return ended }
            }
            throw CancellationError()
        }
    }

    private static let chainInterval = Duration.seconds(5)

    /// Says when a chain cannot be followed, until cancelled: an operation then waits in silence.
    private func tellChains(_ client: StoaClient, above line: StatusLine) async throws {
        let clock = SystemMonotonicClock()
        var notes = ChainNotes()
        while true {
            try await clock.wait(Self.chainInterval)
            // A node that does not answer is told by the call that follows the operation.
            for text in notes.news(of: (try? await client.chains()) ?? []) {
                line.above { note("  " + text) }
            }
        }
    }

    /// Shows on a terminal how long the operation has taken, each second until cancelled.
    private func showElapsed(of operation: Client.Operation, on line: StatusLine) async throws {
        let (clock, wall) = (SystemMonotonicClock(), SystemWallClock())
        while true {
            try await clock.wait(.seconds(1))
            let elapsed = OperationText.elapsed(from: operation, to: wall.now)
            line.show("\(elapsed) so far")
        }
    }
}

/// The last line of a terminal, which several tasks write.
private final class StatusLine: Sendable {
    /// The turn to write, and the transaction that is waited for.
    private let waiting = Mutex("")
    private let isShown: Bool

    init(isShown: Bool) { self.isShown = isShown }

    func show(_ text: String) {
        waiting.withLock { waiting in
            guard isShown else { return }
            Terminal.show(status: "  " + (waiting.isEmpty ? text : "\(waiting), \(text)"))
        }
    }

    func wait(for transaction: String) { waiting.withLock { $0 = transaction } }

    /// Prints lines that stay, and removes the status.
    func above(_ lines: () -> Void) {
        waiting.withLock { _ in
            if isShown { Terminal.show(status: "") }
            lines()
        }
    }
}

/// The form of the answer, for commands that call no node.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print the answer as JSON, for programs.") var json = false

    var output: Output { Output(isJSON: json) }
}
