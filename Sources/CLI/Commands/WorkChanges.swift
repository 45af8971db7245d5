import ArgumentParser
import Client

/// The command `stoa work rename`.
struct WorkRename: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a digital work. Later buyers get the new name."
    )
    static let examples = ["work rename song.flac 'A song.flac'"]

    @Argument(help: .work) var work: String
    @Argument(help: "The new name: one line without a slash.") var name: String
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        try options.output.show(try await node.renameWork(work, to: name)) {
            WorkText.table([$0])
        }
    }
}

/// The command `stoa work remove`.
struct WorkRemove: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a digital work from all your nodes.",
        discussion: """
            This is refused while one of your open sales needs the work, or while a buyer is still \
            waiting for the key. A buyer who has the key but has not fetched the file can no \
            longer get it from you.
            """
    )
    static let examples = ["work remove song.flac"]

    @Argument(help: .work) var work: String
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        try await node.removeWork(work)
        options.output.note("removed \(DisplayText.line(work))")
    }
}
