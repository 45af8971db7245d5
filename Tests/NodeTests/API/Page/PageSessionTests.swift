import Client
import Foundation
import NIOCore
import NIOHTTP1
import Setup
import Support
import Testing

/// Sessions that a page opens: a cookie for the browser, a token for the page's script.
@Suite(.timeLimit(.minutes(5)))
struct PageSessionTests {
    /// A frame that closes a WebSocket, a text and a ping, all masked and empty.
    private static let (closing, text, ping): ([UInt8], [UInt8], [UInt8]) = (
        [0x88, 0x80, 0, 0, 0, 0], [0x81, 0x80, 0, 0, 0, 0], [0x89, 0x80, 0, 0, 0, 0]
    )
    /// The end of an answer's head.
    private static let headEnd = Array("\r\n\r\n".utf8)
    private static let elsewhere = ["x-forwarded-for": "192.0.2.7"]

    /// - From people: the token of a page's session without its browser's cookie, or the cookie
    ///   without the token → sign_in_needed
    @Test func `a page's session needs the cookie and the token together`() async throws {
        try await TestNode.run { node in
            var browser = PageBrowser(node: node)
            let session = try await browser.signIn("ana")
            let cookie = try #require(browser.cookie)
            #expect(cookie.hasPrefix("__Host-stoa-\(node.running.peer.suffix(8))="))
            #expect(!cookie.hasSuffix(session.token))

            let both = try await browser.call(.GET, "sessions", token: session.token)
            let open: [OpenSession] = try both.read()
            #expect(open.count == 1 && open[0].isPage && open[0].isCurrent)
            let stolen = try await node.call(.GET, "sessions", token: session.token)
            #expect(stolen.status == 401 && stolen.code == "sign_in_needed")
            for (method, path) in [
                (HTTPMethod.GET, "sessions"), (.GET, "sessions/current"), (.GET, "conversations"),
                (.PUT, "profile"), (.POST, "media"), (.DELETE, "sessions/current"),
            ] {
                let body = method == .PUT ? "{}" : nil
                let answer = try await browser.call(method, path, body: body)
                #expect(answer.status == 401 && answer.code == "sign_in_needed", "\(path)")
            }
            var other = browser
            other.cookie = cookie.dropLast() + (cookie.hasSuffix("0") ? "1" : "0")
            let wrong = try await other.call(.GET, "sessions", token: session.token)
            #expect(wrong.code == "sign_in_needed")
            // A program's session has no cookie, and needs none.
            let program = try await node.signIn("ana").token
            #expect(try await node.call(.GET, "sessions", token: program).status == 200)
        }
    }

    /// - From people: a page's session for a program, or for a page of another origin →
    ///   strange_origin
    @Test func `only pages of the node's own origins have a page's session`() async throws {
        let folder = try TemporaryFolder()
        let flags = ["api.origins": "https://shop.example,http://192.0.2.7:8080"]
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let body = #"{"account":"ana","password":"correct horse","isPage":true}"#
            _ = try await node.signIn("ana")
            let program = try await node.call(.POST, "sessions", body: body)
            #expect(program.status == 403 && program.code == "strange_origin")
            #expect(try program.read(Problem.self).field == "isPage")
            let port = ["origin": "http://127.0.0.1:1"]
            let other = try await node.call(.POST, "sessions", body: body, headers: port)
            #expect(other.code == "strange_origin")
            for (origin, start) in [
                ("https://shop.example", "__Host-stoa-"), ("http://192.0.2.7:8080", "stoa-"),
            ] {
                let host = String(origin.split(separator: "/").last ?? "")
                let headers = ["origin": origin, "host": host].merging(Self.elsewhere) { $1 }
                let signed = try await node.call(.POST, "sessions", body: body, headers: headers)
                #expect(signed.status == 201)
                let field = try #require(signed.headers.first(name: "set-cookie"))
                #expect(field.hasPrefix(start) && field.contains("HttpOnly; SameSite=Strict"))
                #expect(field.contains("; Secure") == origin.hasPrefix("https"))
            }
        }
    }

    @Test func `the cookie alone opens pictures, files and events`() async throws {
        try await TestNode.run { node in
            var browser = PageBrowser(node: node)
            _ = try await browser.signIn("ana")
            let cookie = try #require(browser.cookie)
            for path in ["media/0x0f", "sales/0x0f/work", "sales/0x0f/picture"] {
                // An image of the page names no origin.
                var headers = Self.elsewhere.merging(["cookie": cookie]) { $1 }
                headers["sec-fetch-site"] = "same-origin"
                let image = try await node.call(.GET, path, headers: headers)
                #expect(image.code != "sign_in_needed" && image.status != 403, "\(path)")
                headers["sec-fetch-site"] = "same-site"
                let other = try await node.call(.GET, path, headers: headers)
                #expect(other.code == "strange_origin", "\(path)")
                headers["cookie"] = nil
                headers["sec-fetch-site"] = nil
                let nobody = try await node.call(.GET, path, headers: headers)
                #expect(nobody.code == "sign_in_needed", "\(path)")
            }
            let open = try await node.say(browser.upgrade(), and: Self.closing)
            #expect(open.starts(with: "HTTP/1.1 101".utf8))
            let port = browser.upgrade(origin: "http://127.0.0.1:1")
            let refused = try await node.say(port, and: Self.closing)
            #expect(refused.starts(with: "HTTP/1.1 403".utf8))
            browser.cookie = nil
            let nobody = try await node.say(browser.upgrade(), and: Self.closing)
            #expect(nobody.starts(with: "HTTP/1.1 401".utf8))
        }
    }

    @Test func `a program without an origin gets no events for a cookie`() async throws {
        try await TestNode.run { node in
            var browser = PageBrowser(node: node)
            _ = try await browser.signIn("ana")
            let head = browser.upgrade().replacing("origin: \(browser.origin)\r\n", with: "")
            let refused = try await node.say(head, and: Self.closing)
            #expect(refused.starts(with: "HTTP/1.1 401".utf8))
        }
    }

    @Test func `accounts of one browser share its cookie, and each ends alone`() async throws {
        try await TestNode.run { node in
            var browser = PageBrowser(node: node)
            let ana = try await browser.signIn("ana")
            let first = try #require(browser.cookie)
            let bo = try await browser.signIn("bo")
            let second = try #require(browser.cookie)
            // Another program of the machine may have seen or set the first one.
            #expect(first != second)
            for token in [ana.token, bo.token] {
                #expect(try await browser.call(.GET, "sessions", token: token).status == 200)
                var former = browser
                former.cookie = first
                let ended = try await former.call(.GET, "sessions", token: token)
                #expect(ended.code == "sign_in_needed")
            }
            for account in ["ana", bo.account.address] {
                let heard = try await node.say(browser.upgrade(as: account), and: Self.closing)
                #expect(heard.starts(with: "HTTP/1.1 101".utf8), "\(account)")
            }
            // A picture that is not here is told to the account of the tab.
            for (account, code) in [("bo", "unknown_media"), ("cy", "sign_in_needed")] {
                let path = "media/0x\(String(repeating: "0f", count: 32))?as=\(account)"
                let picture = try await browser.call(.GET, path, headers: Self.elsewhere)
                #expect(picture.code == code, "\(account)")
            }
            let stranger = try await node.say(browser.upgrade(as: "cy"), and: Self.closing)
            #expect(stranger.starts(with: "HTTP/1.1 401".utf8))

            let out = try await browser.call(.DELETE, "sessions/current", token: bo.token)
            #expect(out.status == 204 && out.headers.first(name: "set-cookie") == nil)
            #expect(try await browser.call(.GET, "sessions", token: bo.token).status == 401)
            #expect(try await browser.call(.GET, "sessions", token: ana.token).status == 200)
            let last = try await browser.call(.DELETE, "sessions/current", token: ana.token)
            #expect(last.headers.first(name: "set-cookie")?.contains("; Max-Age=0") == true)
        }
    }

    /// - From people: a sign-in with somebody else's cookie, and then the new cookie without the
    ///   token of the other session → sign_in_needed
    @Test func `a sign-in with a stolen cookie takes no session along`() async throws {
        try await TestNode.run { node in
            var browser = PageBrowser(node: node)
            let ana = try await browser.signIn("ana")
            // A program of the same machine gets the cookie, because cookies know no ports.
            var thief = browser
            let bo = try await thief.signIn("bo")
            #expect(thief.cookie != browser.cookie)
            let heard = try await node.say(thief.upgrade(as: "ana"), and: Self.closing)
            #expect(heard.starts(with: "HTTP/1.1 401".utf8))
            let own = try await node.say(thief.upgrade(as: "bo"), and: Self.closing)
            #expect(own.starts(with: "HTTP/1.1 101".utf8))
            // The person notices nothing, and the thief's cookie is no longer one of hers.
            #expect(try await browser.call(.GET, "sessions", token: ana.token).status == 200)
            #expect(try await thief.call(.GET, "sessions", token: ana.token).status == 401)
            #expect(try await thief.call(.GET, "sessions", token: bo.token).status == 200)
            let still = try await node.say(browser.upgrade(as: "ana"), and: Self.closing)
            #expect(still.starts(with: "HTTP/1.1 101".utf8))
        }
    }

    @Test func `nodes of one machine keep their cookies apart`() async throws {
        try await TestNode.run { one in
            try await TestNode.run { two in
                var (first, second) = (PageBrowser(node: one), PageBrowser(node: two))
                let ana = try await first.signIn("ana")
                let bo = try await second.signIn("bo")
                // A browser sends both to each, because cookies know no ports.
                let both = [first.cookie, second.cookie].compactMap(\.self).joined(separator: "; ")
                let swapped = second.cookie
                (first.cookie, second.cookie) = (both, both)
                #expect(try await first.call(.GET, "sessions", token: ana.token).status == 200)
                #expect(try await second.call(.GET, "sessions", token: bo.token).status == 200)
                first.cookie = swapped
                #expect(try await first.call(.GET, "sessions", token: ana.token).status == 401)
            }
        }
    }

    /// - From people: a WebSocket for events whose session ends → close frame 3000
    @Test func `the end of a session closes its sockets with a code of its own`() async throws {
        try await TestNode.run { node in
            var browser = PageBrowser(node: node)
            let session = try await browser.signIn("ana")
            let address = try NodeAddress(text: node.running.api)
            let heard = try await RawSocket.converse(
                Array(browser.upgrade().utf8),
                host: address.host,
                port: address.port,
                [
                    RawSocket.Reply(heard: Self.headEnd) { [browser] in
                        let path = "sessions/current"
                        let out = try await browser.call(.DELETE, path, token: session.token)
                        #expect(out.status == 204)
                        return []
                    }
                ]
            ).readableBytesView
            let text = String(decoding: heard, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 101"))
            // 3000 in network order, after the length and before the reason.
            #expect(Array(heard).firstRange(of: [0x0B, 0xB8]) != nil)
            #expect(text.contains("The session has ended"))
        }
    }

    @Test func `asking for the session is no use of it, a person at work is`() async throws {
        let (folder, clock) = (try TemporaryFolder(), MovedClock())
        try await TestNode.run(in: folder.path, clock: clock) { node in
            var browser = PageBrowser(node: node)
            let session = try await browser.signIn("ana")
            func idleUntil() async throws -> Date {
                let answer = try await browser.call(.GET, "sessions/current", token: session.token)
                return try answer.read(CurrentSession.self).idleUntil
            }
            #expect(try await idleUntil() == session.idleUntil)
            clock.move(by: 600)
            #expect(try await idleUntil() == session.idleUntil)
            // A tab that nobody looks at reads by itself, and shows pictures by the cookie.
            #expect(try await browser.call(.GET, "sessions", token: session.token).status == 200)
            _ = try await browser.call(.GET, "media/0x0f")
            #expect(try await idleUntil() == session.idleUntil)
            // The pong comes once the text before it was read; it has the opcode 10.
            let address = try NodeAddress(text: node.running.api)
            let heard = try await RawSocket.converse(
                Array(browser.upgrade().utf8),
                host: address.host,
                port: address.port,
                [
                    RawSocket.Reply(heard: Self.headEnd) {
                        clock.move(by: 1_200)
                        return Self.text + Self.ping
                    },
                    RawSocket.Reply(heard: [0x8A, 0]) { Self.closing },
                ]
            ).readableBytesView
            #expect(heard.starts(with: "HTTP/1.1 101".utf8))
            #expect(try await idleUntil() >= session.idleUntil + 1_200)
        }
    }
}
