import Answers
import Client
import NIOHTTP1
import Testing

@testable import NodeAPI

/// Which hosts and pages are answered is no part of what NodeAPI offers, hence the testable import.
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

    @Test(arguments: [
        ("https://shop.example:8443", "shop.example:8443", true),
        ("https://Shop.Example:8443", "SHOP.example:8443", true),
        ("https://shop.example:8443", "shop.example", false),
        ("https://shop.example:8443", "127.0.0.1:8080", false),
        ("https://shop.example:8443", "192.0.2.7:8443", false),
        ("https://shop.example", "shop.example", false),
        ("http://shop.example:8443", "shop.example:8443", false),
        ("http://127.0.0.1:8080", "127.0.0.1:8080", true),
        ("http://127.0.0.1", "127.0.0.1:80", true),
        ("http://127.0.0.1:1", "127.0.0.1:8080", false),
    ])
    func `a page is the node's own if the host is that of its origin`(
        origin: String,
        host: String,
        isOwn: Bool
    ) {
        var head = head("/v1/events")
        head.headers = ["host": host, "origin": origin]
        #expect(policy.isOwnPage(RequestHead(head)) == isOwn)
    }

    @Test func `the default port of an allowed origin may be named or not`() {
        let policy = OriginPolicy(host: "127.0.0.1", allowed: ["https://shop.example"])
        for host in ["shop.example", "shop.example:443"] {
            var head = head("/v1/events")
            head.headers = ["host": host, "origin": "https://shop.example"]
            #expect(policy.isOwnPage(RequestHead(head)), "\(host)")
        }
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

    private func isOwn(host: String) throws -> Bool {
        try policy.check(host: host, origin: nil, fetchSite: nil)
    }
}
