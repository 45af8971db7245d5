import Client
import NIOHTTP1
import Testing

/// The end of sessions, over the API.
@Suite(.timeLimit(.minutes(5)))
struct SessionEndTests {
    @Test func `one session ends all of its account's, and locks the key`() async throws {
        try await TestNode.run { node in
            for name in ["ana", "bo"] {
                let body = #"{"name":"\#(name)","password":"correct horse"}"#
                #expect(try await node.call(.POST, "accounts", body: body).status == 201)
            }
            func signedIn(_ name: String) async throws -> String {
                let body = #"{"account":"\#(name)","password":"correct horse"}"#
                let session: Session = try await node.call(.POST, "sessions", body: body).read()
                return session.token
            }
            let tokens = [try await signedIn("ana"), try await signedIn("ana")]
            let other = try await signedIn("bo")
            let path = "sessions/current?everySession=true"
            #expect(try await node.call(.DELETE, path, token: tokens[1]).status == 204)
            for (token, status) in [(tokens[0], 401), (tokens[1], 401), (other, 200)] {
                let answer = try await node.call(.GET, "sessions/current", token: token)
                #expect(answer.status == status)
            }
            let accounts: [Account] = try await node.call(.GET, "accounts").read()
            #expect(accounts.filter(\.isUnlocked).map(\.name) == ["bo"])
        }
    }
}
