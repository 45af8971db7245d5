import Answers
import Client
import NIOCore
import NIOHTTP1
import Setup
import Support
import Testing

@testable import Node

/// Which hosts and pages the API answers is no part of what Node offers, hence the testable import.
@Suite(.timeLimit(.minutes(5)))
struct OriginPolicyTests {
    private let policy = OriginPolicy(host: "192.0.2.7", allowed: ["https://shop.example:8443"])

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:8080", "LOCALHOST:80", "[::1]", "[::1]:65535", "192.0.2.7:1",
    ])
    func `accepts this machine's names, with or without a port`(host: String) throws {
        #expect(try isOwn(host: host))
    }

    @Test(arguments: ["fd00::7", "::"])
    func `accepts an IPv6 address on which it listens as its own`(host: String) throws {
        let policy = OriginPolicy(host: host, allowed: [])
        #expect(try policy.check(host: "[\(host)]:8080", origin: nil, fetchSite: nil))
    }

    @Test func `answers a host that the operator allows, but not as this machine`() throws {
        #expect(try !isOwn(host: "shop.example"))
        #expect(try !isOwn(host: "Shop.Example:8443"))
    }

    /// - From people: a Host whose port is not a number → strange_host
    @Test(arguments: [
        "127.0.0.1:evil", "127.0.0.1:80evil", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
        "127.0.0.1:80:80", "127.0.0.1:80@evil.example", "[::1]evil.example", "[::1]:x", "[::1",
        "localhost:８０", "evil.example", "127.0.0.1.evil.example", "",
    ])
    func `refuses a host whose port is not a number`(host: String) {
        #expect(throws: Refusal.self) { try isOwn(host: host) }
    }

    @Test(arguments: ["evil.example", "127.0.0.1", "127.0.0.1:81", "user@127.0.0.1:80", ""])
    func `refuses a request line that names another host than the header`(target: String) {
        for uri in ["http://\(target)/v1/node", "http://\(target)?a=/", target + "/v1"] {
            #expect(uri.hasPrefix("/") || !head(uri).namesOneHost, "\(uri)")
        }
        #expect(head("HTTP://127.0.0.1:80/v1/node").namesOneHost)
        #expect(head("/v1/node?at=http://\(target)/").namesOneHost && head("*").namesOneHost)
    }

    private func head(_ uri: String) -> HTTPRequestHead {
        HTTPRequestHead(
            version: .http1_1,
            method: .GET,
            uri: uri,
            headers: ["host": "127.0.0.1:80"]
        )
    }

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

    /// - From people: a Content-Length over 256 KiB, before any of the body comes; the connection
    ///   ends → body_too_large
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

    private func isOwn(host: String) throws -> Bool {
        try policy.check(host: host, origin: nil, fetchSite: nil)
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
