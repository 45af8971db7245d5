import Setup
import Testing

/// What a node answers to the head of a request, before the body comes.
@Suite(.timeLimit(.minutes(5)))
struct RequestHeadTests {
    /// - From people: a request line that names another host than the header → HTTP 400; the
    ///   connection ends
    @Test func `accepts an absolute target only if it names the header's host`() async throws {
        try await TestNode.run { node in
            let own = String(node.running.api.trimmingPrefix("http://"))
            let refused = "HTTP/1.1 403 Forbidden"
            let cases = [
                ("/v1/node", own, "HTTP/1.1 200 OK"),
                ("http://\(own)/v1/node", own, "HTTP/1.1 200 OK"),
                ("http://evil.example/v1/node", own, "HTTP/1.1 400 Bad Request"),
                ("http://\(own)/v1/node", "evil.example", "HTTP/1.1 400 Bad Request"),
                ("http://evil.example/v1/node", "evil.example", refused),
                ("/v1/node", "127.0.0.1:evil", refused),
            ]
            for (target, host, status) in cases {
                let head = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
                let answer = try await said(head, to: node)
                #expect(answer.hasPrefix(status + "\r\n"), "\(target) \(host)")
            }
        }
    }

    /// - From people: a Content-Length over 256 KiB, before the body arrives; the connection ends →
    ///   body_too_large
    @Test func `refuses a body with too large a stated length before it arrives`() async throws {
        try await TestNode.run { node in
            let host = node.running.api.trimmingPrefix("http://")
            let head =
                "POST /v1/accounts HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 262145\r\n"
                + "Content-Type: application/json\r\n\r\n{"
            // The other side hangs up, although the rest never comes.
            let answer = try await said(head, to: node)
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.contains("body_too_large"))
            #expect(answer.lowercased().contains("connection: close"))
        }
    }

    /// Sends a request as it is, and returns what the node says until it hangs up.
    private func said(_ head: String, to node: TestNode) async throws -> String {
        let port = node.running.api.split(separator: ":").last.flatMap { Int($0) }
        return try await RawSocket.send(
            head.utf8,
            host: "127.0.0.1",
            port: try #require(port),
            leavesOpen: true
        )
    }
}
