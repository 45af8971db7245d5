import Client
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Setup
import Support
import Testing

@testable import NodeAPI

/// A whole node, and clients that keep no rules.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
    /// - From people: bytes that are not HTTP → HTTP 400; the connection ends
    @Test func `answers bytes that are not HTTP with 400 and closes the connection`() async throws {
        try await TestNode.run { node in
            let marks = "a" + String(repeating: "\u{315}\u{300}", count: 16)
            let garbage = [
                "\0\0\0\0", "GET\r\n\r\n", "GET /\(marks) HTTP/1.1\r\nhost: localhost\r\n\r\n",
                "GET /livez HTTP/1.1\r\nhost: \(marks)\r\n\r\n",
                "GET /livez HTTP/1.1\r\nhost: localhost\r\norigin: \(marks)\r\n\r\n",
                "GET /livez HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n",
                "POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n"
                    + "transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            ]
            for base in [node.running.api, node.running.health] {
                for text in garbage {
                    let answer = try await node.say(text, to: base)
                    #expect(answer.hasPrefix("HTTP/1.1 400"), "\(text.prefix(40)): \(answer)")
                }
            }
        }
    }

    /// - From people: a request for a tunnel (`CONNECT`) → refused; the connection ends
    @Test func `refuses a tunnel, reads nothing after it and ends the connection`() async throws {
        try await TestNode.run { node in
            let zeros = String(repeating: "\0", count: 4 << 20)
            for base in [node.running.api, node.running.health] {
                let host = base.trimmingPrefix("http://")
                let request = "CONNECT \(host) HTTP/1.1\r\nhost: \(host)\r\n\r\n"
                let answer = try await node.say(request + zeros, to: base)
                #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(200))")
            }
        }
    }

    /// - From people: headers of more than 32 KiB; the connection ends → headers_too_large
    @Test func `states the limit if a request's headers are too long`() async throws {
        try await TestNode.run { node in
            let long = String(repeating: "x", count: 40_000)
            let text = "GET / HTTP/1.1\r\nhost: localhost\r\nx: \(long)\r\n\r\n"
            for base in [node.running.api, node.running.health] {
                let answer = try await node.say(text, to: base)
                #expect(answer.hasPrefix("HTTP/1.1 431"), "\(answer)")
                #expect(answer.contains("application/problem+json"))
                #expect(answer.contains("headers_too_large") && answer.contains("32768 bytes"))
            }
        }
    }

    /// - From people: a body that is not HTTP or ends early → malformed_json
    @Test(arguments: [
        "transfer-encoding: xchunked\r\n\r\n0\r\n\r\n",
        "transfer-encoding: chunked\r\n\r\n5\r\nab", "transfer-encoding: chunked\r\n\r\nzz\r\n",
        "content-length: 9\r\n\r\n{",
    ])
    func `blames the caller for a body that is not HTTP or ends early`(rest: String) async throws {
        try await TestNode.run { node in
            let head =
                "POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\n"
                + "content-type: application/json\r\n"
            let answer = try await node.say(head + rest, to: node.running.api, leavesOpen: false)
            #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
            #expect(!answer.contains("internal_error"))
        }
    }

    /// - From people: silent connections that hold all of this machine's slots → the one that has
    ///   waited longest is closed; one more is served
    @Test func `silent local programs do not keep other programs from a port`() async throws {
        try await TestNode.run { node in
            let files = FileAllowance.raise()
            let connect = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            var open: [any Channel] = []
            for (url, path, limits) in [
                (node.running.api, "/v1/node", ConnectionLimits.api(files: files)),
                (node.running.health, "/livez", ConnectionLimits.health(files: files)),
            ] {
                let address = try NodeAddress(text: url)
                for _ in 0..<limits.hereMax {
                    open.append(
                        try await connect.connect(host: address.host, port: address.port).get()
                    )
                }
                let question =
                    "GET \(path) HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
                for _ in 0..<3 {
                    let answer = try await node.say(question, to: url)
                    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
                }
            }
            // Some have lost their places.
            for channel in open { try? await channel.close() }
        }
    }

    /// - From people: a caller that ends its sending side while its request waits → malformed_value
    @Test func `derives no key for a guesser that has disconnected`() async throws {
        let folder = try TemporaryFolder()
        // Long enough that all of them come meanwhile.
        try await TestNode.run(in: folder.path, flags: ["keystore.scryptCost": "262144"]) { node in
            let body = #"{"account":"nobody","password":"wrong horse"}"#
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<6 {
                    let guess =
                        "POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\n"
                        + "x-forwarded-for: 192.0.2.\(number)\r\nconnection: close\r\n"
                        + "content-length: \(body.utf8.count)\r\n\r\n" + body
                    group.addTask {
                        try await node.say(guess, to: node.running.api, leavesOpen: false)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.hasPrefix("HTTP/1.1 401") } <= 2, "\(answers)")
            let left = answers.filter { $0.hasPrefix("HTTP/1.1 400") }
            #expect(left.count >= 4, "\(answers)")
            #expect(left.allSatisfy { $0.contains("malformed_value") }, "\(answers)")
        }
    }

    @Test func `a node may open as many files as its user's limit allows`() throws {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        try #require(unsafe getrlimit(files, &limit) == 0)
        let most = min(limit.rlim_max, 65_536)
        limit.rlim_cur = most - 1
        try #require(unsafe setrlimit(files, &limit) == 0)
        #expect(FileAllowance.raise() == Int(most))
        try #require(unsafe getrlimit(files, &limit) == 0)
        #expect(limit.rlim_cur == most)
    }

    @Test func `builds the API's document only once`() throws {
        let addresses = try (0..<2).map { _ in
            let bytes = try APIDocument.bytes.get()
            return unsafe bytes.withUnsafeReadableBytes {
                unsafe $0.baseAddress.map(Int.init(bitPattern:))
            }
        }
        #expect(addresses[0] != nil && addresses[0] == addresses[1])
    }
}

extension TestNode {
    /// Sends bytes to one of the node's ports, and hears until it hangs up.
    func say(_ text: String, to base: String, leavesOpen: Bool = true) async throws -> String {
        let address = try NodeAddress(text: base)
        return try await RawSocket.send(
            Array(text.utf8),
            host: address.host,
            port: address.port,
            leavesOpen: leavesOpen
        )
    }
}
