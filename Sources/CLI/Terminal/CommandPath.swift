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
    /// The first word that names a command, if options stand before it.
    private let late: String?

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
                unknown = word == "help" && words.isEmpty ? nil : word
                break
            }
            words.append(word)
            command = next
        }
        (self.words, self.command, self.unknown) = (words, command, unknown)
        late =
            arguments.first?.hasPrefix("-") == true
            ? arguments.first { word in
                root.configuration.subcommands.contains { Self.name(of: $0) == word }
            } : nil
    }

    /// The error for options before the command, if the line cannot be read; `nil` if there are
    /// none.
    var refusalOfOrder: Failure? {
        late.map { Failure(.usage, "Options stand after the command: stoa \($0) …") }
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
        guard unknown != "help" else {
            return Failure(.usage, "Did you mean '\(path) --help'?")
        }
        let near =
            nearestName(to: unknown, among: names)
            .flatMap { editDistance(unknown, $0) <= Self.typingErrorsMax ? $0 : nil }
            .map { path + " " + $0 }
        let here = Self.verbs[(words + [unknown]).joined(separator: " ").lowercased()]
        // 'stoa search' has saved searches; a word behind it is rather one to search for.
        let search =
            words == ["search"] && near == nil ? ["stoa listing search \(unknown)"] : nil
        let elsewhere =
            here.map(Self.commands(of:)) ?? search ?? Self.commands(called: unknown)
        let meant = (elsewhere.isEmpty ? [near].compactMap(\.self) : elsewhere)
            .map { "'\($0)'" }.joined(separator: " or ")
        let advice =
            if !meant.isEmpty {
                "Did you mean \(meant)?"
            } else if words.isEmpty {
                "See 'stoa --help'."
            } else {
                "It has: \(names.joined(separator: ", "))."
            }
        return Failure(.usage, "'\(path)' has no command '\(unknown)'. \(advice)")
    }

    /// Returns the commands that do what a person tries, as they are typed.
    private static func commands(of verb: String) -> [String] {
        verb.split(separator: "|").map { "stoa " + $0 }
    }

    /// The words that people try, and the commands that do it, with `|` between several.
    private static let verbs = [
        "login": "account sign-in", "signin": "account sign-in", "logout": "account sign-out",
        "signout": "account sign-out", "signup": "account create", "register": "account create",
        "whoami": "status", "order": "sale buy", "orders": "sale list purchases",
        "purchase": "sale buy", "purchases": "sale list purchases", "sales": "sale list",
        "sell": "listing create", "offer": "listing create", "find": "listing search",
        "sale cancel": "sale abort|sale decline|sale refund", "sale send": "sale transfer",
        "sale ship": "sale transfer", "ship": "sale transfer",
        "pay": "sale buy", "money": "wallet balance",
        "message": "chat send", "messages": "chat list", "inbox": "chat list",
        "write": "chat send", "start": "node run", "version": "--version",
    ]
    /// More commands of the same name are not named: the word says too little.
    private static let namesakesMax = 4

    /// Returns the commands that a word alone can mean, as they are typed.
    private static func commands(called word: String) -> [String] {
        let word = word.lowercased()
        if let command = verbs[word] { return commands(of: command) }
        let found = Stoa.configuration.subcommands.flatMap { noun in
            noun.configuration.subcommands.filter { name(of: $0) == word }
                .map { "stoa \(name(of: noun)) \(name(of: $0))" }
        }
        return found.count > namesakesMax ? [] : found
    }
}
