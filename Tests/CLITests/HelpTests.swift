import Testing

/// What the program says of itself.
struct HelpTests {
    @Test func `each command, argument and option says what it is for`() throws {
        let commands = try CommandTree.read().all()
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
        for (name, _) in try CommandTree.read().all() {
            let words = name.split(separator: " ").dropFirst().map(String.init)
            let help = try Program.plain(words + ["--help"])
            #expect(help.code == 0 && help.out.contains("USAGE: \(name)"), "\(name)")
            let unknown = try Program.plain(words + ["--none-such"])
            #expect(unknown.code == 2 && unknown.words.contains("Usage: stoa"), "\(name)")
        }
    }
}
