import Client
import Foundation
import NIOHTTP1
import Setup
import Support
import Testing

/// What a page's session may do only after a password, or with a code of the operator's.
@Suite(.timeLimit(.minutes(5)))
struct PageConsentTests {
    private static let transfer = #"{"to":"0x00","amount":"1","currency":"native"}"#

    /// Asks to send money; on a node without a chain, nothing comes of it.
    private static func send(
        _ browser: PageBrowser,
        _ token: String,
        _ path: String = "wallet/send"
    ) async throws -> String? {
        try await browser.call(.POST, path, body: transfer, token: token).code
    }

    private static func confirm(
        _ browser: PageBrowser,
        _ token: String,
        with password: String = "correct horse"
    ) async throws -> TestNode.Answer {
        let (path, body) = ("sessions/current/confirmation", #"{"password":"\#(password)"}"#)
        return try await browser.call(.POST, path, body: body, token: token)
    }

    /// - From people: an act that moves money, by a page's session whose password is older than
    ///   `session.confirmMinutes` → password_needed
    @Test func `a page moves money for some minutes after a password`() async throws {
        let (folder, clock) = (try TemporaryFolder(), MovedClock())
        try await TestNode.run(in: folder.path, clock: clock) { node in
            var browser = PageBrowser(node: node)
            let token = try await browser.signIn("ana").token
            let program = try await node.signIn("ana").token
            #expect(try await Self.send(browser, token) != "password_needed")
            clock.move(by: 601)
            #expect(try await Self.send(browser, token) == "password_needed")
            for path in ["sales", "listings", "sales/0x0f/moves", "operations/0x0f/cancel"] {
                #expect(try await Self.send(browser, token, path) == "password_needed", "\(path)")
            }
            // Nothing is signed for these, and a program is asked for nothing.
            #expect(try await Self.send(browser, token, "wallet/send/preview") != "password_needed")
            #expect(try await browser.call(.GET, "sessions", token: token).status == 200)
            #expect(try await Self.send(PageBrowser(node: node), program) != "password_needed")

            let wrong = try await Self.confirm(browser, token, with: "wrong horse")
            #expect(wrong.status == 401 && wrong.code == "wrong_password")
            #expect(try await Self.send(browser, token) == "password_needed")
            let right = try await Self.confirm(browser, token)
            let until = try #require(try right.read(CurrentSession.self).confirmedUntil)
            #expect(abs(until.timeIntervalSince(clock.now) - 600) < 60)
            #expect(try await Self.send(browser, token) != "password_needed")
        }
    }

    @Test func `each act needs the password if the operator says so`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path, flags: ["session.confirmMinutes": "0"]) { node in
            var browser = PageBrowser(node: node)
            let token = try await browser.signIn("ana").token
            for _ in 0..<2 {
                #expect(try await Self.send(browser, token) == "password_needed")
                #expect(try await Self.confirm(browser, token).status == 200)
                #expect(try await Self.send(browser, token) != "password_needed")
            }
        }
    }

    /// - From people: a code for the operator's page that was used before, or is older than a
    ///   minute → sign_in_needed
    @Test func `a code opens the operator's page once, within a minute`() async throws {
        let (folder, clock) = (try TemporaryFolder(), MovedClock())
        try await TestNode.run(in: folder.path, clock: clock) { node in
            let own = try DataFolder(path: node.folder).operatorToken()
            var browser = PageBrowser(node: node)
            func code() async throws -> String {
                let answer = try await node.call(.POST, "sessions/codes", token: own)
                return try answer.read(PageCode.self).code
            }
            func open(_ browser: PageBrowser, with code: String) async throws -> TestNode.Answer {
                let body = #"{"code":"\#(code)"}"#
                return try await browser.call(.POST, "sessions/operator", body: body)
            }
            #expect(try await browser.call(.POST, "sessions/codes").code == "operator_needed")
            let first = try await code()
            let body = #"{"code":"\#(first)"}"#
            let program = try await node.call(.POST, "sessions/operator", body: body)
            #expect(program.code == "strange_origin")

            let answer = try await open(browser, with: first)
            let session: OperatorSession = try answer.read()
            #expect(answer.status == 201)
            browser.cookie = try PageBrowser.cookie(of: answer)
            #expect(try await browser.call(.GET, "peers", token: session.token).status == 200)
            let stolen = try await node.call(.GET, "peers", token: session.token)
            #expect(stolen.code == "sign_in_needed")
            let current = try await browser.call(.GET, "sessions/current", token: session.token)
            #expect(try current.read(CurrentSession.self).account == nil)

            #expect(try await open(browser, with: first).code == "sign_in_needed")
            let late = try await code()
            clock.move(by: 61)
            #expect(try await open(browser, with: late).code == "sign_in_needed")
            #expect(try await open(browser, with: "").code == "sign_in_needed")
            let path = "sessions/current"
            #expect(try await browser.call(.DELETE, path, token: session.token).status == 204)
            let ended = try await browser.call(.GET, "peers", token: session.token)
            #expect(ended.code == "sign_in_needed")
        }
    }

    /// - From people: wrong passwords sent with the operator's session on the page →
    ///   too_many_tries
    @Test func `guesses by the operator's page are slowed, the token's are not`() async throws {
        try await TestNode.run { node in
            let own = try DataFolder(path: node.folder).operatorToken()
            var browser = PageBrowser(node: node)
            let made = try await node.call(.POST, "sessions/codes", token: own)
            let code = try made.read(PageCode.self).code
            let body = #"{"code":"\#(code)"}"#
            let answer = try await browser.call(.POST, "sessions/operator", body: body)
            let token = try answer.read(OperatorSession.self).token
            browser.cookie = try PageBrowser.cookie(of: answer)
            let guess = #"{"account":"nobody","password":"wrong horse"}"#
            var codes: [String?] = []
            repeat {
                let wrong = try await browser.call(.POST, "sessions", body: guess, token: token)
                codes.append(wrong.code)
            } while codes.last == "wrong_password" && codes.count < 20
            #expect(codes.count > 5 && codes.last == "too_many_tries")
            let unslowed = try await node.call(.POST, "sessions", body: guess, token: own)
            #expect(unslowed.code == "wrong_password")
        }
    }
}
