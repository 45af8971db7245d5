import ArgumentParser
import Setup

/// The command that a command line names.
struct CommandPath {
    /// The words that name commands, without `stoa`.
    let words: [String]
    /// The command that ``words`` name.
    let command: any ParsableCommand.Type
    /// The next word, if it should name a subcommand of ``command`` but does not.
    let unknown: String?

    init(_ arguments: [String], from root: any ParsableCommand.Type = Stoa.self) {
        var words: [String] = []
        var command = root
        var unknown: String?
        // `stoa help sale buy` names the command `stoa sale buy`.
        let asked = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
        for word in asked {
            let below = command.configuration.subcommands
            guard !below.isEmpty, !word.hasPrefix("-") else { break }
            guard let next = below.first(where: { Self.name(of: $0) == word }) else {
                unknown = word == "help" ? nil : word
                break
            }
            words.append(word)
            command = next
        }
        (self.words, self.command, self.unknown) = (words, command, unknown)
    }

    /// The maximum number of edits between a mistyped word and the suggested command.
    private static let typingErrorsMax = 2

    /// Returns the word that a person types for a command.
    static func name(of command: any ParsableCommand.Type) -> String { command._commandName }

    /// The error for an unknown word, `nil` if there is none.
    var refusal: Failure? {
        guard let unknown else { return nil }
        let names = command.configuration.subcommands.map { Self.name(of: $0) }
        let path = (["stoa"] + words).joined(separator: " ")
        let near =
            nearestName(to: unknown, among: names)
            .flatMap { editDistance(unknown, $0) <= Self.typingErrorsMax ? $0 : nil }
            .map { "Did you mean '\(path) \($0)'? " } ?? ""
        return Failure(
            .usage,
            "'\(path)' has no command '\(unknown)'. \(near)It has: "
                + "\(names.joined(separator: ", "))."
        )
    }
}
