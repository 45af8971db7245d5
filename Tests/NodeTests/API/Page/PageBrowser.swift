import Client
import NIOHTTP1
import Setup
import Testing

/// A browser that shows the page of a node: it names the page's origin, and keeps the cookie.
struct PageBrowser {
    let node: TestNode
    /// The name and the value of the cookie, as `Cookie` has them.
    var cookie: String?

    var origin: String { node.running.api }

    /// Signs in on the page, and keeps the cookie of the answer.
    mutating func signIn(_ name: String) async throws -> Session {
        let credentials = #"{"name":"\#(name)","password":"correct horse"}"#
        _ = try await node.call(.POST, "accounts", body: credentials)
        let body = #"{"account":"\#(name)","password":"correct horse","isPage":true}"#
        let answer = try await call(.POST, "sessions", body: body)
        #expect(answer.status == 201)
        cookie = try Self.cookie(of: answer)
        return try answer.read()
    }

    /// Returns the cookie that an answer sets, as a request has it.
    static func cookie(of answer: TestNode.Answer) throws -> String {
        let field = try #require(answer.headers.first(name: "set-cookie"))
        return String(field.prefix { $0 != ";" })
    }

    /// Calls with the origin and the cookie, and with a token if there is one.
    func call(
        _ method: HTTPMethod,
        _ path: String,
        body: String? = nil,
        token: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> TestNode.Answer {
        var fields = ["origin": origin, "sec-fetch-site": "same-origin"]
        fields["cookie"] = cookie
        return try await node.call(
            method,
            path,
            body: body,
            token: token,
            headers: fields.merging(headers) { $1 }
        )
    }

    /// The head of a request for events over a WebSocket.
    func upgrade(as account: String? = nil, origin: String? = nil) -> String {
        let query = account.map { "?as=" + $0 } ?? ""
        return "GET /v1/events\(query) HTTP/1.1\r\nhost: \(self.origin.dropFirst(7))\r\n"
            + "origin: \(origin ?? self.origin)\r\n"
            + (cookie.map { "cookie: \($0)\r\n" } ?? "")
            + "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
            + "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    }
}
