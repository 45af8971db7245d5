import Client
import Foundation
import Support
import Testing

@testable import CLI

/// What a listing needs, what the commands ask for, and what they fill in.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ListingNeedsTests {
    private let folder: TemporaryFolder
    private let document: DocumentAnswers

    init() throws {
        folder = try TemporaryFolder()
        document = try DocumentAnswers()
    }

    private func withNode(_ body: (Program, ScriptedServer) throws -> Void) async throws {
        try await ScriptedServer.scoped(answer: document.good) { node, server in
            try body(try Program.signedIn(at: node, in: folder.path("data")), server)
        }
    }

    private static func content(_ type: String = "goods", item: String? = nil) -> ListingContent {
        let price = Money(amount: "1", currency: "native")
        return ListingContent(type: type, title: "Lamp", category: "home", price: price, item: item)
    }

    @Test func `an item without tag and identifier gets both`() {
        let one = ListingNeeds.completed(Self.content())
        #expect(one.tags == ["home"] && one.identifier.count == 20)
        #expect(one.identifier.wholeMatch(of: /item[0-9a-f]{16}/) != nil)
        #expect(one.identifier != ListingNeeds.completed(Self.content()).identifier)
        var given = Self.content()
        (given.tags, given.identifier) = (["lamp"], "7")
        #expect(ListingNeeds.completed(given) == given)
        // A token that is sold again keeps its identifier, and a work has that of its file.
        #expect(ListingNeeds.completed(Self.content(item: "1")).identifier.isEmpty)
        #expect(ListingNeeds.completed(Self.content("digital")).identifier.isEmpty)
    }

    @Test func `says how an identifier is stored`() {
        let words = ListingNeeds.stored("V 77 a")?.detail
        #expect(words?.hasPrefix("The identifier 'V 77 a' is stored as 'v77a': ") == true)
        #expect(ListingNeeds.stored("v77a") == nil && ListingNeeds.stored("독일") == nil)
    }

    @Test(arguments: [
        (
            ["course", "create"],
            "Knots\nfree\n0.05\nTen knots.\nmany\n12\n2027-01-31\n2027-02-07\ny\n",
            ["Title", "Price of a seat", "How many students", "When it ends"],
            #""tags":["course"]"#
        ),
        (
            ["listing", "create"], "Lamp\n0.5\nRed.\nhome\nship\nDE; Austria\nnone\n0\ny\n",
            ["Title", "How does the buyer get it", "Countries to which you send it"],
            #""shipsTo":["DE","Austria"]"#
        ),
        (
            ["listing", "create", "Lamp", "--price", "1", "--category", "home"],
            "Red.\ns\nby mail\npickup\nThe old bridge\nlamp.jpg\nnone\n0\ny\n",
            ["everybody can read it", "is not 'shipping' or 'pickup'", "'lamp.jpg'"],
            #""pickupPlace":"The old bridge""#
        ),
        (["review", "write", "lamp"], "6\n5\n\ny\n", ["Stars"], #""stars":5"#),
        (["review", "write", "lamp"], "5\nGood.\ny\n", ["A few words"], #""text":"Good.""#),
        (
            ["arbiter", "register"], "0.01\ny\n", ["The lowest fee"],
            #""feeMin":"10000000000000000""#
        ),
    ])
    func `asks on a terminal for what a command cannot do without`(
        command: [String],
        typed: String,
        questions: [String],
        sent: String
    ) async throws {
        try await withNode { stoa, server in
            let piped = try stoa.run(all: command)
            #expect(piped.code == 2 && piped.words.contains("Missing expected argument"))
            let asked = try stoa.run(typing: typed, command)
            #expect(asked.code == 0, "\(asked.words)")
            for question in questions { #expect(asked.words.contains(question), "\(question)") }
            let bodies = server.requests.filter { $0.method == "POST" }.map(\.body)
            #expect(bodies.contains { $0.contains(sent) }, "\(bodies)")
        }
    }

    /// - From commands: a listing without price, description or category, with nobody to ask → exit 2
    @Test func `asks on a terminal for what a listing lacks`() async throws {
        try await withNode { stoa, server in
            let create = ["listing", "create", "Lamp"]
            let piped = try stoa.run(all: create)
            #expect(piped.code == 2, "\(piped.words)")
            let options =
                "'--price <price>', '--description <description>', '--category <category>'"
            #expect(piped.words.contains("Missing expected arguments " + options))
            let typed = "0.5\nRed and bright.\nBed Room\nshipping\nall\nnone\n0\ny\n"
            let asked = try stoa.run(typing: typed, create)
            #expect(asked.code == 0, "\(asked.words)")
            #expect(asked.words.contains("Price, such as 0.5") && asked.words.contains("Category"))
            let body = server.requests.last { $0.uri.hasPrefix("/v1/listings?") }?.body ?? ""
            for part in [
                #""amount":"500000000000000000""#, #""category":"bed-room""#,
                #""tags":["bed-room"]"#, #""description":"Red and bright.""#,
                #""identifier":"item"#,
            ] {
                #expect(body.contains(part), "\(body)")
            }
            // An answer that does not fit is asked for again at once.
            let wrong = "0,5\n0.5 XYZ\n0.25\nRed.\ncourse\nhome\nshipping\nall\nnone\n0\ny\n"
            let again = try stoa.run(typing: wrong, create)
            #expect(again.code == 0, "\(again.words)")
            #expect(again.words.components(separatedBy: "Price, such as").count == 4)
            #expect(again.words.contains("The category 'course' is for courses."))
            let listed = server.requests.last { $0.uri.hasPrefix("/v1/listings?") }?.body ?? ""
            #expect(listed.contains(#""amount":"250000000000000000""#), "\(listed)")
            #expect(listed.contains(#""category":"home""#), "\(listed)")
            let ended = try stoa.run(typing: "0,5\n\u{04}", create)
            #expect(ended.code == 2 && ended.words.contains("a listing needs a price"))
            let none = try stoa.run(typing: "\n\u{04}", create)
            #expect(none.code == 2 && none.words.contains("Type a price, or Ctrl-C to end"))
            #expect(none.words.contains("a listing needs a price"))
        }
    }

    @Test func `answers are not lost if a listing is not signed`() async throws {
        try await withNode { stoa, server in
            let typed = "0.5\nRed and bright.\nhome\nship\nall\nnone\n0\n"
            let create = ["listing", "create", "Lamp"]
            let kept = try stoa.run(typing: typed + "n\ny\n", create)
            #expect(kept.code == 2 && kept.words.contains("Nothing was signed."), "\(kept.words)")
            let draft = server.requests.last { $0.method == "PUT" }
            #expect(draft?.uri == "/v1/drafts/Lamp", "\(kept.words)")
            #expect(draft?.body.contains("Red and bright.") == true)
            let count = server.requests.count { $0.method == "PUT" }
            _ = try stoa.run(typing: typed + "n\nn\n", create)
            #expect(server.requests.count { $0.method == "PUT" } == count)
        }
    }

    /// - From people: an answer that the field cannot have, at a terminal → asked again
    @Test(arguments: [
        (
            ["listing", "create"],
            "\nLamp\n0\n0.5\n\nRed.\nHome & Garden\nhome\nshipping\nall\nnone\n0\ny\n",
            [
                "Type a title, or Ctrl-C to end", "The price must be more than 0.",
                "Type a description, or Ctrl-C to end", "A category has only lower-case letters",
            ],
            #""category":"home""#
        ),
        (
            ["course", "create"],
            "\nKnots\n0\n0.05\n\nTen knots.\n0\n12\n2027-02-07\n2027-01-31\n2027-02-14\ny\n",
            [
                "Type a title, or Ctrl-C to end", "The price must be more than 0.",
                "Type a description, or Ctrl-C to end",
                "'0' is not a whole number from 1 to 10000.",
                "The course must end after its start, 2027-02-07 00:00:00Z.",
            ],
            #""title":"Knots""#
        ),
    ])
    func `a typed answer that the field cannot have is asked again`(
        command: [String],
        typed: String,
        reasons: [String],
        sent: String
    ) async throws {
        try await withNode { stoa, server in
            let end = try stoa.run(typing: typed, command)
            #expect(end.code == 0, "\(end.words)")
            for reason in reasons { #expect(end.words.contains(reason), "\(end.words)") }
            let body = server.requests.last { $0.uri.hasPrefix("/v1/listings?") }?.body ?? ""
            #expect(body.contains(sent), "\(body)")
        }
    }

    /// - From commands: a move that there is not, or more than 365 days, for the node alone → exit 2
    @Test(arguments: [["everything", "30d"], ["end", "9000d"], ["end", "0d"]])
    func `the node is left no unknown move, and none for too long`(given: [String]) async throws {
        try await withNode { stoa, server in
            let command = ["account", "unattended", "on", "ana", "--moves", given[0]]
            let end = try stoa.run(all: command + ["--until", given[1], "--password-stdin"])
            #expect(end.code == 2, "\(end.words)")
            #expect(!server.requests.contains { $0.method == "PUT" })
        }
    }

    @Test(arguments: ["none", "0", "None"])
    func `an arbiter called none means nobody, and nobody is asked`(arbiter: String) async throws {
        try await withNode { stoa, server in
            let command = [
                "listing", "create", "Lamp", "--price", "1", "--description", "Red.", "--category",
                "home", "--arbiter", arbiter,
            ]
            let end = try stoa.run(typing: "y\n", command)
            #expect(end.code == 0 && !end.words.contains("Who decides"), "\(end.words)")
            let body = server.requests.last { $0.uri.hasPrefix("/v1/listings?") }?.body ?? ""
            #expect(body.contains(#""title":"Lamp""#) && !body.contains("arbiter"), "\(body)")
        }
    }

    /// - From commands: publishing a draft that lacks something → exit 10
    @Test func `a draft that lacks something is refused with all of it`() {
        var content = Self.content()
        (content.category, content.price.amount) = ("", "0")
        let draft = Draft(name: "lamp", content: content, changedAt: Date(timeIntervalSince1970: 0))
        let refused = #expect(throws: Failure.self) { try DraftCommand.requireWhole(draft) }
        #expect(
            refused?.message == """
                The draft 'lamp' has no price and no description and no category yet. Add what is \
                missing: stoa draft edit 'lamp' --price … --description … --category …
                """
        )
    }

    /// Answers as the document does, but previews a purchase of something that is shipped.
    private static func shipped(
        _ request: ScriptedServer.Request,
        _ document: DocumentAnswers,
        problems: [Problem] = []
    ) -> ScriptedServer.Answer {
        guard request.method == "POST", request.uri.hasPrefix("/v1/sales/preview"),
            let body = document.body(of: "POST sales/preview"),
            var preview = try? WireCoding.decoder().decode(
                ActionPreview.self,
                from: Data(body.utf8)
            )
        else { return document.good(request, 0) }
        let isBid = request.body.contains(#""bid""#)
        let lacksAddress = !isBid && !request.body.contains(#""address""#)
        preview.warnings = lacksAddress ? [Sentence("preview.noAddress")] : []
        preview.explanation = isBid ? [Sentence("preview.winnerAddress")] : []
        (preview.action, preview.problems) = (isBid ? "bid" : "buy", problems)
        preview.arbiter = nil
        let json = (try? WireCoding.encoder().encode(preview)) ?? Data()
        return .json(200, String(decoding: json, as: UTF8.self))
    }

    private func withGoods(
        problems: [Problem] = [],
        _ body: (Program, ScriptedServer) throws -> Void
    ) async throws {
        let document = document
        try await ScriptedServer.scoped(
            answer: { request, _ in Self.shipped(request, document, problems: problems) }
        ) { node, server in
            try body(try Program.signedIn(at: node, in: folder.path("data")), server)
        }
    }

    /// Returns the body of the last purchase.
    private static func bought(_ server: ScriptedServer) -> String {
        server.requests.last { $0.method == "POST" && $0.uri.hasPrefix("/v1/sales?") }?.body ?? ""
    }

    @Test func `asks a buyer of goods where to send them`() async throws {
        try await withGoods { stoa, server in
            let buy = ["sale", "buy", "bicycle"]
            func address() -> String { Self.bought(server) }
            let saved = try stoa.run(typing: "y\ny\n", buy)
            #expect(saved.code == 0, "\(saved.words)")
            #expect(saved.words.contains("Send the seller your delivery address?"))
            #expect(address().contains(#""address":{}"#), "\(address())")
            let typed = try stoa.run(typing: "n\nBo, Berlin\ny\n", buy)
            #expect(typed.code == 0, "\(typed.words)")
            #expect(address().contains(#""address":{"text":"Bo, Berlin"}"#), "\(address())")
            let later = try stoa.run(typing: "n\n\ny\n", buy)
            #expect(later.code == 0 && !address().contains(#""address""#), "\(address())")
            // Nobody is asked with --yes.
            let whole = ["sale", "buy", DocumentAnswers.listing, "--price", "1 wei", "--yes"]
            let agreed = try stoa.run(typing: "", whole)
            #expect(agreed.code == 0 && agreed.out.contains("is not told where to send it"))
        }
    }

    @Test func `asks once where to send what is in a cart`() async throws {
        try await withGoods { stoa, server in
            let typed = try stoa.run(typing: "n\nBo, Berlin\ny\n", ["cart", "checkout"])
            #expect(typed.code == 0, "\(typed.words)")
            #expect(typed.words.components(separatedBy: "Where should the seller").count == 2)
            #expect(Self.bought(server).contains(#""address":{"text":"Bo, Berlin"}"#))
        }
    }

    /// - From commands: a purchase of goods for a country that the seller does not ship to → exit 10
    @Test func `a country is refused before anybody types an address`() async throws {
        let problem = Problem(
            type: "about:blank",
            title: "Not possible",
            status: 409,
            detail: "The seller ships only to DE.",
            code: "shipping_not_possible"
        )
        try await withGoods(problems: [problem]) { stoa, server in
            for command in [
                ["sale", "buy", "bicycle", "--ship-to", "US"],
                ["sale", "bid", "auction", "0.5", "--ship-to", "US"],
                ["cart", "checkout", "--ship-to", "US"],
            ] {
                let end = try stoa.run(typing: "y\ny\n", command)
                #expect(end.code == 10 && end.words.contains("ships only to DE"), "\(end.words)")
                #expect(!end.words.contains("delivery address"), "\(end.words)")
            }
            #expect(Self.bought(server).isEmpty)
        }
    }

    @Test func `asks a bidder for an address that no bid carries`() async throws {
        let document = document
        try await ScriptedServer.scoped(
            answer: { request, _ in
                guard request.method == "GET", request.uri.hasPrefix("/v1/address") else {
                    return Self.shipped(request, document)
                }
                return .json(200, "{}")
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let bid = ["sale", "bid", "auction", "0.5"]
            let end = try stoa.run(typing: "Bo, Berlin\ny\n", bid)
            #expect(end.code == 0 && end.words.contains("If you win"), "\(end.words)")
            let saved = server.requests.last { $0.method == "PUT" }
            #expect(saved?.body.contains(#""text":"Bo, Berlin""#) == true)
            #expect(!Self.bought(server).contains("address"))
        }
        // The document's account has saved one.
        try await withGoods { stoa, _ in
            let end = try stoa.run(typing: "y\n", ["sale", "bid", "auction", "0.5"])
            #expect(end.code == 0 && !end.words.contains("If you win"), "\(end.words)")
        }
    }
}
