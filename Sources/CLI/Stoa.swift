import ArgumentParser
import Node

/// The command `stoa`: reads arguments and hands them to Client or Node.
@main
struct Stoa: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stoa",
        abstract: "A marketplace that belongs to the people who trade on it.",
        version: Version.text
    )
}
