import Client
import Support
import Testing

@testable import CLI

/// The order of a search that is saved.
struct SearchOrderTests {
    @Test func `a saved search is shown in the order that it was saved with`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let saved = """
            [{"name":"old","since":"2026-01-01T00:00:00Z","terms":{"sort":"oldest","text":"lamp"}},
            {"name":"any","since":"2026-01-01T00:00:00Z","terms":{"text":"lamp"}}]
            """
        try await ScriptedServer.scoped(
            answer: { request, place in
                request.uri == "/v1/searches"
                    ? .json(200, saved) : document.good(request, place)
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            for (name, sort) in [("old", "oldest"), ("any", "newest")] {
                #expect(try stoa.run("search", "run", name).code == 0)
                let last = server.requests.last { $0.uri.hasPrefix("/v1/listings?") }
                #expect(last?.uri.contains("sort=\(sort)") == true, "\(name)")
            }
            let list = try stoa.run("search", "list").out
            #expect(list.contains("lamp, oldest first"), "\(list)")
            let end = try stoa.run(all: [
                "search", "save", "--name", "near", "lamp", "--near", "1,2", "--sort", "nearest",
            ])
            #expect(end.code == 0, "\(end.words)")
            let body = server.requests.last { $0.uri == "/v1/searches/near" }?.body ?? ""
            #expect(body.contains(#""sort":"nearest""#) && body.contains(#""near":"#), "\(body)")
        }
    }
}
