import Client
import Foundation
import Support
import Synchronization
import Testing

/// Files on their way to a node.
@Suite(.timeLimit(.minutes(1)))
struct MediaTests {
    /// The SHA-256 of 'abc'; source: FIPS 180-2, appendix B.1.
    private static let hash = "0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    private static func answer(_ received: String) -> String {
        #"{"id":"0x01","type":"image/jpeg","length":3,"received":"\#(received)"}"#
    }

    @Test func `sends a file unchanged, and again if the connection breaks`() async throws {
        try await ScriptedServer.scoped(
            answer: { _, index in index < 1 ? .hangUp : .json(201, Self.answer(Self.hash)) }
        ) { node, server in
            try await StoaClient.scoped(node, limits: quick) { client in
                let file = try await client.addMedia(Array("abc".utf8))
                #expect(file.id == "0x01")
            }
            #expect(server.requests.map(\.body) == ["abc", "abc"])
            #expect(server.requests.first?.uri == "/v1/media")
        }
    }

    @Test func `reports how much of a file was sent at each attempt`() async throws {
        let file = [UInt8](repeating: 7, count: 150_000)
        let sent = Mutex<[Int]>([])
        // Source: Python's hashlib.
        let received = "0xfe3115a6fc4bd68e49c25f272efb7483cdbbff3f7d69ecc03ac558abf6a24f9a"
        try await ScriptedServer.scoped(
            answer: { _, index in index < 1 ? .hangUp : .json(201, Self.answer(received)) }
        ) { node, server in
            try await StoaClient.scoped(node, limits: quick) { client in
                _ = try await client.addMedia(file) { count in sent.withLock { $0.append(count) } }
            }
            #expect(server.requests.map(\.body.utf8.count) == [150_000, 150_000])
        }
        let attempts = sent.withLock { $0 }.split { $0 == 0 }
        // The end is told if the answer is not there before.
        #expect(attempts.map { Array($0.prefix(2)) } == [[65_536, 131_072], [65_536, 131_072]])
    }

    @Test func `throws if the node received other bytes`() async throws {
        let other = Self.answer("0x" + String(repeating: "0f", count: 32))
        try await ScriptedServer.scoped(answer: { _, _ in .json(201, other) }) { node, _ in
            try await StoaClient.scoped(node, limits: quick) { client in
                _ = await #expect(throws: ClientError.self) {
                    try await client.addMedia(Array("abc".utf8))
                }
            }
        }
    }

    @Test func `requests a picture by id and size and returns it unchanged`() async throws {
        try await ScriptedServer.scoped(answer: { _, _ in .json(200, "abc") }) { node, server in
            try await StoaClient.scoped(node, limits: quick) { client in
                let content = try await client.media("0x01", size: .medium)
                #expect(content.bytes == Array("abc".utf8))
                _ = try await client.media("0x01", waits: false)
            }
            #expect(
                server.requests.map(\.uri)
                    == ["/v1/media/0x01?size=640&wait=true", "/v1/media/0x01"]
            )
        }
    }
}
