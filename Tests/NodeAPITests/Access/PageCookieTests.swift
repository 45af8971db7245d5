import NIOHTTP1
import Testing

@testable import NodeAPI

/// The cookie is no part of what NodeAPI offers, hence the testable import.
struct PageCookieTests {
    private static let peer = "16Uiu2HAmAbcdefgh"

    private static func cookie(
        _ text: String? = nil,
        origin: String? = nil,
        host: String = "127.0.0.1:8080"
    ) -> PageCookie {
        var headers: HTTPHeaders = ["host": host]
        if let text { headers.add(name: "cookie", value: text) }
        if let origin { headers.add(name: "origin", value: origin) }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers)
        return PageCookie(of: peer, in: RequestHead(head))
    }

    @Test(arguments: [
        "http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080",
        "https://shop.example",
    ])
    func `is bound to its host on this machine and over TLS`(origin: String) {
        let text = Self.cookie(origin: origin).field("12ab")
        #expect(
            text == "__Host-stoa-Abcdefgh=12ab; Path=/; HttpOnly; SameSite=Strict; Secure"
        )
    }

    @Test func `has neither prefix nor Secure on plain HTTP elsewhere`() {
        let cookie = Self.cookie(origin: "http://192.0.2.7:8080", host: "192.0.2.7:8080")
        #expect(cookie.field("12ab") == "stoa-Abcdefgh=12ab; Path=/; HttpOnly; SameSite=Strict")
    }

    @Test func `ends at once if it has no value`() {
        #expect(Self.cookie().field(nil).hasSuffix("; Secure; Max-Age=0"))
    }

    @Test func `is found by its whole name among other cookies`() {
        let others = "a=1; __Host-stoa-bcdefghi=2; xstoa-Abcdefgh=3"
        #expect(Self.cookie(others).value == nil)
        #expect(Self.cookie(others + "; __Host-stoa-Abcdefgh=4; b=5").value == "4")
        #expect(Self.cookie("__Host-stoa-Abcdefgh=4").value == "4")
        #expect(Self.cookie().value == nil)
    }

    @Test func `is not read without its prefix if it was set with one`() {
        let plain = "stoa-Abcdefgh=4"
        #expect(Self.cookie(plain).value == nil)
        #expect(Self.cookie(plain, origin: "https://shop.example").value == nil)
        #expect(Self.cookie(plain, host: "192.0.2.7:8080").value == "4")
        let both = plain + "; __Host-stoa-Abcdefgh=5"
        #expect(Self.cookie(both, host: "shop.example").value == "5")
    }

    @Test func `a request names the account among those of its cookie`() {
        func account(_ uri: String) -> String? {
            RequestHead(HTTPRequestHead(version: .http1_1, method: .GET, uri: uri)).actsAs
        }
        #expect(account("/v1/events?after=3&as=0xAb") == "0xAb")
        #expect(account("/v1/events?as=b%C3%B6") == "bö")
        #expect(account("/v1/events?bas=1&after=as=2") == nil && account("/v1/events") == nil)
    }
}
