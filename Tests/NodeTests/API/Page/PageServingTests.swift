import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Setup
import Support
import Testing

/// The page, as the node sends it to browsers and to others.
@Suite(.timeLimit(.minutes(5)))
struct PageServingTests {
    @Test func `serves the page at each route with the headers that protect it`() async throws {
        try await TestNode.run { node in
            let index = try await node.page("/")
            #expect(index.status == 200)
            let headers: [String: String] = [
                "content-type": "text/html; charset=utf-8", "cache-control": "no-cache",
                "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
                "cross-origin-opener-policy": "same-origin",
                "permissions-policy": "camera=(self), geolocation=(self)",
                "content-security-policy":
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
                    + "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
                    + "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
                    + "require-trusted-types-for 'script'; trusted-types 'none'",
            ]
            for (name, value) in headers {
                #expect(index.headers.first(name: name) == value, "\(name)")
            }
            for path in ["/sell", "/listings/0x12.34?a=b.c", "/index.html"] {
                let route = try await node.page(path)
                #expect(route.status == 200 && route.body == index.body, "\(path)")
            }
            for path in ["/metrics", "/nothing.js"] {
                let none = try await node.page(path)
                #expect(none.status == 404 && none.code == "not_found", "\(path)")
            }
            #expect(try await node.page("/", method: .POST).status == 404)
            let head = try await node.page("/", method: .HEAD)
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test func `says that the page is unchanged, and keeps its assets forever`() async throws {
        try await TestNode.run { node in
            let index = try await node.page("/")
            let tag = try #require(index.headers.first(name: "etag"))
            let again = try await node.page("/", headers: ["if-none-match": "W/\"x\", \(tag)"])
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(again.headers.first(name: "etag") == tag)
            #expect(try await node.page("/", headers: ["if-none-match": "\"x\""]).status == 200)

            let text = String(decoding: index.body, as: UTF8.self)
            let asset = try #require(text.firstMatch(of: /\/?(assets\/[\w.-]+\.js)/)?.output.1)
            let script = try await node.page("/" + asset)
            let kept = script.headers.first(name: "cache-control")
            #expect(kept == "public, max-age=31536000, immutable")
            #expect(script.headers.first(name: "content-type") == "text/javascript; charset=utf-8")
        }
    }

    @Test func `sends packed files packed to those who take them so`() async throws {
        try await TestNode.run { node in
            let plain = try await node.page("/")
            #expect(plain.headers.first(name: "content-encoding") == nil)
            let packed = try await node.page("/", headers: ["accept-encoding": "br, gzip;q=0.5"])
            #expect(packed.headers.first(name: "content-encoding") == "gzip")
            #expect(packed.headers.first(name: "vary") == "Accept-Encoding")
            #expect(packed.body.starts(with: [0x1F, 0x8B]))
            #expect(packed.headers.first(name: "etag") != plain.headers.first(name: "etag"))
            let refused = try await node.page("/", headers: ["accept-encoding": "gzip;q=0"])
            #expect(refused.headers.first(name: "content-encoding") == nil)
            #expect(refused.body == plain.body)
        }
    }

    @Test func `a link of another site opens a screen, and nothing else`() async throws {
        try await TestNode.run { node in
            func from(_ site: String, _ mode: String, for use: String) -> [String: String] {
                ["sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": use]
            }
            for site in ["cross-site", "same-site", "none", "same-origin"] {
                let link = from(site, "navigate", for: "document")
                #expect(try await node.page("/listings", headers: link).status == 200, "\(site)")
            }
            let frame = from("cross-site", "navigate", for: "iframe")
            let image = from("cross-site", "no-cors", for: "image")
            for headers in [frame, image, image.merging(["sec-fetch-site": "same-site"]) { $1 }] {
                let refused = try await node.page("/", headers: headers)
                #expect(refused.status == 403 && refused.code == "strange_origin", "\(headers)")
            }
            // Only screens can be opened so.
            let link = from("cross-site", "navigate", for: "document")
            #expect(try await node.page("/v1/node", headers: link).code == "strange_origin")
            let origin = link.merging(["origin": "https://evil.example"]) { $1 }
            #expect(try await node.page("/", headers: origin).code == "strange_origin")
            let host = link.merging(["host": "evil.example"]) { $1 }
            #expect(try await node.page("/", headers: host).code == "strange_host")
        }
    }

    @Test func `serves the files of a folder as they are now`() async throws {
        let (folder, page) = (try TemporaryFolder(), try TemporaryFolder())
        let index = URL(filePath: page.path).appending(path: "index.html")
        try Data("one".utf8).write(to: index)
        try await TestNode.run(in: folder.path, flags: ["page.folder": page.path]) { node in
            #expect(try await node.page("/").body == Data("one".utf8))
            try Data("two".utf8).write(to: index)
            let changed = try await node.page("/sell")
            #expect(changed.body == Data("two".utf8))
            #expect(changed.headers.first(name: "cache-control") == "no-cache")
            #expect(try await node.page("/assets/x.js").status == 404)
        }
    }
}

extension TestNode {
    /// Asks for a path of the page.
    func page(
        _ path: String,
        method: HTTPMethod = .GET,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: running.api + path)
        request.method = method
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        // The shared client unpacks what it gets.
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        do {
            let response = try await client.execute(request, timeout: .seconds(30))
            let bytes = try await response.body.collect(upTo: 16 << 20)
            try await client.shutdown()
            return Answer(
                status: Int(response.status.code),
                headers: response.headers,
                body: Data(bytes.readableBytesView)
            )
        } catch {
            try? await client.shutdown()
            throw error
        }
    }
}
