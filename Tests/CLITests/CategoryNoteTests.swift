import Client
import Foundation
import Support
import Testing
import Texts

@testable import CLI

/// Notes on categories that the node does not show.
@Suite(.timeLimit(.minutes(2)))
struct CategoryNoteTests {
    private static let known = [
        ListingCategory(id: "sports", name: Sentence("category.sports"), listings: 0),
        ListingCategory(id: "home", name: Sentence("category.home"), listings: 2),
        ListingCategory(id: "kites", name: nil, listings: 1),
    ]

    static let notes: [(category: String, near: String?)] = [
        ("sports", nil), ("kites", nil), ("bycicles", "'sports' (Sports and bicycles)?"),
        ("sprots", "'sports' ("), ("kite", "'kites'? It"), ("boats", ""),
        ("hmoe", "'home' ("), ("ho", ""),
    ]

    @Test(arguments: CategoryNoteTests.notes)
    func `notes a category that no listing has, with a similar one`(
        category: String,
        near: String?
    ) {
        let note = CategoryNote.text(category, among: Self.known)
        guard let near else {
            #expect(note == nil)
            return
        }
        let words = near.isEmpty ? " It is taken as it is" : " Did you mean " + near
        let head = "No listing here has the category '\(category)'."
        #expect(note?.hasPrefix(head + words) == true, "\(note ?? "")")
    }

    @Test func `lists, edits and drafts with a new category say so first`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let known = String(decoding: try WireCoding.encoder().encode(Self.known), as: UTF8.self)
        try await ScriptedServer.scoped(
            answer: { request, place in
                request.uri == "/v1/categories"
                    ? .json(200, known) : document.good(request, place)
            }
        ) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let create = ["listing", "create", "Lamp", "--price", "1", "--description", "Red."]
            let given = ["--category", "Bycicles"]
            let note = "No listing here has the category 'bycicles'. Did you mean 'sports'"
            for command in [
                create + given + ["--yes"], ["listing", "edit", "lamp", "--yes"] + given,
                ["draft", "edit", "lamp"] + given,
            ] {
                let end = try stoa.run(all: command)
                #expect(end.code == 0 && end.out.hasPrefix(note), "\(end)")
            }
            let usual = try stoa.run(all: create + ["--category", "home", "--yes"])
            #expect(usual.code == 0 && !usual.out.contains("No listing here"), "\(usual)")
            let json = try stoa.run(all: create + given + ["--yes", "--json"])
            #expect(json.code == 0 && json.out.hasPrefix("{"), "\(json)")
        }
    }

    @Test func `the examples have categories that each node shows`() {
        let named = SentencePatterns.english.values(in: "category")
        let examples = CommandTree.examples().values.joined().map(ShellWords.split)
        let used = examples.flatMap { words in
            zip(words, words.dropFirst()).filter { $0.0 == "--category" }.map(\.1)
        }
        #expect(used.count > 2 && used.allSatisfy(named.contains), "\(used)")
    }
}
