import Concurrency
import Gossip
import GossipProtocol
import Market
import Support
import Synchronization
import Testing

/// What a node stores of its peers.
@Suite(.timeLimit(.minutes(2)))
struct PeerKeepingTests {
    /// A peer store in memory.
    private final class Kept: PeerStore {
        private let all = Mutex<[PeerNote]>([])

        var kept: [PeerNote] { all.withLock(\.self) }

        func notes() -> [PeerNote] { [] }

        func addressBans() -> [AddressBanNote] { [] }

        func keep(_ notes: [PeerNote], bans: [AddressBanNote]) {
            all.withLock { $0 += notes }
        }
    }

    @Test func `stores a ban made less than a heartbeat before the end`() async throws {
        let network = MemoryNetwork()
        let peers = (1...2).map { PeerID(multihash: [0, 1, $0]) }
        let links = peers.enumerated().map { network.node($1, port: UInt16($0 + 1)) }
        let store = Kept()
        let ana = GossipNode(links[0], peerStore: store) {
            ($0.heartbeat, $0.exchangeInterval) = (.seconds(3_600), .seconds(7_200))
        }
        try await GossipNode.with([ana]) {
            try await withRunning([links[1]]) {
                _ = try await links[1].dial(links[0].address)
                try await waitUntil { await !ana.service.peers().isEmpty }
                await ana.service.ban(peers[1], for: .seconds(600), reason: "Test.")
                try await waitUntil { await ana.service.peers().isEmpty }
                #expect(store.kept.isEmpty)
            }
        }
        let banned = store.kept.filter { $0.bannedUntil != nil }
        #expect(banned.map(\.peer) == [peers[1]])
    }
}
