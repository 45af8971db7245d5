import ArgumentParser
import Client

/// The command `stoa operation …`.
struct OperationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operation",
        abstract: "Long work: see how it gets on, and what to do where it does not.",
        subcommands: [List.self, SpeedUp.self, Cancel.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show your operations, the latest first."
        )

        @OptionGroup var options: CallOptions
        @Option(parsing: .unconditional, help: "How many, 100 at most.") var limit = 20
        @Option(help: "Goes on behind a page; its last line says how.") var after: String?

        func run() async throws {
            try await options.asAccount { node in
                let page = try await node.operations(limit: limit, after: after)
                try options.output.show(page, OperationText.page)
            }
        }
    }

    struct SpeedUp: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pay more for a transaction that waits to be mined."
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var consent: ConsentOptions
        @Argument(help: "The operation's id.") var operation: String

        func run() async throws {
            try await options.asAccount { node in
                try consent.obtain(
                    for: "Pay a higher fee?",
                    showing: "The transaction is signed again, with a higher fee.",
                    asJSON: options.json
                )
                let begun = try await node.speedUp(operation: operation)
                let ended = try await options.output.finish(begun, node)
                try options.output.show(ended) { "Done: \($0.kind)." }
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have nothing happen in place of a transaction that waits to be mined."
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var consent: ConsentOptions
        @Argument(help: "The operation's id.") var operation: String

        func run() async throws {
            try await options.asAccount { node in
                try consent.obtain(
                    for: "Cancel it?",
                    showing: "If it is sent already, an empty transaction is signed in its place, "
                        + "with a higher fee.",
                    asJSON: options.json
                )
                let begun = try await node.cancel(operation: operation)
                try options.output.show(begun) { _ in
                    "Asked for; whichever is mined first counts. See 'stoa operation list'."
                }
            }
        }
    }
}

/// Operations in words.
enum OperationText {
    static func page(_ page: Page<Client.Operation>) -> String {
        var table = TextTable("kind", "state", "begun", "at", "operation")
        for operation in page.items {
            let phase = operation.phases.last { $0.state != "waiting" }
            let place = [phase?.name, phase?.detail].compactMap { $0 }.joined(separator: ": ")
            table.add(
                operation.kind,
                operation.state,
                TimeText.text(operation.createdAt),
                place,
                operation.id
            )
        }
        return table.text(orElse: "No operations.") + page.more
    }
}
