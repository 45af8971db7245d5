import Client
import Foundation
import Support
import Testing

@testable import CLI

/// The values that a shell completes.
struct CompletionTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func `scripts have the values of options and complete names of files`(shell: String) throws {
        let script = try Program.plain(["completion", shell]).out
        for value in ["escrow", "auction", "cheapest", "to_collect", "pickup"] {
            #expect(script.contains(value), "\(value)")
        }
        #expect(script.contains("---completion"))
        let files = ["bash": "file", "zsh": "_files", "fish": "-rF"][shell] ?? ""
        #expect(script.contains(files), "\(files)")
    }

    @Test func `completes the words of the account's own titles`() async throws {
        #expect(CompletionValues.words(of: ["A Red bicycle", "red, 3x"]) == ["bicycle", "red"])
        let words = ["oak", "red"]
        #expect(CompletionValues.cased(words, "Oa") == ["Oak"])
        #expect(CompletionValues.cased(words, "o") == words)
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(answer: document.good) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            for command in [["listing", "show"], ["sale", "show"]] {
                let end = try Program.plain(
                    ["---completion"] + command + ["--", "positional@0", "5", "0", "stoa"]
                        + command + ["--data", stoa.folder, ""]
                )
                #expect(end.code == 0 && end.out.contains("bicycle\n"), "\(end)")
            }
        }
    }

    @Test func `completes the names of the accounts that are signed in`() throws {
        let folder = try TemporaryFolder()
        let node = NodeAddress(host: "127.0.0.1", port: 1)
        let stoa = try Program.signedIn(at: node, in: folder.path("data"))
        let end = try Program.plain(
            ["---completion", "wallet", "balance", "--", "--as", "5", "0"]
                + ["stoa", "wallet", "balance", "--data", stoa.folder, "--as", ""]
        )
        #expect(end.code == 0 && end.out == "ana\n", "\(end)")
    }
}
