import ArgumentParser
import Foundation
import Node

/// The command `stoa store …`.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "What a node keeps on disk.",
        subcommands: [Export.self]
    )

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Back up a node, running or not: a new data folder with all that matters.",
            discussion: "It holds keystores and the node's key: keep it as safe as the node's own."
        )

        @OptionGroup var folder: FolderOptions
        @Argument(help: "The backup's folder, which is not there yet.") var target: String

        func run() async throws {
            let target = URL(filePath: target).standardizedFileURL.path
            try DataFolder(path: folder.path).export(to: target)
            Terminal.print("Written to \(target). To restore, start a node with --data \(target).")
        }
    }
}
