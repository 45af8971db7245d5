import Foundation
import Support
import Testing

/// Text that comes from outside, as bytes.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TextInputTests {
    private let folder: TemporaryFolder
    private let stoa: Program

    init() throws {
        folder = try TemporaryFolder()
        stoa = Program(folder: folder.path("data"))
    }

    private func refused(_ script: String, _ code: Int32, _ words: String) throws {
        let outcome = try Program.shell(script, stoa.folder)
        #expect(outcome.code == code, "\(script): \(outcome.words)")
        #expect(outcome.words.contains(words), "\(script): \(outcome.words)")
    }

    /// - From commands: a password, phrase, argument or setting that is not UTF-8; in a file → exit
    ///   2, 4
    @Test func `refuses text that is not UTF-8, says where, and adds no account`() throws {
        try stoa.withNode {
            let create = #""$0" account create ana --data "$1""#
            let stdin = "printf 'correct \\377\\n' | \(create) --password-stdin"
            try refused(stdin, 2, "The password is not UTF-8 text: byte 9 cannot stand there.")
            // What Swift would make of it is no way in either.
            let folder = folder.url.path + "/"
            for (bytes, place) in [("correct \\377horse", 9), ("\\ncorrect\\303(horse", 9)] {
                let file = folder + "password"
                let write = "umask 077; printf '\(bytes)\\n' >'\(file)'; "
                let words = "password' is not UTF-8 text: byte \(place) cannot"
                try refused(write + create + " --password-file '\(file)'", 4, words)
            }
            #expect(try stoa.run("account", "list").out.contains("No accounts"))
            let name = #"echo x | "$0" account create "$(printf 'a\355\240\200')" --data "$1""#
            try refused(name, 2, "Argument 3 is not UTF-8 text: byte 2 cannot")
        }
    }

    /// - From commands: an argument that begins with '-' and is not an option → exit 2
    @Test func `does not read text that begins with a hyphen as an option`() throws {
        for argument in ["- dash", "-hello", "-5 %", "-é", "--", "---", "--no way"] {
            let before = try stoa.run("chat", "send", "0x15fe", argument)
            #expect(before.code == 2, "\(argument): \(before.words)")
            guard argument != "--" else { continue }
            #expect(before.words.contains("after '--'"), "\(argument): \(before.words)")
        }
        // It is accepted; the command fails only because no node runs.
        let after = try Program.plain(
            ["chat", "send", "0x15fe", "--data", folder.path("none"), "--", "- dash"]
        )
        #expect(after.code != 2 && after.code != 0, "\(after.words)")
        let option = try stoa.run("listing", "create", "Lamp", "--description=- steel", "--tag=-h")
        #expect(!option.words.contains("'--'"), "\(option.words)")
    }

    /// - From commands: a setting in the environment or in `stoa.yaml` that is not UTF-8 → exit 2,
    ///   4
    @Test func `refuses a setting that is not UTF-8 and says where`() throws {
        #expect(try stoa.run("init").code == 0)
        let check = #""$0" config check --data "$1""#
        try refused(
            #"export STOA_NETWORK="$(printf 'st\377a')"; "# + check,
            2,
            "STOA_NETWORK in the environment is not UTF-8 text: byte 3 cannot"
        )
        try refused(
            #"STOA_DATA="$(printf '/tmp/\377')" "$0" config check"#,
            2,
            "STOA_DATA in the environment is not UTF-8 text: byte 6 cannot"
        )
        try refused(
            #"printf 'network: sto\377\n' >"$1/stoa.yaml"; "# + check,
            4,
            "it is not UTF-8 text: byte 13 cannot"
        )
    }
}
