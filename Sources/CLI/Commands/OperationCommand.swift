import ArgumentParser
import Client
import Concurrency
import Foundation
import Texts

/// The command `stoa operation …`.
struct OperationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operation",
        abstract: "Show, wait for, speed up or cancel operations, such as a purchase.",
        subcommands: [List.self, Show.self, Wait.self, SpeedUp.self, Cancel.self]
    )

    struct List: AccountCall {
        static let configuration = command("Show your operations, newest first.")
        static let examples = ["operation list"]

        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let page = try await node.operations(limit: paging.limit, after: paging.after)
            try options.output.show(page, OperationText.page)
        }
    }

    struct Show: AccountCall {
        static let configuration = command(
            "Show an operation with all its steps and, if it failed, the reason."
        )
        static let examples = ["operation show 5d21ee07"]

        @Argument(help: .operation) var operation: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let known = try await node.operation(operation)
            try options.output.show(known) { OperationText.full($0, at: SystemWallClock().now) }
        }
    }

    struct Wait: AccountCall {
        static let configuration = command(
            """
            Wait for an operation, and exit with the code of the command that started it.
            """
        )
        static let examples = ["operation wait 5d21ee07"]

        @Argument(help: .operation) var operation: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let known = try await node.operation(operation)
            let ended = try await options.output.finish(known, node)
            try options.output.show(ended) {
                "Done: \($0.kind)\($0.subject.map { " " + $0 } ?? "")."
            }
            await options.sayNext(after: ended, node)
        }
    }

    struct SpeedUp: AccountCall {
        static let configuration = command("Raise the fee of a transaction that is not mined yet.")
        static let examples = ["operation speed-up 5d21ee07"]

        @Argument(help: .operation) var operation: String
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let preview = try await node.previewOfSpeedUp(operation: operation)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let begun = try await node.speedUp(
                operation: preview.subject ?? operation,
                feeMax: preview.agreedFee
            )
            let ended = try await options.output.finish(begun, node)
            try options.output.show(ended) { "Done: \($0.kind)." }
        }
    }

    struct Cancel: AccountCall {
        static let configuration = command("Cancel a transaction that is not mined yet.")
        static let examples = ["operation cancel 5d21ee07"]

        @Argument(help: .operation) var operation: String
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let preview = try await node.previewOfCancel(operation: operation)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let begun = try await node.cancel(
                operation: preview.subject ?? operation,
                feeMax: preview.agreedFee
            )
            try options.output.show(begun) { _ in
                "Cancellation requested. If the transaction is mined first, it counts instead: "
                    + "see 'stoa operation list'."
            }
        }
    }
}

/// Formats operations as text.
enum OperationText {
    static func page(_ page: Page<Client.Operation>) -> String {
        var table = TextTable("kind", "state", "begun", "took", "step", "operation")
        for operation in page.items {
            table.add(
                operation.kind.words(in: "operation"),
                operation.state.words(in: "operationState"),
                TimeText.text(operation.createdAt),
                operation.endedAt.map { elapsed(from: operation, to: $0) } ?? "",
                place(of: operation),
                IDText.cell(operation.id)
            )
        }
        return table.text(orElse: "No operations.") + page.more
    }

    /// Formats an operation with all its steps, and the time that each was done after its
    /// beginning.
    static func full(_ operation: Client.Operation, at now: Date) -> String {
        var lines = [
            "operation  " + operation.id, "kind       " + operation.kind.words(in: "operation"),
            "state      " + operation.state.words(in: "operationState"),
        ]
        if let subject = operation.subject { lines.append("about      " + subject) }
        lines.append("begun      " + TimeText.text(operation.createdAt))
        if let end = operation.endedAt {
            lines.append("took       " + elapsed(from: operation, to: end))
        } else if operation.isRunning {
            lines.append("running    for " + elapsed(from: operation, to: now))
        }
        if let problem = operation.problem { lines.append("reason     " + problem.detail) }
        for phase in operation.phases {
            let ended = phase.endedAt.map { "after " + elapsed(from: operation, to: $0) }
            let state = phase.state.words(in: "stepState")
            let words = [state, phase.detail, ended].compactMap { $0 }
            let name = DisplayWidth.pad(phase.name.words(in: "step"), to: 9)
            lines.append("  \(name)  " + words.joined(separator: ", "))
        }
        return lines.joined(separator: "\n")
    }

    /// The time from an operation's beginning, in whole seconds.
    static func elapsed(from operation: Client.Operation, to time: Date) -> String {
        let seconds = time.timeIntervalSince(operation.createdAt)
        return DurationText.text(UInt64(max(0, seconds)))
    }

    /// Describes why the operation failed, or else which step it has reached.
    private static func place(of operation: Client.Operation) -> String {
        if let problem = operation.problem { return problem.detail }
        let phase = operation.phases.last { $0.state != .waiting }
        return [phase?.name.words(in: "step"), phase?.detail].compactMap { $0 }.joined(
            separator: ": "
        )
    }
}

extension ExtensibleEnumeration {
    /// The words for people, of an area of `Texts`.
    func words(in area: String) -> String {
        SentencePatterns.english.words(for: rawValue, in: area)
    }
}
