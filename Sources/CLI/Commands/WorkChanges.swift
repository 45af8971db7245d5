import ArgumentParser
import Client

/// The command `stoa work rename`.
struct WorkRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a digital work another name, which its buyers get from then on."
    )

    @OptionGroup var options: CallOptions
    @Argument(help: "The work: its identifier or the first digits of it, or its name.")
    var work: String
    @Argument(help: "The new name: one line without a slash.") var name: String

    func run() async throws {
        try await options.asAccount { node in
            try options.output.show(try await node.renameWork(work, to: name)) {
                WorkText.table([$0])
            }
        }
    }
}

/// The command `stoa work remove`.
struct WorkRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a digital work from all your nodes.",
        discussion: """
            It is refused while a sale of yours that has not ended needs the work, or its buyer has \
            not got the key. A buyer who has the key but not fetched the file gets it no more from \
            you.
            """
    )

    @OptionGroup var options: CallOptions
    @Argument(help: "The work: its identifier or the first digits of it, or its name.")
    var work: String

    func run() async throws {
        try await options.asAccount { node in
            try await node.removeWork(work)
            options.output.note("removed \(DisplayText.line(work))")
        }
    }
}
