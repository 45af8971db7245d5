import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Connecting to a peer that is linked already.
struct PeersConnectTests {
    /// - From commands: another address of a peer that the node is linked to → exit 7
    @Test func `an address that was not tried is no success`() async throws {
        let folder = try TemporaryFolder()
        let id = "16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"
        let peer = #"{"id":"\#(id)","addresses":["/ip4/192.0.2.1/tcp/4001"],"isConnected":true}"#
        try await ScriptedServer.scoped(
            answer: { request, _ in
                request.uri.hasSuffix("/currencies")
                    ? .json(200, "[]") : .json(200, request.method == "GET" ? "[\(peer)]" : peer)
            }
        ) { node, _ in
            let stoa = Program(folder: folder.path("data"))
            for (port, code) in [("4001", 0), ("4999", 7)] as [(String, Int32)] {
                let address = "/ip4/192.0.2.1/tcp/\(port)/p2p/\(id)"
                let end = try stoa.run("peers", "connect", address, "--node", node.description)
                #expect(end.code == code, "\(end.words)")
                #expect(end.words.contains("was not tried") == (code == 7))
            }
        }
    }
}
