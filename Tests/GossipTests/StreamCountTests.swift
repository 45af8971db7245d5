import GossipProtocol
import Market
import Testing

@testable import Gossip

struct StreamCountTests {
    private func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

    @Test func `a peer's first stream gets a place if others hold all places`() async throws {
        let count = StreamCount(perPeerMax: 2, allMax: 3)
        try await count.with(peer(1)) {
            try await count.with(peer(1)) {
                await #expect(throws: LinkError.full(.streams)) { try await count.with(peer(1)) {} }
                try await count.with(peer(2)) {
                    await #expect(throws: LinkError.full(.streams)) {
                        try await count.with(peer(2)) {}
                    }
                    try await count.with(peer(3)) {}
                }
                try await count.with(peer(2)) { try await count.with(peer(3)) {} }
            }
        }
        try await count.with(peer(2)) { try await count.with(peer(2)) {} }
    }
}
