import Client
import Foundation

/// Answers as text for people or as JSON for programs.
struct Output: Sendable {
    let isJSON: Bool

    /// Prints an answer in the one form or the other.
    func show<Value: Encodable>(_ value: Value, _ text: (Value) -> String) throws {
        if isJSON {
            Terminal.print(json: try Self.json(value))
        } else {
            Terminal.print(text(value))
        }
    }

    /// Says something to people alone.
    func note(_ text: String) {
        if !isJSON { Terminal.print(text) }
    }

    static func json(_ value: some Encodable) throws -> String {
        try DisplayText.json(value)
    }

    /// Follows long work to its end, with a line for each step of a phase.
    ///
    /// - Throws: The ``Problem`` it failed with, ``Failure`` if the person interrupts the command.
    func finish(_ operation: Client.Operation, _ client: StoaClient) async throws
        -> Client.Operation
    {
        let wait = "stoa operation wait \(IDText.short(operation.id))"
        note("operation  \(operation.id)")
        let ended = try await Interruption.telling(
            "Interrupted. The operation goes on without this command; see it with '\(wait)'."
        ) {
            do {
                return try await follow(operation, client)
            } catch let error as ClientError {
                throw Failure(
                    ExitReport(error).code,
                    "\(error) The operation is not lost, so do not ask for it again: it goes on when "
                        + "the node runs and you have signed in. See it with '\(wait)'."
                )
            }
        }
        if let problem = ended.problem { throw problem }
        guard ended.state == "done" else {
            throw Failure(.failed, "The work failed without a reason; see the node's log.")
        }
        return ended
    }

    private func follow(_ operation: Client.Operation, _ client: StoaClient) async throws
        -> Client.Operation
    {
        var lines = PhaseLines()
        return try await client.follow(operation) { now in
            for line in lines.news(of: now) { note(line) }
        }
    }
}

/// Turns the states of an operation into lines, each told once.
struct PhaseLines {
    private var told: [String: Client.Operation.Phase] = [:]
    private var state = ""

    init() {}

    mutating func news(of operation: Client.Operation) -> [String] {
        var lines: [String] = []
        if operation.state != state, operation.state == "needs_unlock" {
            lines.append("  waits until the account is signed in: stoa account sign-in")
        }
        state = operation.state
        for phase in operation.phases where phase.state != "waiting" {
            let before = told[phase.name]
            guard before?.state != phase.state || before?.detail != phase.detail else { continue }
            told[phase.name] = phase
            let name = phase.name.padding(toLength: 10, withPad: " ", startingAt: 0)
            let state = phase.state.padding(toLength: 8, withPad: " ", startingAt: 0)
            // Said while it was under way, such as `2 of 3`; at the end it would mislead.
            let isOld = phase.state == "done" && before?.detail == phase.detail
            let line = "  \(name) \(state) \(isOld ? "" : phase.detail ?? "")"
            lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        }
        return lines
    }
}
