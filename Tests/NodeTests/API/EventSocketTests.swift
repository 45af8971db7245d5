import Client
import NIOCore
import NIOPosix
import NIOWebSocket
import Setup
import Support
import Testing

/// WebSockets of clients that keep no rules.
@Suite(.timeLimit(.minutes(5)))
struct EventSocketTests {
    /// - From people: frames that are not masked, unknown opcodes, reserved bits → close frame 1002
    @Test(
        arguments: [
            // Text that is not masked, opcodes 3 and 15, a reserved bit.
            [0x81, 0x01, 0x78], [0x83, 0x80, 0, 0, 0, 0], [0x8F, 0x80, 0, 0, 0, 0],
            [0xC1, 0x80, 0, 0, 0, 0],
        ] as [[UInt8]]
    )
    func `a forbidden frame closes its WebSocket`(frame: [UInt8]) async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let asked = Self.upgrade(try await node.signIn("ana").token)
            let heard = try await node.say(asked, and: frame)
            #expect(heard.firstRange(of: [0x03, 0xEA]) != nil, "\(heard)")
        }
    }

    /// - From people: more bytes of frames over a WebSocket than 8 KiB at once and 512 a second →
    ///   close frame 1008
    @Test func `a flood of frames closes its WebSocket`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let asked = Self.upgrade(try await node.signIn("ana").token)
            let ping: [UInt8] = [0x89, 0x80, 0, 0, 0, 0]
            let pings = Array(repeating: ping, count: 2_000).flatMap { $0 }
            let heard = try await node.say(asked, and: pings)
            #expect(heard.firstRange(of: [0x03, 0xF0]) != nil)
        }
    }

    /// - From people: more than 16 WebSockets of an account → close frame 1013
    @Test func `an account has a bounded number of WebSockets`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let asked = Self.upgrade(try await node.signIn("ana").token)
            let address = try NodeAddress(text: node.running.api)
            let connect = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            var open: [any Channel] = []
            // One of those may come later than what is asked below, and be the one that is refused;
            // so more are opened, until the other one is.
            var heard: [UInt8] = []
            repeat {
                for _ in 0..<(open.isEmpty ? 16 : 1) {
                    let channel = try await connect.connect(host: address.host, port: address.port)
                        .get()
                    try await channel.writeAndFlush(ByteBuffer(string: asked))
                    open.append(channel)
                }
                let closing: [UInt8] = [0x88, 0x80, 0, 0, 0, 0]
                heard = try await node.say(asked, and: closing)
            } while heard.firstRange(of: [0x03, 0xF5]) == nil
            let bo = Self.upgrade(try await node.signIn("bo").token)
            heard = try await node.say(bo, and: [0x88, 0x80, 0, 0, 0, 0])
            #expect(heard.firstRange(of: [0x03, 0xF5]) == nil)
            // Those that were refused are closed already.
            for channel in open { try? await channel.close() }
        }
    }

    /// - From people: events requested with an unsupported version of WebSockets → upgrade_needed,
    ///   with `Sec-WebSocket-Version: 13`
    @Test(arguments: ["8", "14", "13, 8", "", "x"])
    func `names the supported WebSocket version if another is requested`(version: String)
        async throws
    {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let asked = Self.upgrade(try await node.signIn("ana").token, version: version)
            let heard = String(decoding: try await node.say(asked, and: []), as: UTF8.self)
            #expect(heard.hasPrefix("HTTP/1.1 426 "), "\(heard)")
            let headers = heard.lowercased().split(separator: "\r\n").map(String.init)
            #expect(headers.contains("sec-websocket-version: 13"))
            #expect(headers.contains("upgrade: websocket"))
            #expect(heard.contains("upgrade_needed"))
        }
    }

    /// - From people: events requested by another method than GET, also as a WebSocket →
    ///   method_not_allowed
    @Test func `no other method becomes a WebSocket`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let asked = Self.upgrade(try await node.signIn("ana").token, method: "POST")
            let heard = String(decoding: try await node.say(asked, and: []), as: UTF8.self)
            #expect(heard.hasPrefix("HTTP/1.1 405 "), "\(heard)")
            #expect(heard.contains("method_not_allowed"))
        }
    }

    private static func upgrade(
        _ token: String,
        version: String = "13",
        method: String = "GET"
    ) -> String {
        "\(method) /v1/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer \(token)\r\n"
            + "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: \(version)\r\n"
            + "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    }
}

extension TestNode {
    /// Asks for a WebSocket, sends a frame at once, and hears until the node hangs up.
    func say(_ request: String, and frame: [UInt8]) async throws -> [UInt8] {
        let address = try NodeAddress(text: running.api)
        let heard = try await RawSocket.hear(
            Array(request.utf8) + frame,
            host: address.host,
            port: address.port
        )
        return Array(heard.readableBytesView)
    }
}
