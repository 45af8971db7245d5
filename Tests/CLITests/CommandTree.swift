import ArgumentParser
import Foundation

@testable import CLI

/// What the program says of its commands, for tests that walk all of them.
struct CommandTree: Decodable {
    let commandName: String
    let abstract: String?
    let arguments: [Argument]?
    let subcommands: [CommandTree]?

    /// One argument, option or flag.
    struct Argument: Decodable {
        /// `positional`, `option` or `flag`.
        let kind: String
        let isOptional: Bool
        let valueName: String?
        let abstract: String?
        let names: [Name]?

        struct Name: Decodable {
            let name: String
        }

        func isNamed(_ name: String) -> Bool { names?.contains { $0.name == name } ?? false }
    }

    private struct Dump: Decodable {
        let command: CommandTree
    }

    /// The whole program's, which takes seconds to make.
    static let whole = Result {
        let dump = try Program.plain(["--experimental-dump-help"])
        return try JSONDecoder().decode(Dump.self, from: Data(dump.out.utf8)).command
    }

    /// The examples of each command that has some, by the words that name it.
    static func examples(
        of command: any ParsableCommand.Type = Stoa.self,
        named words: [String] = []
    ) -> [String: [String]] {
        var all: [String: [String]] = [:]
        if let leaf = command as? any LeafCommand.Type {
            all[words.joined(separator: " ")] = leaf.examples
        }
        for below in command.configuration.subcommands {
            let words = words + [CommandPath.name(of: below)]
            all.merge(examples(of: below, named: words)) { one, _ in one }
        }
        return all
    }

    /// Every command with its name as it is typed, but those that help.
    func all(under path: String = "") -> [(name: String, command: CommandTree)] {
        guard commandName != "help" else { return [] }
        let name = path.isEmpty ? commandName : path + " " + commandName
        return [(name, self)] + (subcommands ?? []).flatMap { $0.all(under: name) }
    }

    var isLeaf: Bool { subcommands?.isEmpty ?? true }

    func takes(_ option: String) -> Bool { arguments?.contains { $0.isNamed(option) } ?? false }

    /// Some value for everything that it needs.
    var needed: [String] {
        (arguments ?? []).filter { !$0.isOptional }.flatMap { argument in
            switch argument.kind {
            case "positional": ["1"]
            case "option": option(argument.names?.last?.name ?? "")
            default: [String]()
            }
        }
    }

    private func option(_ name: String) -> [String] {
        switch name {
        case "share": ["--share", "1%"]
        case "starts", "ends": ["--" + name, "2027-01-31"]
        default: ["--" + name, "1"]
        }
    }
}
