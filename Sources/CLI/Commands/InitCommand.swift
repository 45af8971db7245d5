import ArgumentParser
import Foundation
import Node

/// The command `stoa init`.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a data folder with a node's key and token; what is there stays."
    )

    @OptionGroup var folder: FolderOptions

    func run() async throws {
        let folder = DataFolder(path: folder.path)
        let isNew = !folder.isInitialised
        try folder.initialise()
        Terminal.print(
            isNew
                ? "Made \(folder.path). Settings go into \(folder.configurationFile)."
                : "\(folder.path) was there already."
        )
    }
}
