import NIOHTTP1
import Support
import Testing

/// `HEAD`, which asks what `GET` would say.
@Suite(.timeLimit(.minutes(5)))
struct HeadTests {
    @Test func `answers HEAD like GET, but without a body`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            for path in ["node", "openapi.json", "nothing", "sales"] {
                let got = try await node.call(.GET, path)
                let head = try await node.call(.HEAD, path)
                #expect(head.status == got.status, "\(path)")
                #expect(head.body.isEmpty && !got.body.isEmpty, "\(path)")
                #expect(
                    head.headers.first(name: "content-type")
                        == got.headers.first(name: "content-type")
                )
            }
            // On the same connection, on which a body would be taken for the next answer.
            #expect(try await node.call(.GET, "node").status == 200)
            let posts = try await node.call(.HEAD, "accounts/x/remove")
            #expect(posts.status == 405 && posts.headers.first(name: "allow") == "POST")
        }
    }
}
