import Foundation
import Support
import Testing

/// Commands that call no node, with `--json`.
@Suite(.timeLimit(.minutes(2)))
struct LocalJSONTests {
    @Test func `commands of a data folder answer in JSON`() throws {
        let folder = try TemporaryFolder()
        let stoa = Program(folder: folder.path("data"))
        let made = try Self.object(stoa.run("init", "--json"))
        #expect(made["folder"] as? String == folder.path("data"))
        #expect(made["isNew"] as? Bool == true)
        #expect(try Self.object(stoa.run("init", "--json"))["isNew"] as? Bool == false)
        let checked = try Self.object(stoa.run("config", "check", "--json"))
        #expect(checked["isValid"] as? Bool == true)
    }

    @Test(arguments: [
        ["cluster", "up"], ["cluster", "down"], ["cluster", "fund", "ana"], ["cluster", "status"],
        ["store", "export", "copy"], ["store", "import", "copy"], ["chain", "deploy"],
    ])
    func `each other command with an answer takes the option`(command: [String]) throws {
        let help = try Program.plain(Array(command.prefix(2)) + ["--help"])
        #expect(help.out.contains("--json"), "\(command)")
    }

    private static func object(_ outcome: Program.Outcome) throws -> [String: Any] {
        #expect(outcome.code == 0, "\(outcome.words)")
        let value = try JSONSerialization.jsonObject(with: Data(outcome.out.utf8))
        return try #require(value as? [String: Any])
    }
}
