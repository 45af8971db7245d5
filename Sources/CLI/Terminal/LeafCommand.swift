import ArgumentParser

/// A command that has no subcommands, with the examples that its help ends with.
protocol LeafCommand: AsyncParsableCommand {
    /// Without `stoa`; addresses, ids and names are made up.
    static var examples: [String] { get }
}

extension CommandPath {
    /// Adds the examples of the command to its help; returns any other text unchanged.
    func adding(examplesTo help: String) -> String {
        guard help.contains("USAGE: stoa"), let command = command as? any LeafCommand.Type else {
            return help
        }
        let lines = command.examples.map { "  stoa " + $0 }
        return help + "\n\n" + (["EXAMPLES:"] + lines).joined(separator: "\n")
    }
}
