import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Texts that are shown around accounts, settings and wrong numbers.
struct AccountTextTests {
    @Test func `the words of a phrase are numbered, four in a row`() throws {
        let time = Date(timeIntervalSince1970: 0)
        let account = Account(name: "ana", address: "0x1", createdAt: time, isUnlocked: true)
        let phrase = "one two three four five six seven eight nine ten eleven twelve"
        let created = CreatedAccount(account: account, phrase: phrase)
        let text = AccountText.created(created)
        let rows = """
                 1 one      2 two      3 three    4 four
                 5 five     6 six      7 seven    8 eight
                 9 nine    10 ten     11 eleven  12 twelve

            """
        #expect(text.hasSuffix(rows), "\(text)")
    }

    @Test func `a bid shows who is the highest so far, and no buyer`() {
        let sale = ActionPreview.PreviewedSale(
            id: "0x5a1e",
            title: "Lamp",
            others: [
                ActionPreview.Party(role: "seller", account: "0x1"),
                ActionPreview.Party(role: "buyer", account: "0x2"),
            ]
        )
        var preview = ActionPreview(action: "bid", subject: "0x5a1e", summary: [])
        preview.sale = sale
        let text = PreviewText.text(preview)
        #expect(text.contains("  highest 0x2, so far") && !text.contains("buyer"), "\(text)")
        preview.action = "dispute"
        #expect(PreviewText.text(preview).contains("  buyer   0x2"))
    }

    /// - From commands: a negative amount → exit 2
    @Test func `a negative amount is refused as such`() throws {
        let end = try Program.plain(["wallet", "send", "bo", "-1"])
        #expect(end.code == 2 && end.words.hasPrefix("stoa: '-1' is below zero"), "\(end.words)")
        let option = try Program.plain(["listing", "search", "--price-max", "-1", "--none-such"])
        #expect(
            option.code == 2 && option.words.hasPrefix("stoa: Unknown option"),
            "\(option.words)"
        )
    }

    @Test func `settings are shown with their meaning, and a folder of a node is one`() throws {
        let folder = try TemporaryFolder()
        let stoa = Program(folder: folder.path("data"))
        #expect(try stoa.run("init").out.hasPrefix("Created"))
        #expect(try stoa.run("init").out.contains("exists already. To join a market"))
        try Data("network: other\n".utf8).write(to: URL(filePath: stoa.folder + "/stoa.yaml"))
        let again = try stoa.run("init").out
        #expect(again.contains("Start the node with 'stoa node run"), "\(again)")
        let shown = try stoa.run("config", "show", "--explain")
        #expect(
            shown.out.contains(
                """
                homes.accept: none, from default
                    Who may make this node a home for mail: none or anyone.
                """
            ),
            "\(shown.out)"
        )
        #expect(try stoa.run("config", "show", "--explain", "--json").out.contains(#""meaning""#))
        #expect(try !stoa.run("config", "show", "--json").out.contains(#""meaning""#))
    }

    @Test func `leaving other moves to the node says which it replaces`() throws {
        let day = try #require(DurationText(argument: "1d"))
        let earlier = UnattendedMoves(moves: ["claim"], until: Date(timeIntervalSince1970: 0))
        let meaning = UnattendedText.meaning(of: "end", for: day, "ana", replacing: earlier)
        #expect(
            meaning.hasPrefix("This replaces: claim until 1970-01-01 00:00:00Z.\nThe node keeps")
        )
        let first = UnattendedText.meaning(of: "end", for: day, "ana")
        #expect(first.hasPrefix("The node keeps the key of ana"))
    }

    @Test func `a damaged key of an account left alone is shown with a remedy`() {
        let damaged = UnattendedMoves(moves: [], isDamaged: true)
        let text = UnattendedText.text(damaged, "ana")
        #expect(text.hasPrefix("While nobody is signed in to ana, the node makes no move for it."))
        #expect(text.contains("damaged or was changed. Allow the moves again with 'stoa account"))
        #expect(UnattendedText.words(damaged) == "nothing, because its file is damaged")
        let account = Account(
            name: "ana",
            address: "0x1",
            createdAt: Date(timeIntervalSince1970: 0),
            isUnlocked: false,
            unattended: damaged
        )
        #expect(AccountText.list([account]).contains("nothing, because its file is damaged"))
    }

    @Test func `several meanings of a title stand one in a line, with short ids`() {
        let id = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed." + String(repeating: "0f", count: 32)
        func match(_ title: String, _ author: String) -> Sentence {
            Sentence("match.saved", ["id": id, "title": title, "author": author])
        }
        let reason = [
            Sentence("refusal.matchesSeveral", ["text": "'mug'"]), match("'Mug'", "0x1"),
            match("'Blue mug'", "0x2"), Sentence("refusal.matchesOthers"),
            Sentence("refusal.giveID"),
        ]
        let problem = Problem(
            type: "",
            title: "",
            status: 409,
            detail: reason.detail,
            reason: reason,
            code: ProblemCode.ambiguousID.rawValue
        )
        #expect(
            ProblemText.words(problem) == """
                'mug' matches several:
                    0f0f0f0f ('Mug' of 0x1).
                    0f0f0f0f ('Blue mug' of 0x2).
                There are others.
                Give the id, or more of it.
                """
        )
    }
}
