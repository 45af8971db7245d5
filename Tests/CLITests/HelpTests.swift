import Foundation
import Testing

/// What the program says of itself.
struct HelpTests {
    private struct Dump: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// Every command with its name as it is typed.
        func all(under path: String = "") -> [(name: String, command: Command)] {
            let name = path.isEmpty ? commandName : path + " " + commandName
            return [(name, self)] + (subcommands ?? []).flatMap { $0.all(under: name) }
        }
    }

    private struct Argument: Decodable {
        let valueName: String?
        let abstract: String?
    }

    @Test func `each command, argument and option says what it is for`() throws {
        let dump = try Program.plain(["--experimental-dump-help"])
        let root = try JSONDecoder().decode(Dump.self, from: Data(dump.out.utf8)).command
        let commands = root.all().filter { $0.command.commandName != "help" }
        #expect(commands.count > 40)
        for (name, command) in commands {
            #expect(command.abstract?.isEmpty == false, "\(name)")
            for argument in command.arguments ?? [] {
                let about = argument.abstract ?? ""
                #expect(!about.isEmpty, "\(name) \(argument.valueName ?? "?")")
            }
        }
    }

    @Test func `each command helps, and is told what it lacks`() throws {
        let dump = try Program.plain(["--experimental-dump-help"])
        let root = try JSONDecoder().decode(Dump.self, from: Data(dump.out.utf8)).command
        for (name, command) in root.all() where command.commandName != "help" {
            let words = name.split(separator: " ").dropFirst().map(String.init)
            let help = try Program.plain(words + ["--help"])
            #expect(help.code == 0 && help.out.contains("USAGE: \(name)"), "\(name)")
            let unknown = try Program.plain(words + ["--none-such"])
            #expect(unknown.code == 2 && unknown.words.contains("Usage: stoa"), "\(name)")
        }
    }
}
