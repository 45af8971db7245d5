import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Purchases from sellers who ship to some places only, without a place.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ShipToQuestionTests {
    private let folder: TemporaryFolder
    private let document: DocumentAnswers

    init() throws {
        folder = try TemporaryFolder()
        document = try DocumentAnswers()
    }

    private static func encoded(_ value: some Encodable) -> ScriptedServer.Answer {
        let json = (try? WireCoding.encoder().encode(value)) ?? Data()
        return .json(200, String(decoding: json, as: UTF8.self))
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
        text.flatMap { try? WireCoding.decoder().decode(type, from: Data($0.utf8)) }
    }

    /// Answers as the document does, but ships to some places only.
    private static func answer(
        _ request: ScriptedServer.Request,
        _ document: DocumentAnswers,
        shipsTo places: [String]
    ) -> ScriptedServer.Answer {
        if request.method == "GET", request.uri.hasPrefix("/v1/listings/"),
            var listing = decoded(Listing.self, document.body(of: "GET listings/bicycle"))
        {
            listing.content.shipsTo = places
            return encoded(listing)
        }
        guard request.method == "POST", request.uri.hasPrefix("/v1/sales/preview"),
            var preview = decoded(ActionPreview.self, document.body(of: "POST sales/preview"))
        else { return document.good(request, 0) }
        preview.action = "buy"
        if !places.contains(where: { request.body.contains("\"shipTo\":\"\($0)\"") }) {
            let isAsked = !request.body.contains(#""shipTo""#)
            let advice = isAsked ? Sentence("refusal.giveCountry") : Sentence("refusal.notShipped")
            preview.problems = [
                Problem(
                    type: "about:blank",
                    title: "Not possible",
                    status: 409,
                    detail: "The seller ships only to \(places.joined(separator: ", ")).",
                    reason: [advice],
                    code: "shipping_not_possible",
                    field: "shipTo"
                )
            ]
        }
        return encoded(preview)
    }

    private func withNode(
        shipsTo places: [String],
        _ body: (Program, ScriptedServer) throws -> Void
    ) async throws {
        let document = document
        try await ScriptedServer.scoped(
            answer: { request, _ in Self.answer(request, document, shipsTo: places) }
        ) { node, server in
            try body(try Program.signedIn(at: node, in: folder.path("data")), server)
        }
    }

    private static func bought(_ server: ScriptedServer) -> String {
        server.requests.last { $0.method == "POST" && $0.uri.hasPrefix("/v1/sales?") }?.body ?? ""
    }

    @Test func `the only place that a seller ships to is taken`() async throws {
        try await withNode(shipsTo: ["DE"]) { stoa, server in
            let end = try stoa.run(typing: "y\n", ["sale", "buy", "bicycle"])
            #expect(end.code == 0, "\(end.words)")
            #expect(end.out.contains(" is sent to DE, the only place"), "\(end.words)")
            #expect(Self.bought(server).contains(#""shipTo":"DE""#), "\(Self.bought(server))")
        }
    }

    @Test func `a person chooses one of several places and is asked again`() async throws {
        try await withNode(shipsTo: ["DE", "AT"]) { stoa, server in
            let end = try stoa.run(typing: "\nUS\nAT\ny\n", ["sale", "buy", "bicycle"])
            #expect(end.code == 0, "\(end.words)")
            #expect(end.words.contains(" sent? The seller ships to DE; AT:"))
            #expect(end.words.contains("The seller ships only to DE, AT."), "\(end.words)")
            #expect(Self.bought(server).contains(#""shipTo":"AT""#), "\(Self.bought(server))")
        }
    }

    @Test func `a person chooses the place of a listing in the cart too`() async throws {
        try await withNode(shipsTo: ["DE", "AT"]) { stoa, server in
            let end = try stoa.run(typing: "AT\ny\n", ["cart", "checkout"])
            #expect(end.code == 0, "\(end.words)")
            #expect(end.words.contains(" sent? The seller ships to DE; AT:"), "\(end.words)")
            #expect(Self.bought(server).contains(#""shipTo":"AT""#), "\(Self.bought(server))")
        }
    }

    /// - From commands: --yes without a place, for a seller who ships to some places only → exit 10
    @Test func `no place is taken that nobody has seen`() async throws {
        try await withNode(shipsTo: ["DE"]) { stoa, server in
            let agreed = ["sale", "buy", DocumentAnswers.listing, "--price", "1 wei", "--yes"]
            let end = try stoa.run(typing: "", agreed)
            #expect(end.code == 10 && Self.bought(server).isEmpty, "\(end.words)")
        }
    }
}
