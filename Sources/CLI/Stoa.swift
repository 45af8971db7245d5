import ArgumentParser
import Setup

/// The command `stoa`: reads its arguments and calls Client or Node.
@main
struct Stoa: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stoa",
        abstract: "A marketplace that belongs to the people who trade on it.",
        version: Version.text,
        subcommands: [StatusCommand.self, AccountCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Buy",
                subcommands: [
                    SaleCommand.self, CartCommand.self, FavouriteCommand.self, SearchCommand.self,
                    CourseCommand.self, ReviewCommand.self, ItemCommand.self,
                ]
            ),
            CommandGroup(
                name: "Sell",
                subcommands: [
                    ListingCommand.self, DraftCommand.self, MediaCommand.self, WorkCommand.self,
                ]
            ),
            CommandGroup(
                name: "Money",
                subcommands: [
                    WalletCommand.self, OperationCommand.self, SignatureCommand.self,
                    ArbiterCommand.self,
                ]
            ),
            CommandGroup(
                name: "Messages",
                subcommands: [
                    ChatCommand.self, ContactCommand.self, EventsCommand.self, ReportCommand.self,
                    CurationCommand.self,
                ]
            ),
            CommandGroup(
                name: "Node",
                subcommands: [
                    InitCommand.self, NodeCommand.self, PeersCommand.self, HomeCommand.self,
                    ConfigCommand.self, ChainCommand.self, ClusterCommand.self, StoreCommand.self,
                    CompletionCommand.self,
                ]
            ),
        ],
        defaultSubcommand: StatusCommand.self
    )

    /// Runs a command and ends the process with the exit code of its outcome.
    static func main() async {
        // Most commands read a password, a token or a key; none needs a core file.
        ProcessProtection.begin()
        OutputFailure.begin()
        do {
            try FileAllowance.require(FileAllowance.leastOfCommand)
            let arguments = Array(CommandLine.arguments.dropFirst())
            if !CompletionValues.isAsked(arguments) { try GivenText.check() }
            let titles = await CompletionValues.titles(for: arguments)
            var command = try Self.command(of: arguments, knowing: titles)
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
            if let failure = OutputFailure.ending { throw failure }
        } catch {
            let options = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
            ExitReport(error).exit(asJSON: options.contains("--json"))
        }
    }

    /// Reads a command, or completes one with the titles that the shell can be told.
    private static func command(
        of arguments: [String],
        knowing titles: CompletionValues.Titles
    ) throws -> any ParsableCommand {
        try CompletionValues.$titles.withValue(titles) { try command(of: arguments) }
    }

    /// Reads a command from the words after the program's name.
    ///
    /// - Throws: An error for ``ExitReport``, which does not treat `--help` as a failure.
    static func command(of arguments: [String]) throws -> any ParsableCommand {
        let arguments = arguments == ["-v"] ? ["--version"] : arguments
        let path = CommandPath(arguments)
        if let refusal = path.refusal { throw refusal }
        let given = GivenOptions(arguments, of: path)
        try given.checkRepeats()
        do { return try parseAsRoot(arguments) } catch {
            // Help is not a refusal, and its message takes time to make.
            guard exitCode(for: error) == .validationFailure else { throw error }
            if let refusal = path.refusalOfOrder { throw refusal }
            if let advice = given.advice { throw advice }
            if message(for: error).hasPrefix("Missing expected argument"),
                let refusal = try given.unknown()
            {
                throw refusal
            }
            throw error
        }
    }
}
