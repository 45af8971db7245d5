import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Setup
import Support
import Testing

/// What whoever watches a node is told.
@Suite(.timeLimit(.minutes(5)))
struct HealthTests {
    private struct Answer: Equatable {
        let status: UInt
        let text: String
    }

    private func get(_ path: String, of node: TestNode) async throws -> Answer {
        let request = HTTPClientRequest(url: node.running.health + path)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        return Answer(status: response.status.code, text: String(buffer: body))
    }

    @Test func `a node without a chain is alive and ready`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let alive = try await get("/livez", of: node)
            #expect(alive == Answer(status: 200, text: "alive\n"))
            let ready = try await get("/readyz", of: node)
            #expect(ready == Answer(status: 200, text: "ready\n"))
        }
    }

    @Test func `a node whose chain is away is alive and says why it is not ready`() async throws {
        let folder = try TemporaryFolder()
        let flags = try folder.flagsOfAnAwayChain()
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let alive = try await get("/livez", of: node)
            #expect(alive.status == 200)
            let answer = try await get("/readyz", of: node)
            #expect(answer.status == 503)
            #expect(answer.text.contains("31337"), "\(answer.text)")
        }
    }

    @Test func `shows current levels in the format of Prometheus`() async throws {
        let folder = try TemporaryFolder()
        let flags = try folder.flagsOfAnAwayChain()
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let answer = try await get("/metrics", of: node)
            #expect(answer.status == 200)
            let lines = Set(answer.text.split(separator: "\n"))
            #expect(lines.contains("# TYPE stoa_peers gauge"))
            #expect(lines.contains("stoa_chain_ready{chain=\"31337\"} 0.0"))
            for gauge in ["stoa_store_bytes", "stoa_vault_bytes", "stoa_vault_room_bytes"] {
                #expect(lines.contains { $0.hasPrefix(gauge + " ") }, "\(gauge)")
            }
        }
    }

    @Test func `a node's metrics include their help`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let lines = try await node.get("metrics").body.split(separator: "\n")
            let place = try #require(lines.firstIndex(of: "# TYPE stoa_peers gauge"))
            #expect(lines[place - 1] == "# HELP stoa_peers Peers that are connected.")
        }
    }
}
