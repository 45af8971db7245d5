import ArgumentParser
import Node

/// Which command the words of a command line name.
struct CommandPath {
    /// The words that name commands, without the program's.
    let words: [String]
    /// The command they lead to.
    let command: any ParsableCommand.Type
    /// The next word, if it should name a command of ``command`` and names none.
    let unknown: String?

    init(_ arguments: [String], from root: any ParsableCommand.Type = Stoa.self) {
        var words: [String] = []
        var command = root
        var unknown: String?
        // `stoa help sale buy` is about `stoa sale buy`.
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

    /// A word with more is another one.
    private static let typingErrorsMax = 2

    /// What is typed for a command.
    static func name(of command: any ParsableCommand.Type) -> String { command._commandName }

    /// Why an unknown word is refused, before anything behind it is read.
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
