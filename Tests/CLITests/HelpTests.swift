import ArgumentParser
import Testing

@testable import CLI

/// What the program says of itself.
struct HelpTests {
    @Test func `each command, argument and option states its purpose`() throws {
        let commands = try CommandTree.whole.get().all()
        #expect(commands.count > 40)
        for (name, command) in commands {
            #expect(command.abstract?.isEmpty == false, "\(name)")
            for argument in command.arguments ?? [] {
                let about = argument.abstract ?? ""
                #expect(!about.isEmpty, "\(name) \(argument.valueName ?? "?")")
            }
        }
    }

    @Test func `each command's help ends with examples that the program accepts`() throws {
        let names = try CommandTree.whole.get().all().filter {
            $0.command.subcommands?.isEmpty ?? true
        }
        .map { $0.name.split(separator: " ").dropFirst().joined(separator: " ") }
        .filter { $0 != "help" }
        let all = CommandTree.examples()
        #expect(Set(names) == Set(all.keys))
        for (name, examples) in all {
            #expect(!examples.isEmpty, "\(name)")
            for example in examples {
                let words = ShellWords.split(example)
                #expect(example.hasPrefix(name))
                #expect(throws: Never.self, "\(example)") { try Stoa.parseAsRoot(words) }
            }
        }
        let help = try Program.plain(["sale", "buy", "--help"])
        #expect(help.out.contains("EXAMPLES:\n  stoa sale buy bicycle"))
        #expect(try !Program.plain(["--version"]).out.contains("EXAMPLES"))
    }

    @Test func `each option that a command cannot do without is marked`() throws {
        let options = try CommandTree.whole.get().all().flatMap { name, command in
            (command.arguments ?? []).filter { $0.kind == "option" && !$0.isOptional }
                .map { (name, $0) }
        }
        #expect(options.count > 5)
        for (name, option) in options {
            let isMarked = option.abstract?.hasPrefix("Required. ") == true
            #expect(isMarked, "\(name) --\(option.valueName ?? "?")")
        }
    }

    @Test func `each command's help shows its own options before the common ones`() throws {
        let common = [
            "as", "json", "all-digits", "node", "token-file", "data", "version", "help",
        ]
        for (name, command) in try CommandTree.whole.get().all() {
            let options = (command.arguments ?? []).filter { $0.kind != "positional" }
            let isCommon = options.map { option in common.contains(where: option.isNamed) }
            #expect(isCommon.drop { !$0 }.allSatisfy { $0 }, "\(name)")
        }
    }

    @Test func `commands that act as no account do not take one`() throws {
        let account = "stoa account "
        let without: Set = [
            account + "create", account + "recover", account + "import", account + "add",
            account + "sign-in", account + "use", account + "password", account + "export",
            account + "reveal", account + "remove", "stoa peers list", "stoa peers connect",
        ]
        let all = try CommandTree.whole.get().all().filter { without.contains($0.name) }
        #expect(all.count == without.count)
        for (name, command) in all {
            #expect(!command.takes("as") && command.takes("node"), "\(name)")
        }
    }

    @Test func `the program's help groups its commands`() throws {
        let help = try Program.plain(["--help"]).out
        for group in ["BUY", "SELL", "MONEY", "MESSAGES", "NODE"] {
            #expect(help.contains(group + " SUBCOMMANDS:"), "\(group)")
        }
        #expect(try Program.plain(["-v"]).out == Program.plain(["--version"]).out)
    }

    /// Without one, ArgumentParser makes it of the type's name for each command on each start, which
    /// takes longer than all else that a short command does.
    @Test func `each command states its name explicitly`() {
        var commands: [any ParsableCommand.Type] = [Stoa.self]
        while let command = commands.popLast() {
            #expect(command.configuration.commandName != nil, "\(command)")
            commands += command.configuration.subcommands
        }
    }

    /// - From commands: a mistyped command → exit 2
    @Test(arguments: [
        (
            ["listng", "search", "--data", "x"],
            "'stoa' has no command 'listng'. Did you mean 'stoa listing'?"
        ),
        (
            ["sale", "by", "--nonsense"],
            "'stoa sale' has no command 'by'. Did you mean 'stoa sale buy'?"
        ),
        (["sale", "frobnicate"], "'stoa sale' has no command 'frobnicate'. It has: buy, bid,"),
        (["buy", "lamp"], "'stoa' has no command 'buy'. Did you mean 'stoa sale buy'?"),
        (["login"], "'stoa' has no command 'login'. Did you mean 'stoa account sign-in'?"),
        (["version"], "'stoa' has no command 'version'. Did you mean 'stoa --version'?"),
        (
            ["create"],
            "'stoa' has no command 'create'. Did you mean 'stoa account create' or 'stoa course "
                + "create' or 'stoa listing create'?"
        ),
        (
            ["sale", "send", "lamp"],
            "'stoa sale' has no command 'send'. Did you mean 'stoa sale transfer'?"
        ),
        (
            ["search", "bicycle", "pump"],
            "'stoa search' has no command 'bicycle'. Did you mean 'stoa listing search bicycle'?"
        ),
        (
            ["sale", "cancel", "lamp"],
            "'stoa sale' has no command 'cancel'. Did you mean 'stoa sale abort' or 'stoa sale "
                + "decline' or 'stoa sale refund'?"
        ),
        (["frobnicate"], "'stoa' has no command 'frobnicate'. See 'stoa --help'."),
        (
            ["sale", "propose", "lamp", "--share", "40"],
            "--share is in per cent: write --share 40%."
        ),
        (["sale", "rule", "lamp", "--share=4.5"], "--share is in per cent: write --share 4.5%."),
        (["item", "search"], "'stoa item' has no command 'search'. Did you mean 'stoa listing"),
    ])
    func `reports a mistyped command before it reads the options`(
        arguments: [String],
        words: String
    ) throws {
        let outcome = try Program.plain(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.words.hasPrefix("stoa: " + words), "\(outcome.words)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `prints a script that completes commands`(shell: String) throws {
        let outcome = try Program.plain(["completion", shell])
        #expect(outcome.code == 0)
        #expect(outcome.out.contains("listing") && outcome.out.contains("ship-to"))
        #expect(try Program.plain(["completion", "csh"]).code == 2)
    }

    /// - From commands: an unknown flag of any command → exit 2
    @Test func `each command shows its help and names missing arguments`() throws {
        let commands = try CommandTree.whole.get().all()
        #expect(commands.count > 150)
        for (name, _) in commands {
            let words = name.split(separator: " ").dropFirst().map(String.init)
            let help = try Self.report(of: words + ["--help"])
            #expect(help.code == .ok && help.message.contains("USAGE: \(name)"), "\(name)")
            let unknown = try Self.report(of: words + ["--none-such"])
            #expect(unknown.code == .usage && unknown.message.contains("Usage: stoa"), "\(name)")
        }
    }

    /// The end of a command that only helps, or does not run.
    private static func report(of words: [String]) throws -> ExitReport {
        let end = try #require(throws: (any Error).self) {
            var command = try Stoa.command(of: words)
            try command.run()
        }
        return ExitReport(end)
    }

    @Test(arguments: ["", "sale", "sale buy"])
    func `prints help to standard output and errors to standard error`(name: String) throws {
        let words = name.split(separator: " ").map(String.init)
        let help = try Program.plain(words + ["--help"])
        #expect(help.code == 0 && help.out.contains("USAGE: stoa \(name)") && help.words.isEmpty)
        let unknown = try Program.plain(words + ["--none-such"])
        #expect(unknown.code == 2 && unknown.words.contains("Usage: stoa") && unknown.out.isEmpty)
    }
}
