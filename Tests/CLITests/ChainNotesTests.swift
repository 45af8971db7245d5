import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Words about a chain that cannot be followed.
struct ChainNotesTests {
    private static func chain(_ health: String, detail: String? = nil) -> ChainStatus {
        ChainStatus(
            chain: 31_337,
            health: health,
            detail: detail,
            head: 7,
            headTime: Date(timeIntervalSince1970: 1_800_000_000),
            item: "0x1",
            contracts: []
        )
    }

    @Test func `tells once that a chain is away, and once that it is back`() {
        var notes = ChainNotes()
        #expect(notes.news(of: [Self.chain("ready")]).isEmpty)
        let away = Self.chain("unreachable", detail: "no answer")
        #expect(
            notes.news(of: [away]) == [
                "Chain 31337 cannot be reached: no answer. Its last known block is of "
                    + "2027-01-15 08:00:00Z."
            ]
        )
        #expect(notes.news(of: [away]).isEmpty && notes.news(of: []).isEmpty)
        #expect(notes.news(of: [Self.chain("ready")]) == ["Chain 31337 can be followed again."])
        let other = ChainNotes.text(Self.chain("wrong_chain"))
        #expect(other?.hasPrefix("Chain 31337 is another one than the market's.") == true)
    }

    @Test func `a sale on a chain that is away is shown with that`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(
            answer: { request, place in
                guard request.uri == "/v1/chains", let chains = document.body(of: "GET chains")
                else { return document.good(request, place) }
                return .json(200, chains.replacing(#""ready""#, with: #""unreachable""#))
            }
        ) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            for command in ["show", "watch"] {
                let end = try stoa.run("sale", command, command == "show" ? "bicycle" : "over")
                #expect(end.code == 0, "\(end.words)")
                let isTold = end.out.contains("warning    Chain 1 cannot be reached")
                // What is over needs no chain.
                #expect(isTold == (command == "show"), "\(end.out)")
            }
        }
    }
}
