import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Notes that come with moves.
@Suite(.timeLimit(.minutes(2)))
struct SaleMovesTests {
    @Test func `asks a seller on a terminal for the number of the parcel`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let text = { (sale: Sale) in
            String(decoding: try WireCoding.encoder().encode(sale), as: UTF8.self)
        }
        let open = try text(NextStepTests.sale("paid", ["transfer"]))
        let over = try text(NextStepTests.sale("complete"))
        try await ScriptedServer.scoped(
            answer: { request, place in
                switch request.uri {
                case "/v1/sales/lamp": .json(200, open)
                case "/v1/sales/over": .json(200, over)
                default: document.good(request, place)
                }
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            func note(of command: [String], typing text: String) throws -> (Bool, String) {
                let end = try stoa.run(typing: text, ["sale", "transfer"] + command)
                #expect(end.code == 0, "\(end.words)")
                let body = server.requests.last { $0.uri.contains("/moves?") }?.body ?? ""
                return (end.words.contains("A note for the buyer"), body)
            }
            let typed = try note(of: ["lamp"], typing: "DHL 0034\ny\n")
            #expect(typed.0 && typed.1.contains(#""note":"DHL 0034""#), "\(typed)")
            let none = try note(of: ["lamp"], typing: "\ny\n")
            #expect(none.0 && none.1.contains("transfer") && !none.1.contains("note"), "\(none)")
            let given = try note(of: ["lamp", "--note", "UPS 7"], typing: "y\n")
            #expect(!given.0 && given.1.contains(#""note":"UPS 7""#), "\(given)")
            for command in [["lamp", "--yes"], ["over", "--yes"]] {
                #expect(try !note(of: command, typing: "").0)
            }
            #expect(try !note(of: ["over"], typing: "y\n").0)
        }
    }

    @Test func `asks who disputes on a terminal what is wrong`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let text = { (sale: Sale) in
            String(decoding: try WireCoding.encoder().encode(sale), as: UTF8.self)
        }
        let open = try text(NextStepTests.sale("transferred", ["dispute"]))
        let disputed = try text(NextStepTests.sale("disputed", ["propose"]))
        try await ScriptedServer.scoped(
            answer: { request, place in
                switch request.uri {
                case "/v1/sales/lamp": .json(200, open)
                case "/v1/sales/over": .json(200, disputed)
                default: document.good(request, place)
                }
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let typed = try stoa.run(typing: "Broken\ny\n", ["sale", "dispute", "lamp"])
            #expect(typed.code == 0 && typed.words.contains("What is wrong"), "\(typed.words)")
            let body = server.requests.last { $0.uri.contains("/moves?") }?.body ?? ""
            #expect(body.contains(#""note":"Broken""#), "\(body)")
            let again = try stoa.run(typing: "y\n", ["sale", "dispute", "over"])
            #expect(!again.words.contains("What is wrong"), "\(again.words)")
        }
    }

    @Test func `tells the buyer of a direct sale that it was sent, without a move`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        var sale = NextStepTests.sale("sold", stage: "over", isLate: true)
        sale.isToBeSent = true
        let id = sale.id
        let sold = String(decoding: try WireCoding.encoder().encode(sale), as: UTF8.self)
        try await ScriptedServer.scoped(
            answer: { request, place in
                ["/v1/sales/lamp", "/v1/sales/\(id)"].contains(request.uri)
                    ? .json(200, sold) : document.good(request, place)
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let end = try stoa.run(typing: "DHL 0034\ny\n", ["sale", "transfer", "lamp"])
            #expect(end.code == 0 && end.out.contains("The buyer is told"), "\(end)")
            let told = server.requests.filter { $0.uri == "/v1/sales/\(id)/sent" }
            #expect(told.map(\.method) == ["PUT"])
            #expect(told.first?.body.contains(#""note":"DHL 0034""#) == true)
            #expect(!server.requests.contains { $0.uri.contains("/moves") })
            let dry = try stoa.run("sale", "transfer", "lamp", "--dry-run")
            #expect(dry.out.contains("encrypted, that it was sent."), "\(dry)")
            #expect(server.requests.count { $0.uri.hasSuffix("/sent") } == 1)
        }
    }

    @Test func `tells the buyer of a direct sale that it can be picked up`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let sale = NextStepTests.sale("sold", stage: "over", isLate: true)
        let sold = String(decoding: try WireCoding.encoder().encode(sale), as: UTF8.self)
        let listing = (document.body(of: "GET listings/lamp") ?? "")
            .replacing(#""delivery":"shipping""#, with: #""delivery":"pickup""#)
        try await ScriptedServer.scoped(
            answer: { request, place in
                if request.uri.hasPrefix("/v1/listings/") { return .json(200, listing) }
                return ["/v1/sales/lamp", "/v1/sales/\(sale.id)"].contains(request.uri)
                    ? .json(200, sold) : document.good(request, place)
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let words = ["sale", "transfer", "lamp", "--note", "From six on"]
            let end = try stoa.run(typing: "y\n", words)
            #expect(end.code == 0 && end.words.contains("Tell the buyer?"), "\(end.words)")
            #expect(end.out.contains("The buyer is told that it is ready"), "\(end)")
            let told = server.requests.last { $0.uri == "/v1/sales/\(sale.id)/sent" }
            #expect(told?.body.contains(#""note":"From six on""#) == true)
        }
    }

    @Test func `the node refuses what was sent already before anything is asked`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let sale = NextStepTests.sale("sold", stage: "over", isLate: true)
        let sold = String(decoding: try WireCoding.encoder().encode(sale), as: UTF8.self)
        let refusal = """
            {"type":"urn:stoa:problem:not_allowed","title":"Not allowed","status":403,\
            "detail":"You have told the buyer already.","code":"not_allowed"}
            """
        try await ScriptedServer.scoped(
            answer: { request, place in
                switch request.uri {
                case "/v1/sales/lamp": .json(200, sold)
                case "/v1/sales/\(sale.id)/sent": .json(403, refusal)
                default: document.good(request, place)
                }
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let words = ["sale", "transfer", "lamp", "--note", "DHL 0034"]
            let end = try stoa.run(typing: "y\n", words)
            #expect(end.code == ExitReport.Code.notAllowed.rawValue, "\(end.words)")
            #expect(end.words.contains("You have told the buyer already."), "\(end.words)")
            #expect(!end.words.contains("Tell the buyer?"), "\(end.words)")
            _ = try stoa.run(all: words + ["--dry-run"])
            #expect(server.requests.count { $0.uri.hasSuffix("/sent") } == 1)
        }
    }

    /// - From commands: a move or a review with `--yes` by words that match several sales → exit 2
    @Test func `words that match several sales need a question or the whole title`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let problem = """
            {"type":"about:blank","title":"x","status":409,"code":"ambiguous_id","detail":"Several."}
            """
        try await ScriptedServer.scoped(
            answer: { request, place in
                request.uri == "/v1/sales/bicycle" && request.method == "GET"
                    ? .json(409, problem) : document.good(request, place)
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            for command in [
                ["sale", "confirm", "bicycle"], ["review", "write", "bicycle", "--stars", "4"],
            ] {
                let end = try stoa.run(all: command + ["--yes"])
                #expect(end.code == 2 && end.words.contains("Several."), "\(end)")
                let asked = try stoa.run(typing: "y\n", command)
                #expect(asked.code == 0, "\(asked.words)")
            }
            let whole = try stoa.run("sale", "confirm", "red bicycle", "--yes")
            #expect(whole.code == 0, "\(whole.words)")
        }
    }
}
