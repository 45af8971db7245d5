import ArgumentParser
import Foundation
import Setup

/// The command `stoa init`.
struct InitCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a data folder with a node key and token. Existing files are kept."
    )
    static let examples = ["init", "init --market market.yaml --data /srv/stoa"]

    @Option(
        help: ArgumentHelp(
            "Join a market: copy its settings from this file, such as a cluster's market.yaml.",
            valueName: "file"
        ),
        completion: .file()
    )
    var market: String?
    @OptionGroup var options: OutputOptions
    @OptionGroup var folder: FolderOptions

    /// The answer for programs.
    private struct Made: Encodable {
        let folder: String
        let settings: String
        /// Whether the folder was made now.
        let isNew: Bool
    }

    func validate() throws {
        guard market != "" else { throw ValidationError("--market is empty. Name a file.") }
    }

    func run() async throws {
        let folder = DataFolder(path: folder.path)
        let isNew = !folder.isInitialised
        if let market {
            try folder.join(settings: URL(filePath: market).standardizedFileURL.path)
        } else {
            try folder.initialise()
        }
        let settings = folder.configurationFile
        guard !options.json else {
            let made = Made(folder: folder.path, settings: settings, isNew: isNew)
            return try options.output.show(made) { $0.folder }
        }
        guard isNew || market != nil || !FileManager.default.fileExists(atPath: settings) else {
            return Terminal.print(
                "\(folder.path) is a node's folder already, with its settings in \(settings). Start "
                    + "the node with 'stoa node run --data \(folder.path)'."
            )
        }
        let made = isNew ? "Created \(folder.path)." : "\(folder.path) exists already."
        let next =
            market == nil
            ? "To join a market, run 'stoa init --market <file>' with the market's file. Then start the "
                + "node with 'stoa node run'."
            : "The market's settings are \(isNew ? "" : "now ")in \(settings). Start the node with 'stoa node run'."
        Terminal.print("\(made) \(next)")
        if isNew { Terminal.print(Self.warning) }
    }

    /// The warning to a person who begins, shown once.
    static let warning = """
        Before you trade: the contracts are not audited by a firm, and what is signed cannot be \
        taken back. Trade only amounts that you can afford to lose, and try it with play money \
        first: stoa cluster up
        """
}
