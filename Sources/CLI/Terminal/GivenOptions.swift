import ArgumentParser
import Foundation
import Setup

/// The options on a command line, compared with those that the command has.
struct GivenOptions {
    /// The options of a command, as ArgumentParser describes them.
    private struct Description: Decodable {
        struct Command: Decodable { let arguments: [Argument]? }
        struct Argument: Decodable {
            struct Name: Decodable { let name: String }

            /// `positional`, `option` or `flag`.
            let kind: String
            let isRepeating: Bool
            let names: [Name]?
        }

        let command: Command
    }

    /// The maximum number of edits between a mistyped option and the suggested one.
    private static let typingErrorsMax = 2

    /// The options that a person can mean by words that other programs, or other commands, use.
    private static let synonyms: [String: [String]] = [
        "account": ["as"], "amount": ["price"], "category": ["categories"],
        "country": ["ships-to", "ship-to"], "directory": ["folder", "data"],
        "file": ["media", "out"],
        "from": ["as"], "image": ["media"], "images": ["media"], "message": ["note", "text"],
        "output": ["out"], "photo": ["media"], "picture": ["media"], "pictures": ["media"],
        "reason": ["note", "text"], "save": ["out"], "text": ["description", "note"],
        "user": ["as"],
    ]

    private let path: CommandPath
    /// The names of the long options that were given, without the dashes and values.
    private let names: [String]
    /// The first number below zero that is not the value of an option.
    private let negative: String?
    /// The option of a share whose value lacks the sign of per cent, and the value.
    private let bareShare: (option: String, value: String)?

    /// The options whose values are shares, see ``ShareText``.
    private static let shares = ["share", "min-increment", "platform-fee", "maker-fee"]

    init(_ arguments: [String], of path: CommandPath) {
        self.path = path
        names = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.dropFirst(2).prefix { $0 != "=" }) }
        let pairs = arguments.flatMap { word in
            word.hasPrefix("--")
                ? word.split(separator: "=", maxSplits: 1).map(String.init) : [word]
        }
        bareShare = zip(pairs, pairs.dropFirst()).first { option, value in
            Self.shares.contains { "--" + $0 == option } && Double(value) != nil
        }.map { (option: $0, value: $1) }
        negative =
            zip(arguments, arguments.dropFirst()).first { before, word in
                !before.hasPrefix("--") && word.hasPrefix("-") && Double(word) != nil
            }?.1
    }

    /// Refuses an option that is given twice but takes one value: the last one would count, and it
    /// may be a price.
    ///
    /// - Throws: ``Failure`` that names the option.
    func checkRepeats() throws {
        let repeated = Set(names.filter { name in names.count(where: { $0 == name }) > 1 })
        guard !repeated.isEmpty else { return }
        for option in try options() where option.kind == "option" && !option.isRepeating {
            guard let name = option.names?.map(\.name).first(where: repeated.contains) else {
                continue
            }
            throw Failure(.usage, "--\(name) is given twice. Give it once.")
        }
    }

    /// The failure for a number that no command takes, or a share without its sign, and what helps;
    /// `nil` for none.
    var advice: Failure? {
        if let (option, value) = bareShare, negative == nil {
            return Failure(.usage, "\(option) is in per cent: write \(option) \(value)%.")
        }
        return negative.map {
            Failure(
                .usage,
                "'\($0)' is below zero; no command takes such a number here. Write it without the "
                    + "'-'."
            )
        }
    }

    /// The failure for the first option that the command does not have; `nil` if it has all.
    ///
    /// ArgumentParser names a missing argument first, even if a mistyped option was meant to give
    /// it.
    func unknown() throws -> Failure? {
        let known = try Self.names(of: options())
        guard let name = names.first(where: { !known.contains($0) }) else { return nil }
        let command = (["stoa"] + path.words).joined(separator: " ")
        let nearest = nearestName(to: name, among: known).flatMap {
            editDistance(name, $0) <= Self.typingErrorsMax ? $0 : nil
        }
        let meant = Self.synonyms[name]?.first(where: known.contains) ?? nearest
        let near = meant.map { "Did you mean '--\($0)'? " } ?? ""
        return Failure(
            .usage,
            "'\(command)' has no option '--\(name)'. \(near)See '\(command) --help'.\nUsage: "
                + Stoa.usageString(for: path.command)
        )
    }

    /// The names of the options that the command has; none for one that has subcommands, whose
    /// description takes seconds.
    var known: [String] {
        guard path.command.configuration.subcommands.isEmpty else { return [] }
        return (try? Self.names(of: options())) ?? []
    }

    private static func names(of options: [Description.Argument]) -> [String] {
        options.filter { $0.kind != "positional" }.flatMap { ($0.names ?? []).map(\.name) }
    }

    private func options() throws -> [Description.Argument] {
        let text = path.command._dumpHelp()
        return try JSONDecoder().decode(Description.self, from: Data(text.utf8)).command.arguments
            ?? []
    }
}
